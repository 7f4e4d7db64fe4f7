// === vulnerable: res.cookie of a session without flags
import express from "express";
import { randomBytes } from "crypto";

const app = express();

app.post("/login", (req, res) => {
  const sessionId = randomBytes(24).toString("hex");
  res.cookie("session_id", sessionId);
  res.sendStatus(204);
});

// === vulnerable: res.cookie with httpOnly false
import express from "express";
import jwt from "jsonwebtoken";

const app = express();

app.post("/login", (req, res) => {
  const token = jwt.sign({ sub: "42" }, process.env.JWT_SECRET!, { expiresIn: "1h" });
  res.cookie("token", token, { httpOnly: false, secure: true, sameSite: "lax" }).end();
});

// === vulnerable: express-session secure false
import express from "express";
import session from "express-session";

const app = express();
app.use(
  session({
    secret: process.env.SESSION_SECRET!,
    resave: false,
    saveUninitialized: false,
    cookie: { secure: false, httpOnly: true },
  }),
);

// === vulnerable: express-session httpOnly false via variable
import express from "express";
import session, { SessionOptions } from "express-session";

const options: SessionOptions = {
  secret: process.env.SESSION_SECRET!,
  resave: false,
  saveUninitialized: false,
  cookie: { secure: true, httpOnly: false, maxAge: 3600000 },
};

const app = express();
app.use(session(options));

// === vulnerable: cookie-session flags off
import express from "express";
import cookieSession from "cookie-session";

const app = express();
app.use(cookieSession({ name: "session", keys: [process.env.KEY!], secure: false, httpOnly: false }));

// === vulnerable: koa cookies.set
import Koa from "koa";
import { randomUUID } from "node:crypto";

const app = new Koa();

app.use(async (ctx) => {
  ctx.cookies.set("sid", randomUUID(), { httpOnly: false, secure: false });
  ctx.body = "ok";
});

// === vulnerable: fastify setCookie
import Fastify from "fastify";
import cookie from "@fastify/cookie";
import { randomUUID } from "node:crypto";

const server = Fastify();
await server.register(cookie);

server.post("/login", async (request, reply) => {
  reply.setCookie("sessionToken", randomUUID(), { path: "/", httpOnly: true, secure: false });
  return { ok: true };
});

// === vulnerable: next cookies().set
"use server";
import { cookies } from "next/headers";
import { randomUUID } from "crypto";

export async function signIn() {
  const store = await cookies();
  store.set("auth-token", randomUUID(), { httpOnly: false, secure: false });
}

// === vulnerable: browser stores the token in document.cookie
export async function login(user: string, password: string) {
  const res = await fetch("/api/login", { method: "POST", body: JSON.stringify({ user, password }) });
  const { accessToken } = await res.json();
  document.cookie = `access_token=${accessToken}; path=/; max-age=86400`;
}

// === vulnerable: cookie package serialize without flags
import http from "http";
import { serialize } from "cookie";
import { randomBytes } from "crypto";

http
  .createServer((req, res) => {
    const sid = randomBytes(16).toString("hex");
    res.setHeader("Set-Cookie", serialize("session", sid, { httpOnly: false, path: "/" }));
    res.end();
  })
  .listen(3000);

// === vulnerable: Set-Cookie string by hand
import type { NextApiRequest, NextApiResponse } from "next";
import { randomUUID } from "crypto";

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  res.setHeader("Set-Cookie", "session=" + randomUUID() + "; Path=/");
  res.status(200).end();
}

// === safe: res.cookie with every flag
import express from "express";
import { randomBytes } from "crypto";

const app = express();

app.post("/login", (req, res) => {
  const sessionId = randomBytes(24).toString("hex");
  res.cookie("session_id", sessionId, { httpOnly: true, secure: true, sameSite: "strict" });
  res.sendStatus(204);
});

// === safe: express-session flags on
import express from "express";
import session from "express-session";

const app = express();
app.use(
  session({
    name: "__Host-sid",
    secret: process.env.SESSION_SECRET!,
    resave: false,
    saveUninitialized: false,
    cookie: { secure: true, httpOnly: true, sameSite: "lax" },
  }),
);

// === safe: secure in production
import express from "express";
import session from "express-session";

const app = express();
const production = process.env.NODE_ENV === "production";

app.use(
  session({
    secret: process.env.SESSION_SECRET!,
    resave: false,
    saveUninitialized: false,
    cookie: { secure: production, httpOnly: true, sameSite: "lax" },
  }),
);

// === safe: cookie-session flags on
import express from "express";
import cookieSession from "cookie-session";

const app = express();
app.use(
  cookieSession({ name: "session", keys: [process.env.KEY!], secure: true, httpOnly: true, sameSite: "lax" }),
);

// === safe: koa cookies.set with flags
import Koa from "koa";
import { randomUUID } from "node:crypto";

const app = new Koa();

app.use(async (ctx) => {
  ctx.cookies.set("sid", randomUUID(), { httpOnly: true, secure: true, sameSite: "lax" });
  ctx.body = "ok";
});

// === safe: options object reused
import Fastify from "fastify";
import cookie, { CookieSerializeOptions } from "@fastify/cookie";
import { randomUUID } from "node:crypto";

const server = Fastify();
await server.register(cookie);
const COOKIE: CookieSerializeOptions = { path: "/", httpOnly: true, secure: true, sameSite: "lax" };

server.post("/login", async (request, reply) => {
  reply.setCookie("sessionToken", randomUUID(), COOKIE);
  return { ok: true };
});

// === safe: clearing a cookie
import express from "express";

const app = express();

app.post("/logout", (req, res) => {
  res.clearCookie("session_id");
  res.redirect("/");
});

// === safe: next cookies with flags
"use server";
import { cookies } from "next/headers";
import { randomUUID } from "crypto";

export async function signIn() {
  const store = await cookies();
  store.set("auth-token", randomUUID(), { httpOnly: true, secure: true, sameSite: "lax" });
}

// === safe: set on a Map named cookies
const cookies = new Map<string, string>();

export function remember(name: string, flavour: string) {
  cookies.set(name, flavour);
  return cookies.size;
}

// === safe: reading cookies only
import express from "express";
import cookieParser from "cookie-parser";

const app = express();
app.use(cookieParser());

app.get("/me", (req, res) => {
  res.json({ loggedIn: Boolean(req.cookies.session_id) });
});
