// === vulnerable: nested quantifier tested on an express query
import express from "express";

const app = express();

app.get("/check", (req, res) => {
  const ok = /^([a-z]+)+$/.test(String(req.query.name));
  res.json({ ok });
});

// === vulnerable: new RegExp from the query string
import express from "express";

const app = express();
const lines = ["alpha beta", "gamma delta"];

app.get("/grep", (req, res) => {
  const pattern = new RegExp(req.query.pattern as string, "i");
  res.json(lines.filter((line) => pattern.test(line)));
});

// === vulnerable: email constant with overlapping group in koa
import Koa from "koa";

const EMAIL = /^([a-zA-Z0-9]+[._-]?)+@[a-z]+\.com$/;
const app = new Koa();

app.use(async (ctx) => {
  const email = String(ctx.query.email);
  ctx.body = { valid: EMAIL.exec(email) !== null };
});

// === vulnerable: match with words and optional space in fastify
import Fastify from "fastify";

const fastify = Fastify();

fastify.post("/sentence", async (request) => {
  const { text } = request.body as { text: string };
  const found = text.match(/^(\w+\s?)*\.$/);
  return { sentence: found !== null };
});

// === vulnerable: RegExp call without new and a template literal
import { NextRequest, NextResponse } from "next/server";

export async function POST(request: NextRequest) {
  const { word, text } = await request.json();
  const finder = RegExp(`\\b${word}\\b`, "g");
  return NextResponse.json({ text: text.replace(finder, "**") });
}

// === vulnerable: helper function with overlapping alternation
import express from "express";

const app = express();
app.use(express.json());

function isNumberList(text: string): boolean {
  return /^(\d+|\d+,)+$/.test(text);
}

app.post("/numbers", (req, res) => {
  const { numbers } = req.body;
  res.json({ valid: isNumberList(numbers) });
});

// === vulnerable: class field from a constant string pattern
import http from "node:http";

class TagParser {
  private readonly pattern = new RegExp("<(\\s*\\w*)*>");
  has(text: string): boolean {
    return text.search(this.pattern) >= 0;
  }
}

http
  .createServer((req, res) => {
    const url = new URL(req.url!, "http://localhost");
    const found = new TagParser().has(url.searchParams.get("text") ?? "");
    res.end(String(found));
  })
  .listen(8080);

// === vulnerable: location hash as a filter pattern in the browser
const rows = Array.from(document.querySelectorAll<HTMLElement>("tr"));

function filterRows(): void {
  const needle = decodeURIComponent(location.hash.slice(1));
  const matcher = new RegExp("^" + needle);
  for (const row of rows) {
    row.hidden = !matcher.test(row.textContent ?? "");
  }
}

window.addEventListener("hashchange", filterRows);

// === vulnerable (js): replace of a header value
const express = require("express");

const app = express();
const COMMENT = /\(((\w+;?\s?)+)+\)$/;

app.get("/agent", (req, res) => {
  const agent = req.headers["user-agent"] || "";
  res.json({ agent: agent.replace(COMMENT, "") });
});

// === safe: single quantifier test
import express from "express";

const app = express();

app.get("/check", (req, res) => {
  const ok = /^[a-z]+$/.test(String(req.query.name));
  res.json({ ok });
});

// === safe: escaped input in new RegExp
import express from "express";
import escapeStringRegexp from "escape-string-regexp";

const app = express();
const lines = ["alpha beta", "gamma delta"];

app.get("/grep", (req, res) => {
  const pattern = new RegExp(escapeStringRegexp(String(req.query.word)), "i");
  res.json(lines.filter((line) => pattern.test(line)));
});

// === safe: lodash escapeRegExp
import Koa from "koa";
import { escapeRegExp } from "lodash";

const app = new Koa();

app.use(async (ctx) => {
  const word = escapeRegExp(String(ctx.query.word));
  ctx.body = { found: new RegExp(`\\b${word}\\b`).test("alpha beta") };
});

// === safe: unambiguous slug pattern
import Fastify from "fastify";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const fastify = Fastify();

fastify.get("/posts/:slug", async (request, reply) => {
  const { slug } = request.params as { slug: string };
  if (!SLUG.test(slug)) return reply.code(400).send();
  return { slug };
});

// === safe: re2 engine
import express from "express";
import RE2 from "re2";

const app = express();
const lines = ["alpha beta", "gamma delta"];

app.get("/grep", (req, res) => {
  const pattern = new RE2(String(req.query.pattern));
  res.json(lines.filter((line) => pattern.test(line)));
});

// === safe: includes in place of a pattern
const rows = Array.from(document.querySelectorAll<HTMLElement>("tr"));

function filterRows(): void {
  const needle = decodeURIComponent(location.hash.slice(1)).toLowerCase();
  for (const row of rows) {
    row.hidden = !(row.textContent ?? "").toLowerCase().includes(needle);
  }
}

window.addEventListener("hashchange", filterRows);

// === safe: escaping helper of the same file
import { NextRequest, NextResponse } from "next/server";

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

export async function POST(request: NextRequest) {
  const { word, text } = await request.json();
  const finder = new RegExp(quote(String(word)), "g");
  return NextResponse.json({ text: String(text).replace(finder, "**") });
}

// === safe: risky looking text that is only a string
import express from "express";

const EXAMPLE = "^(a+)+$";
const app = express();

app.get("/is-example", (req, res) => {
  res.json({ same: req.query.pattern === EXAMPLE, at: EXAMPLE.indexOf("+") });
});

// === safe: fixed width groups
import express from "express";

const CARD = /^(?:\d{4} ){3}\d{4}$/;
const app = express();
app.use(express.json());

app.post("/card", (req, res) => {
  res.json({ valid: CARD.test(String(req.body.card)) });
});
