// === vulnerable: express res.send with a query template literal
import express from "express";

const app = express();

app.get("/hello", (req, res) => {
  res.send(`<h1>Hello ${req.query.name}</h1>`);
});

app.listen(3000);

// === vulnerable: koa body with concatenation
import Koa from "koa";

const app = new Koa();

app.use(async (ctx) => {
  const term = ctx.query.q;
  ctx.type = "html";
  ctx.body = "<p>Results for <b>" + term + "</b></p>";
});

app.listen(3000);

// === vulnerable: fastify reply type html
import Fastify from "fastify";

const fastify = Fastify();

fastify.get("/greet/:name", async (request, reply) => {
  const { name } = request.params as { name: string };
  const page = ["<html><body>Hello ", name, "</body></html>"].join("");
  return reply.type("text/html").send(page);
});

// === vulnerable: node http response write
import http from "node:http";

http
  .createServer((req, res) => {
    const url = new URL(req.url ?? "/", "http://localhost");
    res.writeHead(404, { "Content-Type": "text/html" });
    res.write("<h1>Not found</h1>");
    res.end("<p>" + url.searchParams.get("page") + "</p>");
  })
  .listen(8080);

// === vulnerable: next route handler html Response
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const message = searchParams.get("message") ?? "";
  const html = `<!doctype html><body><p>${message}</p></body>`;
  return new Response(html, { headers: { "Content-Type": "text/html" } });
}

// === vulnerable: ejs unescaped output of a body field
import express from "express";
import ejs from "ejs";

const app = express();
app.use(express.urlencoded({ extended: false }));
const view = ejs.compile("<blockquote><%- comment %></blockquote>");

app.post("/preview", (req, res) => {
  res.send(view({ comment: req.body.comment }));
});

// === vulnerable: handlebars noEscape option
import express from "express";
import Handlebars from "handlebars";

const app = express();
const card = Handlebars.compile("<div>{{title}}</div>", { noEscape: true });

app.get("/card", (req, res) => {
  const html = card({ title: req.query.title });
  res.set("Content-Type", "text/html").send(html);
});

// === vulnerable: nunjucks autoescape disabled
import express from "express";
import nunjucks from "nunjucks";

const app = express();
const env = nunjucks.configure("views", { autoescape: false });

app.get("/profile/:nick", (req, res) => {
  const { nick } = req.params;
  res.send(env.renderString("<p>{{ nick }}</p>", { nick }));
});

// === vulnerable: helper layout and nest controller
import { Controller, Get, Header, Query } from "@nestjs/common";

function layout(title: string): string {
  return "<html><head><title>" + title + "</title></head></html>";
}

@Controller("page")
export class PageController {
  @Get()
  @Header("Content-Type", "text/html")
  show(@Query("title") title: string): string {
    return layout(title);
  }
}

// === vulnerable (js): incomplete escaping replaces only the first bracket
const express = require("express");

const app = express();

app.get("/echo", (req, res) => {
  let text = String(req.query.text);
  text = text.replace("<", "&lt;");
  res.status(200).send("<pre>" + text + "</pre>");
});

// === vulnerable: class member written by an async handler
import express, { Request, Response } from "express";

class ErrorPage {
  constructor(private readonly path: string) {}
  toHtml(): string {
    return `<p>Cannot open ${this.path}</p>`;
  }
}

const app = express();
app.get("/open", async (req: Request, res: Response) => {
  const page = new ErrorPage(decodeURIComponent(String(req.query.path)));
  await Promise.resolve();
  res.status(404).send(page.toHtml());
});

// === safe: escape-html in res.send
import express from "express";
import escapeHtml from "escape-html";

const app = express();

app.get("/hello", (req, res) => {
  res.send(`<h1>Hello ${escapeHtml(String(req.query.name))}</h1>`);
});

app.listen(3000);

// === safe: res.json with html looking text
import express from "express";

const app = express();

app.get("/hello", (req, res) => {
  res.json({ html: "<b>" + req.query.name + "</b>" });
});

app.listen(3000);

// === safe: plain text content type
import Fastify from "fastify";

const fastify = Fastify();

fastify.get("/echo", async (request, reply) => {
  const { text } = request.query as { text: string };
  return reply.type("text/plain").send("<pre>" + text);
});

// === safe: res.render of an autoescaping view
import express from "express";

const app = express();
app.set("view engine", "pug");

app.get("/search", (req, res) => {
  res.render("search", { term: req.query.q });
});

app.listen(3000);

// === safe: handlebars default escaping
import express from "express";
import Handlebars from "handlebars";

const app = express();
const card = Handlebars.compile("<div>{{title}}</div>");

app.get("/card", (req, res) => {
  res.send(card({ title: String(req.query.title) }));
});

// === safe: sanitize-html in koa
import Koa from "koa";
import sanitizeHtml from "sanitize-html";

const app = new Koa();

app.use(async (ctx) => {
  const bio = sanitizeHtml(String(ctx.query.bio), { allowedTags: ["b", "i"] });
  ctx.type = "html";
  ctx.body = `<section>${bio}</section>`;
});

// === safe: numeric value in markup
import express from "express";

const app = express();

app.get("/page/:n", (req, res) => {
  const page = Number.parseInt(req.params.n, 10);
  res.send(`<p>Page ${page}</p>`);
});

app.listen(3000);

// === safe: full escaping helper of the same file
import http from "node:http";

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}

http
  .createServer((req, res) => {
    const url = new URL(req.url ?? "/", "http://localhost");
    res.setHeader("Content-Type", "text/html");
    res.end("<p>" + escape(url.searchParams.get("page") ?? "") + "</p>");
  })
  .listen(8080);

// === safe: message chosen from constants
import express from "express";

const MESSAGES = new Map([["saved", "<p>Saved</p>"], ["failed", "<p>Failed</p>"]]);
const app = express();

app.get("/status", (req, res) => {
  res.send(MESSAGES.get(String(req.query.code)) ?? "<p>Unknown</p>");
});

// === safe: send method of a message queue
import express from "express";

class Outbox {
  private readonly items: string[] = [];
  send(item: string): number {
    return this.items.push(item);
  }
}

const outbox = new Outbox();
const app = express();

app.get("/queue", (req, res) => {
  const size = outbox.send("<p>" + req.query.text + "</p>");
  res.json({ size });
});

// === safe: next route handler json
import { NextResponse } from "next/server";

export async function GET(request: Request) {
  const { searchParams } = new URL(request.url);
  const message = searchParams.get("message") ?? "";
  return NextResponse.json({ message: `<p>${message}</p>` });
}
