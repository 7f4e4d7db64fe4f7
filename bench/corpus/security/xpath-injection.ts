// === vulnerable: xpath.select with a template literal
import express from "express";
import xpath from "xpath";
import { DOMParser } from "@xmldom/xmldom";
import { readFileSync } from "fs";

const app = express();
const doc = new DOMParser().parseFromString(readFileSync("users.xml", "utf8"), "text/xml");

app.get("/user", (req, res) => {
  const nodes = xpath.select(`//user[name='${req.query.name}']/email/text()`, doc as any);
  res.json({ count: (nodes as Node[]).length });
});

// === vulnerable: xpath.select1 named import and concatenation
import express from "express";
import { select1 } from "xpath";
import { accounts } from "./accounts";

const router = express.Router();

router.post("/login", (req, res) => {
  const { user, pin } = req.body;
  const expression = "//account[user='" + user + "' and pin='" + pin + "']";
  const account = select1(expression, accounts);
  res.sendStatus(account ? 200 : 401);
});

export default router;

// === vulnerable: document.evaluate with a location parameter
const params = new URLSearchParams(location.search);
const section = params.get("section");

function findSection(name: string | null): Node | null {
  const query = `//section[@id="${name}"]`;
  const result = document.evaluate(query, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null);
  return result.singleNodeValue;
}

(findSection(section) as HTMLElement | null)?.scrollIntoView();

// === vulnerable: libxmljs get through a helper
import Koa from "koa";
import libxmljs from "libxmljs";
import { readFileSync } from "node:fs";

const doc = libxmljs.parseXml(readFileSync("config.xml", "utf8"));
const app = new Koa();

function byKey(key: string) {
  return "//setting[@key='".concat(key, "']");
}

app.use(async (ctx) => {
  const node = doc.get(byKey(String(ctx.query.key)));
  ctx.body = { found: Boolean(node) };
});

// === vulnerable: libxmljs find in fastify
import Fastify from "fastify";
import { parseXml } from "libxmljs2";
import { readFileSync } from "fs";

const fastify = Fastify();
const catalog = parseXml(readFileSync("catalog.xml", "utf8"));

fastify.get("/books/:author", async (request) => {
  const { author } = request.params as { author: string };
  const found = catalog.find("/catalog/book[author='" + author + "']/title");
  return { count: found.length };
});

// === vulnerable: xpath.parse with a joined expression
import { NextRequest, NextResponse } from "next/server";
import * as xp from "xpath";
import { stock } from "@/lib/stock";

export async function GET(request: NextRequest) {
  const sku = request.nextUrl.searchParams.get("sku");
  const expression = ["//item[sku='", sku, "']"].join("");
  const nodes = xp.parse(expression).select({ node: stock });
  return NextResponse.json({ count: nodes.length });
}

// === vulnerable: useNamespaces select function in a class
import { Controller, Get, Query } from "@nestjs/common";
import xpath from "xpath";
import { feed } from "./feed";

@Controller("feed")
export class FeedController {
  private readonly select = xpath.useNamespaces({ a: "http://www.w3.org/2005/Atom" });
  @Get()
  find(@Query("author") author: string) {
    let query = "//a:entry";
    if (author) query += "[a:author/a:name='" + author + "']";
    return { count: (this.select(query, feed) as Node[]).length };
  }
}

// === vulnerable (js): whole expression from the request
const express = require("express");
const xpath = require("xpath");
const { doc } = require("./document");

const app = express();

app.get("/select", (req, res) => {
  const expression = req.query.xpath;
  const nodes = xpath.select(expression, doc);
  res.json(nodes.map((n) => n.toString()));
});

// === safe: parsed expression with variables
import express from "express";
import xpath from "xpath";
import { users } from "./users";

const app = express();
const byName = xpath.parse("//user[name=$name]/email/text()");

app.get("/user", (req, res) => {
  const nodes = byName.select({ node: users, variables: { name: String(req.query.name) } });
  res.json({ count: nodes.length });
});

// === safe: selectWithResolver replaced by a code comparison
import express from "express";
import xpath from "xpath";
import { accounts } from "./accounts";

const app = express();

app.get("/account/:user", (req, res) => {
  const all = xpath.select("//account", accounts) as Element[];
  const match = all.find((a) => a.getAttribute("user") === req.params.user);
  res.json({ found: match !== undefined });
});

// === safe: getElementById in the browser
const params = new URLSearchParams(location.search);
const section = params.get("section") ?? "top";

function findSection(name: string): HTMLElement | null {
  return document.getElementById(name);
}

findSection(section)?.scrollIntoView();

// === safe: numeric position in libxmljs get
import Koa from "koa";
import libxmljs from "libxmljs";
import { readFileSync } from "node:fs";

const doc = libxmljs.parseXml(readFileSync("chapters.xml", "utf8"));
const app = new Koa();

app.use(async (ctx) => {
  const position = Number(ctx.query.n);
  const node = doc.get(`/book/chapter[${position}]/title`);
  ctx.body = { found: Boolean(node) };
});

// === safe: field allow-list
import Fastify from "fastify";
import { parseXml } from "libxmljs2";
import { readFileSync } from "fs";

const fastify = Fastify();
const stock = parseXml(readFileSync("stock.xml", "utf8"));
const FIELDS = new Set(["sku", "name", "price"]);

fastify.get("/values/:field", async (request, reply) => {
  const { field } = request.params as { field: string };
  if (!FIELDS.has(field)) return reply.code(400).send();
  return { count: stock.find(`//item/${field}`).length };
});

// === safe: select on a knex builder
import express from "express";
import knexFactory from "knex";

const knex = knexFactory({ client: "pg" });
const app = express();

app.get("/items", async (req, res) => {
  const rows = await knex.select("sku", "name").from("items").where("sku", String(req.query.sku));
  res.json(rows);
});

// === safe: constant document.evaluate
const links = document.evaluate("//a[@rel='next']", document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
const wanted = new URLSearchParams(location.search).get("page");

for (let i = 0; i < links.snapshotLength; i++) {
  const link = links.snapshotItem(i) as HTMLAnchorElement;
  link.classList.toggle("active", link.textContent === wanted);
}

// === safe: constant expression in namespaces select
import { Controller, Get, Query } from "@nestjs/common";
import xpath from "xpath";
import { feed } from "./feed";

@Controller("feed")
export class FeedController {
  private readonly select = xpath.useNamespaces({ a: "http://www.w3.org/2005/Atom" });
  @Get()
  find(@Query("author") author: string) {
    const names = this.select("//a:entry/a:author/a:name/text()", feed) as Text[];
    return { count: names.filter((n) => n.data === author).length };
  }
}
