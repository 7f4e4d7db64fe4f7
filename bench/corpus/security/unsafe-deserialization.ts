// === vulnerable: node-serialize of a cookie
import express from "express";
import cookieParser from "cookie-parser";
import serialize from "node-serialize";

const app = express();
app.use(cookieParser());

app.get("/", (req, res) => {
  const profile = serialize.unserialize(Buffer.from(req.cookies.profile, "base64").toString());
  res.send("Hello " + profile.name);
});

// === vulnerable (js): commonjs node-serialize with destructured function
const express = require("express");
const { unserialize } = require("node-serialize");
const app = express();
app.use(express.json());

app.post("/state", (req, res) => {
  const { state } = req.body;
  const restored = unserialize(state);
  res.json(Object.keys(restored));
});

// === vulnerable: vm.runInNewContext of a body
import express from "express";
import vm from "node:vm";

const app = express();
app.use(express.text());

app.post("/decode", (req, res) => {
  const value = vm.runInNewContext("(" + req.body + ")");
  res.json(value);
});

// === vulnerable: vm.Script built from a query value
import Koa from "koa";
import { Script, createContext } from "vm";

const app = new Koa();

app.use(async (ctx) => {
  const expression = ctx.query.expr as string;
  const script = new Script(`result = ${expression}`);
  const sandbox: Record<string, unknown> = createContext({ result: null });
  script.runInContext(sandbox);
  ctx.body = sandbox.result;
});

// === vulnerable: js-yaml with the full schema
import express from "express";
import yaml from "js-yaml";

const app = express();
app.use(express.text({ type: "*/*" }));

app.post("/config", (req, res) => {
  const doc = yaml.load(req.body, { schema: (yaml as any).DEFAULT_FULL_SCHEMA });
  res.json(doc);
});

// === vulnerable: js-yaml with the js-types schema extension
import Fastify from "fastify";
import yaml from "js-yaml";
import unsafe from "js-yaml-js-types";

const server = Fastify();
const schema = yaml.DEFAULT_SCHEMA.extend(unsafe.all);

server.post("/rules", async (request) => {
  const text = request.body as string;
  return yaml.load(text, { schema });
});

// === vulnerable: serialize-to-js deserialize
import express from "express";
import { deserialize } from "serialize-to-js";

const app = express();

app.get("/filter", (req, res) => {
  const saved = String(req.query.saved);
  res.json(deserialize(saved));
});

// === vulnerable: funcster deepDeserialize
import express from "express";
import funcster from "funcster";

const app = express();

app.post("/plugin", express.json(), (req, res) => {
  const plugin = funcster.deepDeserialize(req.body);
  res.json({ name: plugin.name });
});

// === vulnerable: cryo parse in a next handler
import type { NextApiRequest, NextApiResponse } from "next";
import Cryo from "cryo";

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const snapshot = Cryo.parse(req.body.snapshot);
  res.status(200).json({ size: Object.keys(snapshot).length });
}

// === vulnerable: helper around vm.runInThisContext
import http from "http";
import * as vm from "vm";

function revive(text: string): unknown {
  return vm.runInThisContext(text);
}

http
  .createServer((req, res) => {
    let body = "";
    req.on("data", (chunk) => (body += chunk));
    req.on("end", () => res.end(String(revive(body))));
  })
  .listen(8000);

// === vulnerable: compileFunction of a websocket message
import { WebSocketServer } from "ws";
import vm from "vm";

const wss = new WebSocketServer({ port: 8081 });

wss.on("connection", (socket) => {
  socket.on("message", (data) => {
    const fn = vm.compileFunction("return " + data.toString());
    socket.send(JSON.stringify(fn()));
  });
});

// === safe: JSON.parse of a cookie
import express from "express";
import cookieParser from "cookie-parser";

const app = express();
app.use(cookieParser());

app.get("/", (req, res) => {
  const profile = JSON.parse(Buffer.from(req.cookies.profile, "base64").toString());
  res.json({ hello: String(profile.name) });
});

// === safe: js-yaml load with its default schema
import express from "express";
import yaml from "js-yaml";

const app = express();
app.use(express.text({ type: "*/*" }));

app.post("/config", (req, res) => {
  res.json(yaml.load(req.body));
});

// === safe: js-yaml json schema
import Fastify from "fastify";
import yaml from "js-yaml";

const server = Fastify();

server.post("/rules", async (request) => {
  return yaml.load(request.body as string, { schema: yaml.JSON_SCHEMA });
});

// === safe: yaml package parse
import express from "express";
import { parse } from "yaml";

const app = express();

app.post("/pipeline", express.text(), (req, res) => {
  res.json(parse(req.body));
});

// === safe: node-serialize only serialises
import express from "express";
import serialize from "node-serialize";

const app = express();

app.get("/export", (req, res) => {
  res.send(serialize.serialize({ query: String(req.query.q), at: Date.now() }));
});

// === safe: vm script with a constant source
import express from "express";
import vm from "node:vm";

const app = express();
const script = new vm.Script("total = items.length");

app.post("/count", express.json(), (req, res) => {
  const context: { items: unknown[]; total: number } = { items: req.body.items, total: 0 };
  vm.createContext(context);
  script.runInContext(context);
  res.json({ total: context.total });
});

// === safe: zod validated json
import express from "express";
import { z } from "zod";

const app = express();
const State = z.object({ page: z.number().int(), sort: z.enum(["asc", "desc"]) });

app.post("/state", express.json(), (req, res) => {
  const state = State.parse(req.body);
  res.json(state);
});

// === safe: deserialize method of an own class
import express from "express";

const app = express();

class PointCodec {
  deserialize(text: string) {
    const [x, y] = text.split(",").map(Number);
    return { x, y };
  }
}

const codec = new PointCodec();
app.get("/point", (req, res) => {
  res.json(codec.deserialize(String(req.query.p)));
});

// === safe: passport session functions
import passport from "passport";

const users = new Map<string, { id: string; name: string }>();

passport.serializeUser((user: any, done) => done(null, user.id));
passport.deserializeUser((id: string, done) => {
  done(null, users.get(id) ?? false);
});

// === safe: Object named vm that is a view model
import express from "express";

const app = express();

const vm = {
  rendered: [] as string[],
  runInContext(label: string) {
    this.rendered.push(label);
    return this.rendered.length;
  },
};

app.get("/label", (req, res) => {
  res.json({ count: vm.runInContext(String(req.query.label)) });
});

// === safe: qs and URLSearchParams parsing
import http from "http";
import qs from "qs";

http
  .createServer((req, res) => {
    const query = new URL(req.url!, "http://localhost").search.slice(1);
    res.end(JSON.stringify(qs.parse(query)));
  })
  .listen(8000);
