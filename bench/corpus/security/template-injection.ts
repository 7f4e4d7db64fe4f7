// === vulnerable: ejs.render with a concatenated query value
import express from "express";
import ejs from "ejs";

const app = express();

app.get("/hello", (req, res) => {
  const html = ejs.render("<h1>Hello " + req.query.name + "</h1>", { site: "shop" });
  res.send(html);
});

// === vulnerable: pug.compile of a posted template
import express from "express";
import pug from "pug";

const app = express();
app.use(express.urlencoded({ extended: true }));

app.post("/preview", (req, res) => {
  const source: string = req.body.template;
  const template = pug.compile(source);
  res.send(template({ user: "Ada" }));
});

// === vulnerable: Handlebars.compile with a template literal
import Koa from "koa";
import Handlebars from "handlebars";

const app = new Koa();

app.use(async (ctx) => {
  const greeting = ctx.query.greeting;
  const template = Handlebars.compile(`<p>${greeting}, {{user}}</p>`);
  ctx.body = template({ user: "guest" });
});

// === vulnerable: nunjucks.renderString in fastify
import Fastify from "fastify";
import nunjucks from "nunjucks";

const fastify = Fastify();

fastify.post("/mail", async (request, reply) => {
  const { layout, name } = request.body as { layout: string; name: string };
  const html = nunjucks.renderString(layout, { name });
  return reply.type("text/html").send(html);
});

// === vulnerable: lodash template from a request header
import express from "express";
import _ from "lodash";

const app = express();

app.get("/banner", (req, res) => {
  const pattern = req.header("x-banner") ?? "";
  const compiled = _.template("<b>" + pattern + "</b>");
  res.send(compiled({ day: "Monday" }));
});

// === vulnerable: doT template through a helper function
import express from "express";
import doT from "dot";

const app = express();

function page(title: string): string {
  const parts = ["<html><head><title>", title, "</title></head><body>{{=it.body}}</body></html>"];
  return doT.template(parts.join(""))({ body: "welcome" });
}

app.get("/page/:title", (req, res) => {
  res.send(page(req.params.title));
});

// === vulnerable: pug.render aliased import in a next api route
import type { NextApiRequest, NextApiResponse } from "next";
import { render as renderPug } from "pug";

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const heading = req.query.heading as string;
  const source = `h1 ${heading}\np Welcome`;
  res.setHeader("Content-Type", "text/html");
  res.send(renderPug(source));
}

// === vulnerable: nest service compiles ejs from the body
import { Body, Controller, Injectable, Post } from "@nestjs/common";
import * as ejs from "ejs";

@Injectable()
export class Renderer {
  compile(source: string) {
    return ejs.compile(source, { async: false });
  }
}

@Controller("preview")
export class PreviewController {
  constructor(private readonly renderer: Renderer) {}
  @Post()
  preview(@Body() body: { source: string }) {
    return this.renderer.compile(body.source)({ user: "Ada" });
  }
}

// === vulnerable (js): nunjucks Environment renderString reassigned source
const express = require("express");
const nunjucks = require("nunjucks");

const env = new nunjucks.Environment(null, { autoescape: true });
const app = express();

app.get("/greet", (req, res) => {
  let source = "<p>{{ user }}</p>";
  if (req.query.footer) {
    source = source + "<footer>" + req.query.footer + "</footer>";
  }
  res.send(env.renderString(source, { user: "guest" }));
});

// === safe: ejs.render with a constant template and data
import express from "express";
import ejs from "ejs";

const app = express();

app.get("/hello", (req, res) => {
  const html = ejs.render("<h1>Hello <%= name %></h1>", { name: req.query.name });
  res.send(html);
});

// === safe: res.render of a fixed view
import express from "express";

const app = express();
app.set("view engine", "pug");
app.use(express.urlencoded({ extended: true }));

app.post("/preview", (req, res) => {
  res.render("preview", { body: String(req.body.body), user: "Ada" });
});

// === safe: Handlebars template compiled once from a constant
import Koa from "koa";
import Handlebars from "handlebars";

const app = new Koa();
const template = Handlebars.compile("<p>{{greeting}}, {{user}}</p>");

app.use(async (ctx) => {
  ctx.body = template({ greeting: ctx.query.greeting, user: "guest" });
});

// === safe: nunjucks autoescape file render
import Fastify from "fastify";
import nunjucks from "nunjucks";

nunjucks.configure("views", { autoescape: true });
const fastify = Fastify();

fastify.post("/mail", async (request, reply) => {
  const { name } = request.body as { name: string };
  return reply.type("text/html").send(nunjucks.render("mail.njk", { name }));
});

// === safe: layout picked from a constant record
import express from "express";
import Handlebars from "handlebars";

const LAYOUTS = new Map([
  ["card", "<div>{{title}}</div>"],
  ["row", "<tr><td>{{title}}</td></tr>"],
]);
const app = express();

app.get("/layout", (req, res) => {
  const source = LAYOUTS.get(String(req.query.kind));
  if (!source) return res.sendStatus(404);
  return res.send(Handlebars.compile(source)({ title: req.query.title }));
});

// === safe: template read from disk with a constant name
import express from "express";
import ejs from "ejs";
import { readFileSync } from "node:fs";

const source = readFileSync("views/invoice.ejs", "utf8");
const invoice = ejs.compile(source);
const app = express();

app.get("/invoice/:id", (req, res) => {
  res.send(invoice({ id: Number(req.params.id) }));
});

// === safe: compile method of an unrelated query planner
import express from "express";

class Planner {
  compile(text: string): string[] {
    return text.split(/\s+/).filter(Boolean);
  }
}

const planner = new Planner();
const app = express();

app.get("/plan", (req, res) => {
  res.json({ steps: planner.compile("scan " + req.query.text) });
});

// === safe: pug renderFile with locals
import type { NextApiRequest, NextApiResponse } from "next";
import { renderFile } from "pug";

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const heading = String(req.query.heading);
  res.setHeader("Content-Type", "text/html");
  res.send(renderFile("views/heading.pug", { heading }));
}

// === safe: lodash template constant with escape delimiter
import express from "express";
import template from "lodash/template";

const banner = template("<b><%- text %></b>");
const app = express();

app.get("/banner", (req, res) => {
  res.send(banner({ text: String(req.query.text) }));
});
