// === vulnerable: console.log with an express query template literal
import express from "express";

const app = express();

app.get("/search", (req, res) => {
  console.log(`search for ${req.query.q}`);
  res.json([]);
});

// === vulnerable: winston text format with a body field
import express from "express";
import winston from "winston";

const logger = winston.createLogger({
  format: winston.format.printf((info) => `${info.level}: ${info.message}`),
  transports: [new winston.transports.File({ filename: "app.log" })],
});
const app = express();
app.use(express.json());

app.post("/login", (req, res) => {
  logger.warn("failed login for " + req.body.username);
  res.sendStatus(401);
});

// === vulnerable: appendFile to an audit log in koa
import Koa from "koa";
import { appendFile } from "node:fs/promises";

const app = new Koa();

app.use(async (ctx) => {
  const account = ctx.query.account as string;
  await appendFile("audit.log", new Date().toISOString() + " transfer to " + account + "\n");
  ctx.status = 202;
});

// === vulnerable: log4js logger through a helper
import express from "express";
import log4js from "log4js";

const log = log4js.getLogger("chat");
const app = express();

function record(event: string, detail: string) {
  log.error([event, detail].join(": "));
}

app.get("/report", (req, res) => {
  const message = String(req.query.message);
  record("client error", message);
  res.sendStatus(204);
});

// === vulnerable: replace with a plain string removes only the first line break
import express from "express";

const app = express();

app.get("/visit/:page", (req, res) => {
  const page = req.params.page.replace("\n", "");
  console.info("visited " + page);
  res.end();
});

// === vulnerable: node http url decoded and logged
import http from "node:http";

http
  .createServer((req, res) => {
    const path = decodeURIComponent(req.url ?? "/");
    console.warn("not found: " + path);
    res.statusCode = 404;
    res.end();
  })
  .listen(8080);

// === vulnerable: nest Logger class with a query parameter
import { Controller, Get, Logger, Query } from "@nestjs/common";

@Controller("orders")
export class OrdersController {
  private readonly logger = new Logger(OrdersController.name);

  @Get()
  list(@Query("customer") customer: string) {
    this.logger.log(`listing orders of ${customer}`);
    return [];
  }
}

// === vulnerable: process.stderr.write in a next route handler
import { NextResponse } from "next/server";

export async function POST(request: Request) {
  const { message } = await request.json();
  let line = "[client] ";
  line += message;
  process.stderr.write(line + "\n");
  return NextResponse.json({ ok: true });
}

// === vulnerable (js): write stream member and destructured body
const express = require("express");
const fs = require("fs");

const access = { stream: fs.createWriteStream("access.log", { flags: "a" }) };
const app = express();
app.use(express.urlencoded({ extended: false }));

app.post("/join", (req, res) => {
  const { nickname, room } = req.body;
  access.stream.write(`${nickname} joined ${room}\n`);
  res.end();
});

// === safe: CR and LF removed with a global pattern
import express from "express";

const app = express();

app.get("/search", (req, res) => {
  const term = String(req.query.q).replace(/[\r\n]/g, "");
  console.log(`search for ${term}`);
  res.json([]);
});

// === safe: JSON.stringify of the value
import express from "express";

const app = express();
app.use(express.json());

app.post("/login", (req, res) => {
  console.warn("failed login for " + JSON.stringify(req.body.username));
  res.sendStatus(401);
});

// === safe: pino structured field
import express from "express";
import pino from "pino";

const logger = pino();
const app = express();

app.get("/orders", (req, res) => {
  logger.info({ customer: req.query.customer }, "listing orders");
  res.json([]);
});

// === safe: encodeURIComponent before logging
import Koa from "koa";

const app = new Koa();

app.use(async (ctx) => {
  const page = encodeURIComponent(String(ctx.query.page));
  console.info("visited " + page);
  ctx.status = 204;
});

// === safe: Number conversion
import express from "express";

const app = express();

app.get("/items/:id", (req, res) => {
  const id = Number(req.params.id);
  console.log(`showing item ${id}`);
  res.json({ id });
});

// === safe: sanitising helper of the same file used by nest controller
import { Controller, Get, Logger, Query } from "@nestjs/common";

const oneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]+/g, " ");

@Controller("orders")
export class OrdersController {
  private readonly logger = new Logger(OrdersController.name);

  @Get()
  list(@Query("customer") customer: string) {
    this.logger.log(`listing orders of ${oneLine(String(customer))}`);
    return [];
  }
}

// === safe: constant messages only
import express from "express";

const app = express();

app.post("/theme/:name", (req, res) => {
  if (req.params.name === "dark") {
    console.log("dark theme selected");
  } else {
    console.log("light theme selected");
  }
  res.end();
});

// === safe: Math.log and a log method of a history object
import express from "express";

const history = {
  entries: [] as string[],
  log(entry: string) {
    this.entries.push(entry);
    return this.entries.length;
  },
};
const app = express();

app.get("/log", (req, res) => {
  const count = history.log("visit " + String(req.query.from));
  res.json({ count, value: Math.log(Number(req.query.x)) });
});

// === safe: winston json format with metadata
import express from "express";
import winston from "winston";

const logger = winston.createLogger({
  format: winston.format.json(),
  transports: [new winston.transports.File({ filename: "app.log" })],
});
const app = express();
app.use(express.json());

app.post("/login", (req, res) => {
  logger.warn("failed login", { username: req.body.username });
  res.sendStatus(401);
});
