// === vulnerable: errorhandler without a guard
import express from "express";
import errorhandler from "errorhandler";

const app = express();
app.get("/", (req, res) => res.send("hi"));
app.use(errorhandler());
app.listen(3000);

// === vulnerable (js): commonjs errorhandler with log option
const express = require("express");
const errorHandler = require("errorhandler");

const server = express();
server.use(express.static("public"));
server.use(errorHandler({ log: true }));
server.listen(process.env.PORT);

// === vulnerable: apollo server with stack traces
import { ApolloServer } from "@apollo/server";

export const server = new ApolloServer({
  typeDefs: `type Query { ping: String }`,
  resolvers: { Query: { ping: () => "pong" } },
  includeStacktraceInErrorResponses: true,
});

// === vulnerable: apollo server 3 debug
import { ApolloServer } from "apollo-server-express";
import { typeDefs, resolvers } from "./schema";

const server = new ApolloServer({ typeDefs, resolvers, debug: true });
export default server;

// === vulnerable: strong-error-handler debug
import express from "express";
import strongErrorHandler from "strong-error-handler";

const app = express();
app.use(strongErrorHandler({ debug: true, log: true }));

// === vulnerable: graphql yoga without masked errors
import { createServer } from "node:http";
import { createSchema, createYoga } from "graphql-yoga";

const yoga = createYoga({
  schema: createSchema({ typeDefs: `type Query { a: Int }`, resolvers: { Query: { a: () => 1 } } }),
  maskedErrors: false,
});

createServer(yoga).listen(4000);

// === vulnerable: express error handler answering with the stack
import express, { NextFunction, Request, Response } from "express";

const app = express();

app.use((err: Error, req: Request, res: Response, next: NextFunction) => {
  res.status(500).send(err.stack);
});

// === vulnerable: koa answers with the stack
import Koa from "koa";

const app = new Koa();

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = 500;
    ctx.body = { message: (error as Error).message, stack: (error as Error).stack };
  }
});

// === vulnerable: express environment forced to development
import express from "express";

const app = express();
app.set("env", "development");
app.get("/", (req, res) => {
  throw new Error("boom");
});
app.listen(80);

// === vulnerable: fastify error handler with stack
import Fastify from "fastify";

const server = Fastify();

server.setErrorHandler((error, request, reply) => {
  const payload = { error: error.message, trace: error.stack };
  reply.status(500).send(payload);
});

// === safe: errorhandler in development only
import express from "express";
import errorhandler from "errorhandler";

const app = express();
if (process.env.NODE_ENV === "development") {
  app.use(errorhandler());
}
app.listen(3000);

// === safe: apollo server without stack traces
import { ApolloServer } from "@apollo/server";

export const server = new ApolloServer({
  typeDefs: `type Query { ping: String }`,
  resolvers: { Query: { ping: () => "pong" } },
  includeStacktraceInErrorResponses: false,
});

// === safe: strong-error-handler defaults
import express from "express";
import strongErrorHandler from "strong-error-handler";

const app = express();
app.use(strongErrorHandler({ debug: false, log: true }));

// === safe: stack goes to the log only
import express, { NextFunction, Request, Response } from "express";

const app = express();

app.use((err: Error, req: Request, res: Response, next: NextFunction) => {
  console.error(err.stack);
  res.status(500).json({ message: "Internal server error" });
});

// === safe: stack only outside production
import express, { NextFunction, Request, Response } from "express";

const app = express();

app.use((err: Error, req: Request, res: Response, next: NextFunction) => {
  const body: Record<string, unknown> = { message: "Something failed" };
  if (process.env.NODE_ENV === "development") {
    body.stack = err.stack;
  }
  res.status(500).json(body);
});

// === safe: debug package
import createDebug from "debug";

const debug = createDebug("app:worker");
debug.enabled = true;
debug("started with %d jobs", 3);

// === safe: stack as a data structure
import express from "express";

const app = express();
const pile = { stack: ["a", "b"] };

app.get("/pile", (req, res) => {
  res.json(pile.stack);
});

// === safe: debug option of a local game loop
interface LoopOptions {
  debug: boolean;
  fps: number;
}

class GameLoop {
  constructor(private readonly options: LoopOptions) {}
  describe() {
    return `${this.options.fps} fps, debug ${this.options.debug}`;
  }
}

export const loop = new GameLoop({ debug: true, fps: 60 });

// === safe: graphql yoga masked
import { createServer } from "node:http";
import { createSchema, createYoga } from "graphql-yoga";

const yoga = createYoga({
  schema: createSchema({ typeDefs: `type Query { a: Int }`, resolvers: { Query: { a: () => 1 } } }),
  maskedErrors: true,
});

createServer(yoga).listen(4000);
