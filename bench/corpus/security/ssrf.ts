// === vulnerable: express query into axios.get
import express from "express";
import axios from "axios";

const app = express();

app.get("/preview", async (req, res) => {
  const response = await axios.get(req.query.url as string);
  res.send(response.data);
});

// === vulnerable: global fetch with template literal host
import express from "express";

const app = express();
app.use(express.json());

app.post("/ping", async (req, res) => {
  const { host, port } = req.body;
  const answer = await fetch(`http://${host}:${port}/health`);
  res.json({ ok: answer.ok });
});

// === vulnerable (js): node-fetch in commonjs
const express = require("express");
const fetch = require("node-fetch");
const app = express();

app.get("/image", async (req, res) => {
  const src = req.query.src;
  const upstream = await fetch(src);
  res.set("Content-Type", upstream.headers.get("content-type"));
  upstream.body.pipe(res);
});

// === vulnerable: got in koa
import Koa from "koa";
import got from "got";

const app = new Koa();

app.use(async (ctx) => {
  const feed = ctx.request.query.feed as string;
  ctx.body = await got(feed).text();
});

// === vulnerable: undici request in fastify
import Fastify from "fastify";
import { request as send } from "undici";

const server = Fastify();

server.post("/import", async (req, reply) => {
  const payload = req.body as { source: string };
  const { body } = await send(payload.source);
  return reply.send(await body.text());
});

// === vulnerable: http.get options object with user hostname
import express from "express";
import http from "http";

const app = express();

app.get("/probe/:host", (req, res) => {
  const options = { hostname: req.params.host, port: 80, path: "/" };
  http.get(options, (upstream) => upstream.pipe(res));
});

// === vulnerable: axios config object and helper
import axios, { AxiosRequestConfig } from "axios";
import type { NextApiRequest, NextApiResponse } from "next";

async function forward(target: string, data: unknown) {
  const config: AxiosRequestConfig = { method: "POST", url: target, data };
  return axios(config);
}

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const result = await forward(req.body.callback, req.body.payload);
  res.status(result.status).json(result.data);
}

// === vulnerable: next app router fetch of a search parameter
import { NextRequest } from "next/server";

export async function GET(request: NextRequest) {
  const { searchParams } = new URL(request.url);
  const image = searchParams.get("image");
  const upstream = await fetch(image!);
  return new Response(upstream.body);
}

// === vulnerable: nest HttpService
import { Body, Controller, Post } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import { firstValueFrom } from "rxjs";

@Controller("webhooks")
export class WebhooksController {
  constructor(private readonly http: HttpService) {}

  @Post("test")
  async test(@Body("url") url: string) {
    const res = await firstValueFrom(this.http.post(url, { event: "test" }));
    return { status: res.status };
  }
}

// === vulnerable: substring check that does not pin the host
import express from "express";
import axios from "axios";

const app = express();

app.get("/mirror", async (req, res) => {
  const url = String(req.query.url);
  if (!url.includes("example.com")) {
    return res.sendStatus(400);
  }
  const { data } = await axios.get(url, { responseType: "arraybuffer" });
  res.send(data);
});

// === vulnerable: URL object built from a header
import express from "express";
import https from "node:https";

const app = express();

app.post("/relay", (req, res) => {
  const target = new URL(req.get("x-target") ?? "");
  https.request(target, { method: "POST" }, (up) => up.pipe(res)).end();
});

// === vulnerable: superagent chained call
import express from "express";
import superagent from "superagent";

const app = express();

app.get("/check", async (req, res) => {
  const domain = "https://" + req.query.domain;
  const result = await superagent.get(domain + "/robots.txt").set("accept", "text/plain");
  res.send(result.text);
});

// === vulnerable: puppeteer goto a query url
import express from "express";
import puppeteer from "puppeteer";

const app = express();

app.get("/screenshot", async (req, res) => {
  const browser = await puppeteer.launch();
  const page = await browser.newPage();
  await page.goto(req.query.url as string);
  res.type("png").send(await page.screenshot());
  await browser.close();
});

// === safe: constant host with encodeURIComponent
import express from "express";
import axios from "axios";

const app = express();

app.get("/user/:login", async (req, res) => {
  const login = encodeURIComponent(req.params.login);
  const { data } = await axios.get(`https://api.example.com/users/${login}`);
  res.json(data);
});

// === safe: hostname allow-list through URL
import express from "express";

const app = express();
const ALLOWED = new Set(["cdn.example.com", "images.example.com"]);

app.get("/preview", async (req, res) => {
  const url = new URL(String(req.query.url));
  if (url.protocol !== "https:" || !ALLOWED.has(url.hostname)) {
    res.sendStatus(400);
    return;
  }
  const upstream = await fetch(url, { redirect: "error" });
  res.send(await upstream.text());
});

// === safe: axios params only
import express from "express";
import axios from "axios";

const app = express();

app.get("/search", async (req, res) => {
  const { data } = await axios.get("https://search.example.com/v2", {
    params: { q: req.query.q },
  });
  res.json(data);
});

