// === vulnerable: express res.redirect of a query value
import express from "express";

const app = express();

app.get("/out", (req, res) => {
  res.redirect(req.query.url as string);
});

// === vulnerable: status first and destructured next
import express, { Request, Response } from "express";

const router = express.Router();

router.post("/login", (req: Request, res: Response) => {
  const { next = "/" } = req.body;
  return res.redirect(303, next);
});

export default router;

// === vulnerable: koa ctx.redirect
import Koa from "koa";

const app = new Koa();

app.use(async (ctx) => {
  const target = ctx.query.return_to as string;
  ctx.redirect(target);
});

// === vulnerable: fastify reply.redirect
import Fastify from "fastify";

const server = Fastify();

server.get("/leave", async (request, reply) => {
  const query = request.query as { to?: string };
  return reply.redirect(query.to ?? "/");
});

// === vulnerable: next api route redirect
import type { NextApiRequest, NextApiResponse } from "next";

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const callback = req.query.callbackUrl;
  res.redirect(307, `${callback}`);
}

// === vulnerable: NextResponse.redirect with URL base
import { NextRequest, NextResponse } from "next/server";

export function GET(request: NextRequest) {
  const next = request.nextUrl.searchParams.get("next") ?? "/";
  return NextResponse.redirect(new URL(next, request.url));
}

// === vulnerable: nest controller with Redirect decorator
import { Controller, Get, Query, Redirect } from "@nestjs/common";

@Controller()
export class LinkController {
  @Get("link")
  @Redirect()
  link(@Query("href") href: string) {
    return { url: href, statusCode: 302 };
  }
}

// === vulnerable: writeHead Location
import http from "http";

http
  .createServer((req, res) => {
    const url = new URL(req.url!, "http://localhost");
    res.writeHead(302, { Location: url.searchParams.get("to") ?? "/" });
    res.end();
  })
  .listen(3000);

// === vulnerable: browser location.href from its own query string
const params = new URLSearchParams(window.location.search);
const target = params.get("redirect");

document.querySelector("#continue")!.addEventListener("click", () => {
  if (target) {
    window.location.href = target;
  }
});

// === vulnerable: location.replace with the hash
function resume() {
  const destination = decodeURIComponent(location.hash.slice(1));
  location.replace(destination);
}

window.addEventListener("load", resume);

// === vulnerable: message event into location.assign
window.addEventListener("message", (event) => {
  if (event.data.type === "navigate") {
    window.location.assign(event.data.url);
  }
});

// === vulnerable: leading slash check only
import express from "express";

const app = express();

app.get("/continue", (req, res) => {
  const to = String(req.query.to);
  if (to.startsWith("/")) {
    return res.redirect(to);
  }
  res.redirect("/");
});

// === vulnerable: host concatenated from a parameter
import express from "express";

const app = express();

app.get("/tenant/:domain", (req, res) => {
  const url = "https://" + req.params.domain + "/dashboard";
  res.redirect(url);
});

// === vulnerable (tsx): react effect navigating to a query parameter
import React, { useEffect } from "react";

export function AfterLogin() {
  useEffect(() => {
    const next = new URLSearchParams(window.location.search).get("next");
    window.location.href = next ?? "/";
  }, []);
  return <p>Signing you in</p>;
}

// === vulnerable: getServerSideProps destination
import type { GetServerSideProps } from "next";

export const getServerSideProps: GetServerSideProps = async ({ query }) => {
  return {
    redirect: { destination: query.returnTo as string, permanent: false },
  };
};

// === safe: constant redirect
import express from "express";

const app = express();

app.post("/logout", (req, res) => {
  console.log("logout", req.query.reason);
  res.redirect("/login");
});

// === safe: own origin compared through URL
import express from "express";

const app = express();
const ORIGIN = "https://app.example.com";

app.get("/out", (req, res) => {
  const url = new URL(String(req.query.url), ORIGIN);
  if (url.origin !== ORIGIN) {
    res.redirect("/");
    return;
  }
  res.redirect(url.href);
});

// === safe: map of destinations
import Koa from "koa";

const app = new Koa();
const LINKS: Record<string, string> = { docs: "https://docs.example.com", blog: "https://blog.example.com" };

app.use(async (ctx) => {
  const key = String(ctx.query.to);
  ctx.redirect(Object.hasOwn(LINKS, key) ? LINKS[key] : "/");
});

