// === vulnerable: util.format with a query value as the format
import express from "express";
import util from "node:util";

const app = express();

app.get("/greet", (req, res) => {
  const layout = String(req.query.layout);
  res.json({ text: util.format(layout, "Ada", process.version) });
});

// === vulnerable: console.error prefix template with a further argument
import express from "express";
import { load } from "./store";

const app = express();

app.get("/items/:name", async (req, res) => {
  try {
    res.json(await load(req.params.name));
  } catch (error) {
    console.error(`could not load ${req.params.name}`, error);
    res.sendStatus(500);
  }
});

// === vulnerable: console.log concatenation with an object
import Koa from "koa";

const app = new Koa();

app.use(async (ctx) => {
  const user = ctx.query.user;
  console.log("login of " + user, { at: Date.now(), ip: ctx.ip });
  ctx.status = 204;
});

// === vulnerable: sprintf-js with body format
import express from "express";
import { sprintf } from "sprintf-js";

const app = express();
app.use(express.json());

app.post("/label", (req, res) => {
  const { pattern } = req.body;
  res.json({ label: sprintf(pattern, { name: "Ada", key: "k-1" }) });
});

// === vulnerable: named format import through a helper
import Fastify from "fastify";
import { format as fmt } from "util";

const fastify = Fastify();

function line(layout: string, value: number): string {
  return fmt("[app] " + layout, value);
}

fastify.post("/line", async (request) => {
  const body = request.body as { layout: string };
  return { line: line(body.layout, 42) };
});

// === vulnerable: console.warn of joined text with a further argument in next
import { NextRequest, NextResponse } from "next/server";

export async function GET(request: NextRequest) {
  const source = request.nextUrl.searchParams.get("source");
  const message = ["import from", source].join(" ");
  console.warn(message, new Date());
  return NextResponse.json({ ok: true });
}

// === vulnerable: class method with console.info
import express from "express";

class Audit {
  private label = "";
  start(label: string) {
    this.label = "audit " + label;
  }
  write(count: number) {
    console.info(this.label, count);
  }
}

const app = express();
app.get("/audit", (req, res) => {
  const audit = new Audit();
  audit.start(req.query.label as string);
  audit.write(3);
  res.end();
});

// === vulnerable (js): util.inspect companion formatWithOptions
const http = require("http");
const { formatWithOptions } = require("util");

http
  .createServer((req, res) => {
    const url = new URL(req.url, "http://localhost");
    let layout = url.searchParams.get("layout");
    layout = layout + " (%d)";
    res.setHeader("Content-Type", "text/plain");
    res.end(formatWithOptions({ colors: false }, layout, process.uptime()));
  })
  .listen(8080);

// === vulnerable: vsprintf with argument array
import express from "express";
import * as printf from "sprintf-js";

const app = express();

app.get("/row", (req, res) => {
  const options = { layout: req.query.layout as string };
  const cells = ["a", "b", "c"];
  res.json({ row: printf.vsprintf(options.layout, cells) });
});

// === safe: util.format with a constant format
import express from "express";
import util from "node:util";

const app = express();

app.get("/greet", (req, res) => {
  const name = String(req.query.name);
  res.json({ text: util.format("Hello %s, this is %s", name, process.version) });
});

// === safe: console.error with %s and encoded value
import express from "express";
import { load } from "./store";

const app = express();

app.get("/items/:name", async (req, res) => {
  try {
    res.json(await load(req.params.name));
  } catch (error) {
    console.error("could not load %s", JSON.stringify(req.params.name), error);
    res.sendStatus(500);
  }
});

// === safe: console.log single argument
import Koa from "koa";

const app = new Koa();

app.use(async (ctx) => {
  const user = encodeURIComponent(String(ctx.query.user));
  console.log("login of " + user);
  ctx.status = 204;
});

// === safe: sprintf with a constant pattern
import express from "express";
import { sprintf } from "sprintf-js";

const app = express();
app.use(express.json());

app.post("/label", (req, res) => {
  const { name } = req.body;
  res.json({ label: sprintf("%-20s|", String(name)) });
});

// === safe: format method of a date library object
import Fastify from "fastify";

const fastify = Fastify();
const money = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });

fastify.get("/price/:amount", async (request) => {
  const { amount } = request.params as { amount: string };
  return { price: money.format(Number(amount)) };
});

// === safe: layout from a constant map
import express from "express";
import { format } from "util";

const LAYOUTS = new Map([["short", "%s"], ["long", "%s (%d)"]]);
const app = express();

app.get("/line", (req, res) => {
  const layout = LAYOUTS.get(String(req.query.layout)) ?? "%s";
  res.json({ line: format(layout, "Ada", 42) });
});

// === safe: template literal without further arguments
import { NextRequest, NextResponse } from "next/server";

export async function GET(request: NextRequest) {
  const source = request.nextUrl.searchParams.get("source") ?? "";
  const message = `import from ${source} at ${new Date().toISOString()}`;
  return NextResponse.json({ message });
}

// === safe: numeric prefix and further argument
import express from "express";

const app = express();

app.get("/audit/:id", (req, res) => {
  const id = Number(req.params.id);
  console.info("audit " + id, { started: true });
  res.end();
});
