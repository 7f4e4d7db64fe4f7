// === vulnerable: recursive merge of the express body
import express from "express";

function merge(target: any, source: any): any {
  for (const key in source) {
    if (typeof source[key] === "object" && typeof target[key] === "object") {
      merge(target[key], source[key]);
    } else {
      target[key] = source[key];
    }
  }
  return target;
}

const app = express();
app.use(express.json());
app.post("/settings", (req, res) => res.json(merge({ theme: {} }, req.body)));

// === vulnerable: two level assignment with body keys
import express from "express";

const settings: Record<string, any> = { mail: {}, theme: {} };
const app = express();
app.use(express.json());

app.put("/settings", (req, res) => {
  const { section, key, value } = req.body;
  settings[section][key] = value;
  res.sendStatus(204);
});

// === vulnerable: dotted path setter in koa
import Koa from "koa";
import bodyParser from "koa-bodyparser";

function setPath(object: any, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop()!;
  let current = object;
  for (const key of keys) {
    current = current[key] = current[key] ?? {};
  }
  current[last] = value;
}

const config = {};
const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  const body = ctx.request.body as any;
  setPath(config, body.path, body.value);
  ctx.status = 204;
});

// === vulnerable: Object.keys forEach merge in fastify
import Fastify from "fastify";

const isObject = (v: unknown) => v !== null && typeof v === "object";

const deepExtend = (target: any, source: any) => {
  Object.keys(source).forEach((key) => {
    if (isObject(source[key])) {
      if (!target[key]) target[key] = {};
      deepExtend(target[key], source[key]);
    } else {
      target[key] = source[key];
    }
  });
  return target;
};

const fastify = Fastify();
fastify.post("/profile", async (request) => deepExtend({}, JSON.parse(request.body as string)));

// === vulnerable: query string parser in the browser
function parseQuery(search: string): Record<string, any> {
  const result: Record<string, any> = {};
  for (const pair of search.slice(1).split("&")) {
    const [name, value] = pair.split("=").map(decodeURIComponent);
    const [outer, inner] = name.replace("]", "").split("[");
    if (inner) {
      result[outer] = result[outer] || {};
      result[outer][inner] = value;
    } else {
      result[outer] = value;
    }
  }
  return result;
}

console.log(Object.keys(parseQuery(window.location.search)).length);

// === vulnerable: message event merged into the state
const state: any = { user: {}, view: {} };

function assignDeep(to: any, from: any) {
  for (const [key, value] of Object.entries(from)) {
    if (value && typeof value === "object" && to[key]) {
      assignDeep(to[key], value);
    } else {
      to[key] = value;
    }
  }
}

window.addEventListener("message", (event) => {
  assignDeep(state, JSON.parse(event.data));
});

// === vulnerable: reduce based setter with a route parameter
import express from "express";

const store: any = {};
const app = express();
app.use(express.json());

app.put("/store/:path", (req, res) => {
  const keys = req.params.path.split(".");
  keys.reduce((node: any, key, i) => {
    if (i === keys.length - 1) {
      node[key] = req.body.value;
    } else {
      node[key] = node[key] || {};
    }
    return node[key];
  }, store);
  res.end();
});

// === vulnerable: class method with nested member assignment
import { Body, Controller, Put } from "@nestjs/common";

class Preferences {
  private readonly values: any = {};
  set(group: string, name: string, value: unknown) {
    if (!this.values[group]) {
      this.values[group] = {};
    }
    this.values[group][name] = value;
  }
}

const preferences = new Preferences();

@Controller("preferences")
export class PreferencesController {
  @Put()
  update(@Body() body: { group: string; name: string; value: unknown }) {
    preferences.set(body.group, body.name, body.value);
  }
}

// === vulnerable: intermediate variable holds the nested object
import { NextResponse } from "next/server";

const counters: Record<string, Record<string, unknown>> = {};

export async function POST(request: Request) {
  const input = await request.json();
  const bucket = counters[input.bucket] ?? (counters[input.bucket] = {});
  bucket[input.name] = input.value;
  return NextResponse.json({ ok: true });
}

// === vulnerable (js): only __proto__ is compared but constructor is allowed
const express = require("express");

function extend(dst, src) {
  for (const key of Object.keys(src)) {
    if (key === "__proto__") continue;
    if (src[key] && typeof src[key] === "object") {
      dst[key] = dst[key] || {};
      extend(dst[key], src[key]);
    } else {
      dst[key] = src[key];
    }
  }
  return dst;
}

const app = express();
app.use(express.json());
app.post("/extend", (req, res) => res.json(extend({}, req.body)));

// === vulnerable: deep clone of parsed socket data
import { WebSocketServer } from "ws";

