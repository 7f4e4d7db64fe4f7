// === vulnerable: eval of an express query value
import express from "express";

const app = express();

app.get("/calc", (req, res) => {
  const result = eval(String(req.query.expr));
  res.json({ result });
});

// === vulnerable: new Function with a body field
import express from "express";

const app = express();
app.use(express.json());

app.post("/filter", (req, res) => {
  const { condition } = req.body;
  const keep = new Function("row", `return ${condition};`);
  const rows = [{ price: 3 }, { price: 9 }];
  res.json(rows.filter((row) => keep(row)));
});

// === vulnerable: vm.runInNewContext in koa
import Koa from "koa";
import bodyParser from "koa-bodyparser";
import vm from "node:vm";

const app = new Koa();
app.use(bodyParser());

app.use(async (ctx) => {
  const body = ctx.request.body as { script: string };
  const sandbox = { total: 0 };
  vm.runInNewContext(body.script, sandbox);
  ctx.body = sandbox;
});

// === vulnerable: vm.Script class with aliased import
import { Script as VmScript, createContext } from "vm";
import Fastify from "fastify";

const fastify = Fastify();

fastify.post("/rules", async (request) => {
  const source = (request.body as any).rule as string;
  const script = new VmScript("result = " + source);
  const context = createContext({ result: null });
  script.runInContext(context);
  return { result: context.result };
});

// === vulnerable: setTimeout with a string from location search
const params = new URLSearchParams(window.location.search);
const callback = params.get("onready");

function schedule(name: string | null) {
  const code = name + "()";
  window.setTimeout(code, 100);
}

schedule(callback);

// === vulnerable: message event data evaluated
type Packet = { kind: string; code: string };

window.addEventListener("message", (event: MessageEvent<Packet>) => {
  const { kind, code } = event.data;
  if (kind === "run") {
    const output = window.eval(code);
    console.log(typeof output);
  }
});

// === vulnerable: indirect eval through an alias
import { NextRequest, NextResponse } from "next/server";

const evaluate = eval;

export async function POST(request: NextRequest) {
  const body = await request.json();
  const value = evaluate("(" + body.formula + ")");
  return NextResponse.json({ value });
}

// === vulnerable: dynamic import of a client supplied module path
import { Controller, Get, Param } from "@nestjs/common";

@Controller("plugins")
export class PluginsController {
  @Get(":name")
  async run(@Param("name") name: string) {
    const plugin = await import(name);
    return plugin.default();
  }
}

// === vulnerable (js): require with a query value
const express = require("express");

const app = express();

app.get("/render", (req, res) => {
  const engineName = req.query.engine;
  const engine = require(engineName);
  res.send(engine.render("index"));
});

// === vulnerable: class method compiles a formula
import express from "express";

class Formula {
  private readonly compiled: Function;
  constructor(text: string) {
    this.compiled = Function("x", "return " + text);
  }
  at(x: number) {
    return this.compiled(x);
  }
}

const app = express();
app.get("/plot/:formula", (req, res) => {
  const formula = new Formula(req.params.formula);
  res.json([0, 1, 2].map((x) => formula.at(x)));
});

// === safe: JSON.parse of the query value
import express from "express";

const app = express();

app.get("/list", (req, res) => {
  const items = JSON.parse(String(req.query.items ?? "[]"));
  res.json({ count: items.length });
});

// === safe: table of functions
import express from "express";

const OPS = new Map<string, (a: number, b: number) => number>([
  ["add", (a, b) => a + b],
  ["mul", (a, b) => a * b],
]);
const app = express();

app.get("/calc/:op", (req, res) => {
  const op = OPS.get(req.params.op);
  if (!op) return res.sendStatus(404);
  return res.json({ result: op(Number(req.query.a), Number(req.query.b)) });
});

// === safe: setTimeout with a function
import express from "express";

const app = express();

app.get("/later", (req, res) => {
  const text = String(req.query.text);
  setTimeout(() => res.json({ text }), 100);
});

// === safe: eval command of a redis client with constant script
import express from "express";
import { createClient } from "redis";

const redis = createClient();
const app = express();
const SCRIPT = "return redis.call('INCR', KEYS[1])";

app.post("/hit/:page", async (req, res) => {
  const count = await redis.eval(SCRIPT, { keys: ["hits:" + req.params.page] });
  res.json({ count });
});

// === safe: new Function with constant code
import express from "express";

const getGlobal = new Function("return this");
const app = express();

app.get("/globals", (req, res) => {
  const wanted = String(req.query.name);
  res.json({ defined: Object.keys(getGlobal()).includes(wanted) });
});

// === safe: mathjs style parser on a custom calculator
import express from "express";

class Calculator {
  eval(text: string): number {
    return text.split("+").map(Number).reduce((a, b) => a + b, 0);
  }
}

const app = express();
const calculator = new Calculator();

app.get("/sum", (req, res) => {
  res.json({ sum: calculator.eval(String(req.query.expr)) });
});

// === safe: dynamic import from a constant list
import { Controller, Get, NotFoundException, Param } from "@nestjs/common";

const LOADERS: Record<string, () => Promise<any>> = {
  csv: () => import("./exporters/csv"),
  pdf: () => import("./exporters/pdf"),
};

@Controller("export")
export class ExportController {
  @Get(":format")
  async run(@Param("format") format: string) {
    if (!Object.hasOwn(LOADERS, format)) throw new NotFoundException();
    return (await LOADERS[format]()).default();
  }
}

// === safe: message data handled by a switch
window.addEventListener("message", (event) => {
  if (event.origin !== "https://app.example.com") return;
  switch (event.data.kind) {
    case "reload":
      window.location.reload();
      break;
    case "scroll":
      window.scrollTo(0, Number(event.data.top));
      break;
  }
});

// === safe: vm script constant with input passed as data
import Fastify from "fastify";
import vm from "node:vm";

const fastify = Fastify();
const script = new vm.Script("total = prices.reduce((a, b) => a + b, 0)");

fastify.post("/total", async (request) => {
  const { prices } = request.body as { prices: number[] };
  const context = vm.createContext({ prices: prices.map(Number), total: 0 });
  script.runInContext(context);
  return { total: context.total };
});
