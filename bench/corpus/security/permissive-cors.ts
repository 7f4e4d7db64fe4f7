// === vulnerable: cors origin true with credentials
import express from "express";
import cors from "cors";

const app = express();
app.use(cors({ origin: true, credentials: true }));

// === vulnerable: callback that accepts everybody
import express from "express";
import cors from "cors";

const app = express();
app.use(
  cors({
    origin: (origin, callback) => callback(null, true),
    credentials: true,
  }),
);

// === vulnerable: express header reflection
import express from "express";

const app = express();

app.use((req, res, next) => {
  res.header("Access-Control-Allow-Origin", req.headers.origin);
  res.header("Access-Control-Allow-Credentials", "true");
  next();
});

// === vulnerable: node http setHeader through a variable
import http from "http";

http
  .createServer((req, res) => {
    const origin = req.headers["origin"] || "*";
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Allow-Credentials", "true");
    res.end(JSON.stringify({ balance: 12 }));
  })
  .listen(3000);

// === vulnerable: fastify cors origin true
import Fastify from "fastify";
import cors from "@fastify/cors";

const server = Fastify();
await server.register(cors, { origin: true, credentials: true });

// === vulnerable: nest enableCors
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module";

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.enableCors({ origin: true, credentials: true, methods: ["GET", "POST"] });
  await app.listen(3000);
}

bootstrap();

// === vulnerable: koa reflects the origin by hand
import Koa from "koa";

const app = new Koa();

app.use(async (ctx, next) => {
  ctx.set("Access-Control-Allow-Origin", ctx.get("Origin"));
  ctx.set("Access-Control-Allow-Credentials", "true");
  await next();
});

// === vulnerable: regular expression that matches every origin
import express from "express";
import cors from "cors";

const app = express();
const corsOptions = { origin: /.*/, credentials: true };
app.use("/api", cors(corsOptions));

// === vulnerable: suffix check in the callback
import express from "express";
import cors from "cors";

const app = express();
app.use(
  cors({
    credentials: true,
    origin(origin, cb) {
      if (origin && origin.endsWith("example.com")) cb(null, true);
      else cb(new Error("not allowed"));
    },
  }),
);

// === vulnerable: null origin allowed with credentials
import express from "express";

const app = express();

app.get("/account", (req, res) => {
  res.set({
    "Access-Control-Allow-Origin": "null",
    "Access-Control-Allow-Credentials": "true",
  });
  res.json({ owner: "me" });
});

// === vulnerable: socket.io origin reflection
import { createServer } from "http";
import { Server } from "socket.io";

const httpServer = createServer();
const io = new Server(httpServer, { cors: { origin: true, credentials: true } });
io.on("connection", (socket) => socket.emit("hello"));
httpServer.listen(3000);

// === vulnerable: next route handler echoing the origin
import { NextRequest, NextResponse } from "next/server";

export async function GET(request: NextRequest) {
  const origin = request.headers.get("origin") ?? "";
  return NextResponse.json(
    { ok: true },
    { headers: { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" } },
  );
}

// === safe: cors with a list
import express from "express";
import cors from "cors";

const app = express();
app.use(cors({ origin: ["https://app.example.com", "https://admin.example.com"], credentials: true }));

// === safe: callback with an allow-list
import express from "express";
import cors from "cors";

const app = express();
const trusted = new Set(["https://app.example.com"]);

app.use(
  cors({
    origin: (origin, callback) => {
      if (origin && trusted.has(origin)) callback(null, true);
      else callback(new Error("Not allowed by CORS"));
    },
    credentials: true,
  }),
);

// === safe: constant header
import express from "express";

const app = express();

app.use((req, res, next) => {
  res.header("Access-Control-Allow-Origin", "https://app.example.com");
  res.header("Access-Control-Allow-Credentials", "true");
  next();
});

// === safe: membership test before echoing
import http from "http";

const ALLOWED = ["https://app.example.com", "https://shop.example.com"];

http
  .createServer((req, res) => {
    const origin = req.headers.origin;
    if (origin && ALLOWED.includes(origin)) {
      res.setHeader("Access-Control-Allow-Origin", origin);
      res.setHeader("Access-Control-Allow-Credentials", "true");
      res.setHeader("Vary", "Origin");
    }
    res.end("{}");
  })
  .listen(3000);

// === safe: fastify cors with one origin
import Fastify from "fastify";
import cors from "@fastify/cors";

const server = Fastify();
await server.register(cors, { origin: "https://app.example.com", credentials: true });

// === safe: nest enableCors from the environment
import { NestFactory } from "@nestjs/core";
import { AppModule } from "./app.module";

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.enableCors({ origin: process.env.WEB_ORIGIN, credentials: true });
  await app.listen(3000);
}

bootstrap();

// === safe: anchored regular expression
import express from "express";
import cors from "cors";

const app = express();
app.use(cors({ origin: /^https:\/\/([a-z0-9-]+\.)?example\.com$/, credentials: true }));

// === safe: cors switched off
import express from "express";
import cors from "cors";

const app = express();
app.use(cors({ origin: false }));

// === safe: origin true of a chart option
const chart = {
  origin: true,
  credentials: true,
  series: [1, 2, 3],
};

export function render(target: HTMLElement) {
  target.dataset.chart = JSON.stringify(chart);
}

// === safe: socket.io with a named origin
import { createServer } from "http";
import { Server } from "socket.io";

const httpServer = createServer();
const io = new Server(httpServer, { cors: { origin: "https://app.example.com", credentials: true } });
io.on("connection", (socket) => socket.emit("hello"));
httpServer.listen(3000);