function deepMerge(a: any, b: any): any {
  for (const k of Object.keys(b)) {
    a[k] = typeof b[k] === "object" && typeof a[k] === "object" ? deepMerge(a[k], b[k]) : b[k];
  }
  return a;
}

const shared = { players: {}, board: {} };
new WebSocketServer({ port: 8080 }).on("connection", (socket) => {
  socket.on("message", (data) => {
    deepMerge(shared, JSON.parse(data.toString()));
  });
});

// === vulnerable: translations set by language and key from the query
import express from "express";

const translations: any = { en: {}, de: {} };
const app = express();

app.post("/translate", (req, res) => {
  const lang = req.query.lang as string;
  const key = req.query.key as string;
  const text = req.query.text as string;
  const table = translations[lang];
  table[key] = text;
  res.json({ count: Object.keys(table).length });
});

// === vulnerable: stack based merge without recursion
import express from "express";

function mergeAll(target: any, source: any) {
  const stack = [{ target, source }];
  while (stack.length > 0) {
    const step = stack.pop()!;
    for (const key of Object.keys(step.source)) {
      const value = step.source[key];
      if (value && typeof value === "object") {
        step.target[key] ??= {};
        stack.push({ target: step.target[key], source: value });
      } else step.target[key] = value;
    }
  }
}

const app = express();
app.use(express.json());
app.patch("/config", (req, res) => {
  mergeAll(app.locals.config, req.body);
  res.end();
});

// === vulnerable: electron ipc path array
import { ipcMain } from "electron";

const config: any = { window: { width: 800 } };

ipcMain.handle("config:set", (_event, path: string[], value: unknown) => {
  let node = config;
  for (let i = 0; i < path.length - 1; i++) {
    node = node[path[i]];
  }
  node[path[path.length - 1]] = value;
  return true;
});

// === vulnerable: bracket assignment with keys from the hash
const options: any = { chart: {} };

function applyHash(): void {
  const [path, value] = location.hash.slice(1).split("=");
  const parts = path.split("/");
  options[parts[0]][parts[1]] = value;
}

window.addEventListener("hashchange", applyHash);
applyHash();

// === vulnerable: json body of node http in an aliased merge function
import http from "node:http";

const combine = function (base: any, extra: any) {
  for (const name in extra) {
    if (typeof base[name] === "object" && typeof extra[name] === "object") combine(base[name], extra[name]);
    else base[name] = extra[name];
  }
  return base;
};
const apply = combine;

http
  .createServer((req, res) => {
    let body = "";
    req.on("data", (chunk) => (body += chunk));
    req.on("end", () => res.end(JSON.stringify(apply({ a: {} }, JSON.parse(body)))));
  })
  .listen(8080);

// === safe: merge rejects the three dangerous keys
import express from "express";

const BLOCKED = new Set(["__proto__", "constructor", "prototype"]);

function merge(target: any, source: any): any {
  for (const key of Object.keys(source)) {
    if (BLOCKED.has(key)) continue;
    if (typeof source[key] === "object" && typeof target[key] === "object") {
      merge(target[key], source[key]);
    } else {
      target[key] = source[key];
    }
  }
  return target;
}

const app = express();
app.use(express.json());
app.post("/settings", (req, res) => res.json(merge({ theme: {} }, req.body)));

// === safe: allow-listed section and key
import express from "express";

const settings: Record<string, any> = { mail: {}, theme: {} };
const SECTIONS = ["mail", "theme"];
const KEYS = ["color", "size"];
const app = express();
app.use(express.json());

app.put("/settings", (req, res) => {
  const { section, key, value } = req.body;
  if (!SECTIONS.includes(section) || !KEYS.includes(key)) return res.sendStatus(400);
  settings[section][key] = value;
  return res.sendStatus(204);
});

// === safe: nested Map
import express from "express";

const settings = new Map<string, Map<string, unknown>>();
const app = express();
app.use(express.json());

app.put("/settings", (req, res) => {
  const { section, key, value } = req.body;
  const group = settings.get(section) ?? new Map<string, unknown>();
  group.set(key, value);
  settings.set(section, group);
  res.sendStatus(204);
});

// === safe: null prototype objects at both levels
import { NextResponse } from "next/server";

const counters: Record<string, Record<string, unknown>> = Object.create(null);

export async function POST(request: Request) {
  const input = await request.json();
  if (!counters[input.bucket]) {
    counters[input.bucket] = Object.create(null);
  }
  counters[input.bucket][input.name] = input.value;
  return NextResponse.json({ ok: true });
}

// === safe: path setter with a guard that throws
import Koa from "koa";
import bodyParser from "koa-bodyparser";