// === safe: table of endpoints
import Fastify from "fastify";
import { request as send } from "undici";

const server = Fastify();
const ENDPOINTS: Record<string, string> = {
  eu: "https://eu.example.com/status",
  us: "https://us.example.com/status",
};

server.get("/status/:region", async (req, reply) => {
  const { region } = req.params as { region: string };
  if (!Object.hasOwn(ENDPOINTS, region)) return reply.code(404).send();
  const { body } = await send(ENDPOINTS[region]);
  return body.json();
});

// === safe: body data to a constant url
import Koa from "koa";
import got from "got";

const app = new Koa();

app.use(async (ctx: any) => {
  await got.post("https://comments.example.com/new", { json: { text: ctx.request.body.text } });
  ctx.status = 204;
});

// === safe: numeric path part
import express from "express";
import http from "http";

const app = express();

app.get("/item", (req, res) => {
  const id = Number(req.query.id);
  http.get({ hostname: "catalog.internal", path: `/items/${id}` }, (up) => up.pipe(res));
});

// === safe: get on a Map and on the express app
import express from "express";

const app = express();
const cache = new Map<string, string>();

app.get("/cached", (req, res) => {
  const url = req.query.url as string;
  res.send(cache.get(url) ?? "not cached");
});

// === safe: ternary between constants
import type { NextApiRequest, NextApiResponse } from "next";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const base = req.query.sandbox === "1" ? "https://sandbox.example.com" : "https://api.example.com";
  const upstream = await fetch(base + "/rates");
  res.status(200).json(await upstream.json());
}

// === safe: axios instance with a constant baseURL and environment token
import express from "express";
import axios from "axios";

const app = express();
const api = axios.create({ baseURL: process.env.API_URL });

app.post("/orders", express.json(), async (req, res) => {
  const { data } = await api.post("/orders", req.body, {
    headers: { authorization: `Bearer ${process.env.API_TOKEN}` },
  });
  res.json(data);
});

// === safe: browser fetch of the own backend
const form = document.querySelector<HTMLFormElement>("#search")!;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const term = new FormData(form).get("term") as string;
  const res = await fetch("/api/search?q=" + encodeURIComponent(term));
  console.log(await res.json());
});

// === safe: method named fetch on a repository
import express from "express";

const app = express();

class ArticleRepository {
  private rows = new Map<string, { title: string }>();
  fetch(slug: string) {
    return this.rows.get(slug);
  }
}

const articles = new ArticleRepository();
app.get("/articles/:slug", (req, res) => {
  res.json(articles.fetch(req.params.slug));
});

// === safe: validating helper that throws
import express from "express";
import axios from "axios";

const app = express();
const HOOK_HOSTS = ["hooks.example.com", "hooks.example.org"];

function checked(raw: string): string {
  const url = new URL(raw);
  if (url.protocol !== "https:" || !HOOK_HOSTS.includes(url.hostname)) {
    throw new Error("host not allowed");
  }
  return url.toString();
}

app.post("/hook", express.json(), async (req, res) => {
  await axios.post(checked(req.body.url), { ping: true }, { maxRedirects: 0 });
  res.sendStatus(204);
});

// === vulnerable: protocol checked but not the host
import express from "express";

const app = express();

app.get("/preview", async (req, res) => {
  const url = new URL(String(req.query.url));
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    res.sendStatus(400);
    return;
  }
  const upstream = await fetch(url);
  res.send(await upstream.text());
});

// === vulnerable: list of urls with Promise.all
import express from "express";
import axios from "axios";

const app = express();

app.post("/batch", express.json(), async (req, res) => {
  const { urls } = req.body;
  const answers = await Promise.all(urls.map((u: string) => axios.head(u)));
  res.json(answers.map((a) => a.status));
});

// === vulnerable: new URL with a base that an absolute value replaces
import Fastify from "fastify";

const server = Fastify();

server.get("/docs-proxy", async (request) => {
  const { page } = request.query as { page: string };
  const target = new URL(page, "https://docs.example.com/");
  const upstream = await fetch(target.toString());
  return upstream.text();
});

// === vulnerable: class client with axios instance
import axios, { AxiosInstance } from "axios";
import Koa from "koa";

class LinkChecker {
  private http: AxiosInstance = axios.create({ timeout: 5000 });
  status(address: string) {
    return this.http.get(address).then((r) => r.status);
  }
}

const checker = new LinkChecker();
const app = new Koa();

app.use(async (ctx) => {
  ctx.body = { status: await checker.status(ctx.query.link as string) };
});

// === safe: header value from the request to a constant url
import express from "express";

const app = express();

app.get("/weather", async (req, res) => {
  const upstream = await fetch("https://weather.example.com/today", {
    headers: { "accept-language": req.get("accept-language") ?? "en" },
  });
  res.json(await upstream.json());
});

// === safe: search parameters appended to a constant URL object
import express from "express";
import got from "got";

const app = express();

app.get("/search", async (req, res) => {
  const url = new URL("https://search.example.com/v2");
  url.searchParams.set("q", String(req.query.q));
  res.json(await got(url).json());
});
