// === vulnerable: webhook HMAC compared with === in Express
import crypto from "crypto";
import express from "express";

const app = express();
const secret = process.env.WEBHOOK_SECRET as string;

app.post("/webhook", express.raw({ type: "*/*" }), (req, res) => {
  const expected = crypto.createHmac("sha256", secret).update(req.body).digest("hex");
  if (req.headers["x-signature"] === expected) return res.sendStatus(204);
  res.sendStatus(403);
});

// === vulnerable: API key header compared with !==
import type { NextFunction, Request, Response } from "express";

const API_KEY = process.env.API_KEY;

export function requireApiKey(req: Request, res: Response, next: NextFunction) {
  const apiKey = req.get("x-api-key");
  if (apiKey !== API_KEY) return res.status(401).end();
  next();
}

// === vulnerable: prefixed signature in a Next route handler
import { createHmac } from "node:crypto";

export async function POST(request: Request) {
  const body = await request.text();
  const hmac = createHmac("sha256", process.env.GITHUB_SECRET!);
  const signature = `sha256=${hmac.update(body).digest("hex")}`;
  if (request.headers.get("x-hub-signature-256") != signature) {
    return new Response("forbidden", { status: 403 });
  }
  return Response.json({ ok: true });
}

// === vulnerable: Buffer.equals on a MAC
import { createHmac } from "crypto";
import type { FastifyInstance } from "fastify";

export async function hooks(app: FastifyInstance, opts: { key: Buffer }) {
  app.post("/hook", async (request, reply) => {
    const mac = createHmac("sha512", opts.key).update(JSON.stringify(request.body)).digest();
    const received = Buffer.from(String(request.headers["x-mac"]), "hex");
    if (!mac.equals(received)) return reply.code(403).send();
    return { ok: true };
  });
}

// === vulnerable: CSRF token from session compared in Koa
import type { Context, Next } from "koa";

export async function csrf(ctx: Context, next: Next) {
  const { csrfToken } = ctx.session as { csrfToken: string };
  if (csrfToken !== ctx.get("x-csrf-token")) {
    ctx.throw(403, "invalid csrf token");
  }
  await next();
}

// === vulnerable: bearer token compared in a Nest guard
import { CanActivate, ExecutionContext, Injectable } from "@nestjs/common";

@Injectable()
export class AdminTokenGuard implements CanActivate {
  private readonly adminToken = process.env.ADMIN_TOKEN;

  canActivate(context: ExecutionContext): boolean {
    const req = context.switchToHttp().getRequest();
    const token = (req.headers.authorization ?? "").slice("Bearer ".length);
    return token === this.adminToken;
  }
}

// === vulnerable: scrypt digest compared as hex strings
import { scryptSync } from "crypto";

interface UserRow {
  salt: string;
  passwordHash: string;
}

export function checkPassword(user: UserRow, password: string): boolean {
  const hash = scryptSync(password, user.salt, 64).toString("hex");
  return hash === user.passwordHash;
}

// === vulnerable: signed cookie verified with == after split
import { createHmac } from "crypto";
import type { Request } from "express";

function sign(value: string): string {
  return createHmac("sha256", process.env.COOKIE_KEY!).update(value).digest("base64url");
}

export function readUser(req: Request): string | null {
  const [value, signature] = String(req.cookies.user).split(".");
  return sign(value) == signature ? value : null;
}

// === vulnerable: reset token compared with localeCompare
import type { Request, Response } from "express";

interface Account {
  resetToken: string;
  setPassword(value: string): Promise<void>;
}

export async function resetPassword(req: Request, res: Response, account: Account) {
  if (req.body.token.localeCompare(account.resetToken) !== 0) return res.sendStatus(403);
  await account.setPassword(req.body.password);
  res.sendStatus(204);
}

// === vulnerable (js): CommonJS base64 HMAC compared with Buffer.compare
const crypto = require("crypto");
const express = require("express");

const router = express.Router();

router.post("/orders", express.raw({ type: "application/json" }), (req, res) => {
  const digest = crypto.createHmac("sha256", process.env.SHOP_SECRET).update(req.body).digest();
  const given = Buffer.from(req.get("X-Shop-Hmac-Sha256") || "", "base64");
  if (Buffer.compare(digest, given) !== 0) return res.sendStatus(401);
  res.sendStatus(200);
});

module.exports = router;

// === vulnerable: crypto-js HmacSHA256 compared as strings
import HmacSHA256 from "crypto-js/hmac-sha256";
import type { Request, Response } from "express";