function setPath(object: any, path: string, value: unknown): void {
  const keys = path.split(".");
  if (keys.some((k) => k === "__proto__" || k === "constructor" || k === "prototype")) {
    throw new Error("invalid path");
  }
  const last = keys.pop()!;
  const parent = keys.reduce((node, key) => (node[key] ??= {}), object);
  parent[last] = value;
}

const config = {};
const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  const body = ctx.request.body as any;
  setPath(config, String(body.path), body.value);
  ctx.status = 204;
});

// === safe: spread copy of the body
import Fastify from "fastify";

const defaults = { color: "red", size: 1 };
const fastify = Fastify();

fastify.post("/preview", async (request) => {
  const options = { ...defaults, ...(request.body as object) };
  return { options };
});

// === safe: constant keys only
import express from "express";

const state = { user: { name: "", mail: "" } };
const app = express();
app.use(express.json());

app.put("/user", (req, res) => {
  state["user"]["name"] = String(req.body.name);
  state.user.mail = String(req.body.mail);
  res.end();
});

// === safe: URLSearchParams in place of a nested parser
const params = new URLSearchParams(window.location.search);
const values = new Map<string, string>();

for (const [name, value] of params) {
  values.set(name, value);
}

document.title = values.get("title") ?? "Home";

// === safe: own property check on the target before descending
import { ipcMain } from "electron";

const config: any = { window: { width: 800, height: 600 } };

ipcMain.handle("config:set", (_event, group: string, name: string, value: unknown) => {
  if (!Object.hasOwn(config, group) || !Object.hasOwn(config[group], name)) {
    return false;
  }
  config[group][name] = value;
  return true;
});

// === safe: recursive merge of constant defaults
import express from "express";

function merge(target: any, source: any): any {
  for (const key in source) {
    if (typeof source[key] === "object") target[key] = merge(target[key] ?? {}, source[key]);
    else target[key] = source[key];
  }
  return target;
}

const config = merge({ log: { level: "info" } }, { log: { file: "app.log" } });
const app = express();
app.get("/level", (_req, res) => res.json({ level: config.log.level }));

// === safe: numeric indices into a matrix
import express from "express";

const board: number[][] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
const app = express();
app.use(express.json());

app.post("/move", (req, res) => {
  const row = Number(req.body.row) % 3 | 0;
  const column = Number(req.body.column) % 3 | 0;
  board[row][column] = 1;
  res.json(board);
});

// === safe: structuredClone of the body
import express from "express";

const history: unknown[] = [];
const app = express();
app.use(express.json());

app.post("/snapshot", (req, res) => {
  history.push(structuredClone(req.body));
  res.json({ length: history.length });
});

// === safe: hasOwn check on the target in the merge
import { WebSocketServer } from "ws";

function deepMerge(a: any, b: any): any {
  for (const k of Object.keys(b)) {
    if (!Object.prototype.hasOwnProperty.call(a, k)) continue;
    a[k] = typeof b[k] === "object" && typeof a[k] === "object" ? deepMerge(a[k], b[k]) : b[k];
  }
  return a;
}

const shared = { players: { count: 0 }, board: { size: 3 } };
new WebSocketServer({ port: 8080 }).on("connection", (socket) => {
  socket.on("message", (data) => deepMerge(shared, JSON.parse(data.toString())));
});

// === safe: schema validated body
import express from "express";
import { z } from "zod";

const settings = { mail: { from: "" }, theme: { from: "" } };
const Change = z.object({ section: z.enum(["mail", "theme"]), key: z.literal("from"), value: z.string() });
const app = express();
app.use(express.json());

app.put("/settings", (req, res) => {
  const { section, key, value } = Change.parse(req.body);
  settings[section][key] = value;
  res.sendStatus(204);
});

// === safe: JSON reviver drops the dangerous keys before merging
import http from "node:http";

const BAD = ["__proto__", "constructor", "prototype"];
const parse = (text: string) => JSON.parse(text, (key, value) => (BAD.includes(key) ? undefined : value));

function combine(base: any, extra: any): any {
  for (const name of Object.keys(extra)) {
    if (BAD.includes(name)) continue;
    base[name] = base[name] instanceof Object ? combine(base[name], extra[name]) : extra[name];
  }
  return base;
}

http
  .createServer((req, res) => {
    req.once("data", (chunk) => res.end(JSON.stringify(combine({ a: {} }, parse(String(chunk))))));
  })
  .listen(8080);

// === safe: prototype word in class code and strings
import express from "express";

class Prototype {
  constructor(public readonly name: string) {}
  clone(): Prototype {
    return new Prototype(this.name + " __proto__ copy");
  }
}

const app = express();
app.get("/clone", (req, res) => {
  const copy = new Prototype(String(req.query.name)).clone();
  res.json({ name: copy.name });
});