// === safe: encoded value inside the query of a fixed path
import express from "express";

const app = express();

app.get("/find", (req, res) => {
  res.redirect("/search?q=" + encodeURIComponent(String(req.query.q)));
});

// === safe: allowed list of paths
import Fastify from "fastify";

const server = Fastify();
const PATHS = ["/", "/inbox", "/settings"];

server.get("/leave", async (request, reply) => {
  const { to = "/" } = request.query as { to?: string };
  return reply.redirect(PATHS.includes(to) ? to : "/");
});

// === safe: host allow-list
import { NextRequest, NextResponse } from "next/server";

const HOSTS = new Set(["www.example.com", "shop.example.com"]);

export function GET(request: NextRequest) {
  const next = new URL(request.nextUrl.searchParams.get("next") ?? "/", request.url);
  if (next.protocol !== "https:" || !HOSTS.has(next.hostname)) {
    return NextResponse.redirect(new URL("/", request.url));
  }
  return NextResponse.redirect(next);
}

// === safe: numeric id in a fixed path
import express from "express";

const app = express();

app.get("/order", (req, res) => {
  const id = parseInt(String(req.query.id), 10);
  res.redirect(`/orders/${id}`);
});

// === safe: browser navigation to a constant
document.querySelector("#home")!.addEventListener("click", () => {
  window.location.href = "/home";
});

// === safe: same origin check in the browser
const raw = new URLSearchParams(location.search).get("next") ?? "/";
const next = new URL(raw, location.origin);

if (next.origin === location.origin) {
  location.assign(next.href);
} else {
  location.assign("/");
}

// === safe: only the query part of the own page changes
const picker = document.querySelector<HTMLSelectElement>("#lang")!;

picker.addEventListener("change", () => {
  const url = new URL(window.location.href);
  url.searchParams.set("lang", picker.value);
  window.location.search = url.search;
});

// === safe: method named redirect on a call router
import express from "express";

const app = express();

class CallQueue {
  private extensions: string[] = [];
  redirect(extension: string) {
    this.extensions.push(extension);
    return this.extensions.length;
  }
}

const queue = new CallQueue();
app.post("/calls/:ext", (req, res) => {
  res.json({ position: queue.redirect(req.params.ext) });
});

// === safe: nest redirect with fixed decorator
import { Controller, Get, Query, Redirect } from "@nestjs/common";

@Controller()
export class DocsController {
  @Get("docs")
  @Redirect("https://docs.example.com", 302)
  docs(@Query("version") version: string) {
    return version === "5" ? { url: "https://docs.example.com/v5/" } : undefined;
  }
}

// === vulnerable: vue route query into window.location
import { defineComponent, onMounted } from "vue";
import { useRoute } from "vue-router";

export default defineComponent({
  setup() {
    const route = useRoute();
    onMounted(() => {
      const target = route.query.redirect as string;
      if (target) window.location.assign(target);
    });
    return {};
  },
});

// === vulnerable: angular query parameter into document location
import { Component, Inject, OnInit } from "@angular/core";
import { DOCUMENT } from "@angular/common";
import { ActivatedRoute } from "@angular/router";

@Component({ selector: "app-leave", template: "<p>Leaving</p>" })
export class LeaveComponent implements OnInit {
  constructor(private route: ActivatedRoute, @Inject(DOCUMENT) private document: Document) {}

  ngOnInit(): void {
    const url = this.route.snapshot.queryParamMap.get("url");
    this.document.location.href = url ?? "/";
  }
}

// === safe: angular router navigation inside the application
import { Component, OnInit } from "@angular/core";
import { ActivatedRoute, Router } from "@angular/router";

@Component({ selector: "app-item", template: "<p>Item</p>" })
export class ItemComponent implements OnInit {
  constructor(private route: ActivatedRoute, private router: Router) {}

  ngOnInit(): void {
    const id = Number(this.route.snapshot.queryParamMap.get("id"));
    this.router.navigate(["/items", id]);
  }
}

// === safe: vue push of a named route
import { defineComponent, onMounted } from "vue";
import { useRoute, useRouter } from "vue-router";

export default defineComponent({
  setup() {
    const route = useRoute();
    const router = useRouter();
    onMounted(() => router.push({ name: "search", query: { q: route.query.q } }));
    return {};
  },
});