export function callback(req: Request, res: Response) {
  const { payload, signature } = req.body;
  const calculated = HmacSHA256(payload, process.env.CALLBACK_KEY!).toString();
  if (signature !== calculated) return res.status(400).json({ error: "bad signature" });
  res.json({ received: true });
}

// === safe: timingSafeEqual in an Express webhook
import crypto from "crypto";
import express from "express";

const app = express();
const secret = process.env.WEBHOOK_SECRET as string;

app.post("/webhook", express.raw({ type: "*/*" }), (req, res) => {
  const expected = crypto.createHmac("sha256", secret).update(req.body).digest();
  const received = Buffer.from(String(req.headers["x-signature"]), "hex");
  if (received.length !== expected.length || !crypto.timingSafeEqual(received, expected)) {
    return res.sendStatus(403);
  }
  res.sendStatus(204);
});

// === safe: API key compared through hashed timingSafeEqual
import { createHash, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, Response } from "express";

const digest = (value: string) => createHash("sha256").update(value).digest();
const expected = digest(process.env.API_KEY as string);

export function requireApiKey(req: Request, res: Response, next: NextFunction) {
  if (!timingSafeEqual(digest(req.get("x-api-key") ?? ""), expected)) return res.status(401).end();
  next();
}

// === safe: WebCrypto verify
export async function verifyBody(key: CryptoKey, body: ArrayBuffer, signatureHex: string): Promise<boolean> {
  const pairs = signatureHex.match(/../g) ?? [];
  const signature = new Uint8Array(pairs.map((h) => parseInt(h, 16)));
  return crypto.subtle.verify("HMAC", key, signature, body);
}

// === safe: stripe constructEvent
import Stripe from "stripe";
import type { Request, Response } from "express";

const stripe = new Stripe(process.env.STRIPE_KEY!);

export function stripeHook(req: Request, res: Response) {
  const signature = req.headers["stripe-signature"] as string;
  const event = stripe.webhooks.constructEvent(req.body, signature, process.env.STRIPE_HOOK_SECRET!);
  res.json({ received: event.type === "invoice.paid" });
}

// === safe: two password form fields of the same user
import type { Request, Response } from "express";

export function register(req: Request, res: Response) {
  const { password, passwordConfirm } = req.body;
  if (password !== passwordConfirm) {
    return res.status(400).json({ error: "The passwords do not match" });
  }
  res.status(201).end();
}

// === safe: missing token and token type checks
export function parseAuthorization(header: string | undefined): string {
  const [tokenType, token] = (header ?? "").split(" ");
  if (tokenType !== "Bearer") throw new Error("unsupported token type");
  if (token === undefined || token === "") throw new Error("missing token");
  return token;
}

// === safe: bcrypt.compare
import bcrypt from "bcrypt";

interface UserRow {
  passwordHash: string;
}

export async function checkPassword(user: UserRow, password: string): Promise<boolean> {
  return (await bcrypt.compare(password, user.passwordHash)) === true;
}

// === safe: parser tokens
type Token = { kind: "number" | "plus" | "end"; text: string };

export function countPluses(tokens: Token[]): number {
  let total = 0;
  for (const token of tokens) {
    if (token.kind === "plus" || token.text === "+") total++;
  }
  return total;
}

// === safe: keyboard key in a browser handler
const SUBMIT_KEY = "Enter";

document.querySelector("#search")?.addEventListener("keydown", (event) => {
  const { key } = event as KeyboardEvent;
  if (key === SUBMIT_KEY) {
    (event.target as HTMLInputElement).form?.requestSubmit();
  }
});

// === safe: ETag comparison
import { createHash } from "crypto";
import type { Request, Response } from "express";

export function sendDocument(req: Request, res: Response, body: string) {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  if (req.headers["if-none-match"] === etag) return res.status(304).end();
  res.setHeader("ETag", etag).send(body);
}

// === safe: Nest guard with timingSafeEqual helper
import { CanActivate, ExecutionContext, Injectable } from "@nestjs/common";
import { timingSafeEqual } from "crypto";

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

@Injectable()
export class AdminTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const req = context.switchToHttp().getRequest();
    return same(String(req.headers.authorization).slice(7), process.env.ADMIN_TOKEN ?? "");
  }
}

// === safe (js): safe-compare package
const safeCompare = require("safe-compare");

function csrf(req, res, next) {
  if (!safeCompare(req.session.csrfToken, req.get("x-csrf-token") || "")) {
    return res.sendStatus(403);
  }
  next();
}

module.exports = { csrf };
