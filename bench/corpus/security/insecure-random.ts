// === vulnerable: Math.random base36 session token
export function createSessionToken(): string {
  return Math.random().toString(36).substring(2) + Math.random().toString(36).substring(2);
}

export const tokenName = "sid";

// === vulnerable: six digit one-time code in Express
import express from "express";

const app = express();
const codes = new Map<string, string>();

app.post("/otp", express.json(), (req, res) => {
  const otp = Math.floor(100000 + Math.random() * 900000).toString();
  codes.set(req.body.phone, otp);
  res.sendStatus(204);
});

app.listen(3000);

// === vulnerable: password generator over an alphabet
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

export function generatePassword(length = 12): string {
  let password = "";
  for (let i = 0; i < length; i++) {
    password += ALPHABET.charAt(Math.floor(Math.random() * ALPHABET.length));
  }
  return password;
}

// === vulnerable: reset token hashed from Math.random
import { createHash } from "crypto";

export function resetToken(email: string): string {
  const seed = `${email}:${Math.random()}`;
  return createHash("sha256").update(seed).digest("hex");
}

// === vulnerable: helper function feeds an api key
function randomHex(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("");
}

export class ApiKeyService {
  issue(owner: string) {
    const apiKey = `ak_${randomHex(32)}`;
    return { owner, apiKey };
  }
}

// === vulnerable: alias of Math.random in a CSRF cookie
import type { Context, Next } from "koa";

const { random } = Math;

export async function csrf(ctx: Context, next: Next) {
  const csrfToken = random().toString(16).slice(2);
  ctx.cookies.set("csrf", csrfToken, { httpOnly: false, secure: true });
  await next();
}

// === vulnerable: encryption key bytes filled by Math.random
import { createCipheriv, randomBytes } from "crypto";

export function encryptRecord(record: string) {
  const key = Buffer.alloc(32);
  for (let i = 0; i < key.length; i++) key[i] = Math.floor(Math.random() * 256);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return { key, iv, body: Buffer.concat([cipher.update(record), cipher.final()]), tag: cipher.getAuthTag() };
}

// === vulnerable: OAuth state in the browser
export function beginLogin(clientId: string): void {
  const state = Math.random().toString(36).slice(2);
  sessionStorage.setItem("oauth_state", state);
  const params = new URLSearchParams({ client_id: clientId, response_type: "code", state });
  window.location.assign(`https://idp.example.com/authorize?${params}`);
}

// === vulnerable: uuid-like replace callback used as a session id
import type { FastifyInstance } from "fastify";

function pseudoUuid(): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (c) => {
    const r = (Math.random() * 16) | 0;
    return (c === "x" ? r : (r & 0x3) | 0x8).toString(16);
  });
}

export async function sessions(app: FastifyInstance) {
  app.post("/session", async (_req, reply) => {
    const sessionId = pseudoUuid();
    reply.header("set-cookie", `session=${sessionId}; HttpOnly; Secure`);
    return { ok: true };
  });
}

// === vulnerable (js): lodash random verification code
const _ = require("lodash");

async function sendVerification(mailer, user) {
  const verificationCode = _.random(100000, 999999);
  user.verificationCode = String(verificationCode);
  await mailer.send(user.email, `Code: ${user.verificationCode}`);
}

module.exports = { sendVerification };

// === vulnerable: Math.random salt in Nest service
import { Injectable } from "@nestjs/common";
import { scryptSync } from "crypto";

@Injectable()
export class PasswordService {
  hash(password: string): string {
    const salt = Math.random().toString();
    return `${salt}:${scryptSync(password, salt, 64).toString("hex")}`;
  }
}

// === vulnerable: timestamp plus random joined as a refresh token
import jwt from "jsonwebtoken";

export function issue(userId: string, key: string) {
  const parts = [Date.now().toString(36), Math.random().toString(36).slice(2)];
  const refreshToken = parts.join(".");
  const accessToken = jwt.sign({ sub: userId }, key, { expiresIn: "15m" });
  return { accessToken, refreshToken };
}

// === safe: randomBytes session token
import { randomBytes } from "crypto";

export function createSessionToken(): string {
  return randomBytes(32).toString("hex");
}

export const tokenName = "sid";

// === safe: crypto.randomInt one-time code
import crypto from "node:crypto";
import express from "express";

const app = express();
const codes = new Map<string, string>();

app.post("/otp", express.json(), (req, res) => {
  codes.set(req.body.phone, crypto.randomInt(0, 1_000_000).toString().padStart(6, "0"));
  res.sendStatus(204);
});

// === safe: password generator with randomInt
import { randomInt } from "crypto";

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

export function generatePassword(length = 16): string {
  let password = "";
  for (let i = 0; i < length; i++) {
    password += ALPHABET[randomInt(ALPHABET.length)];
  }
  return password;
}

// === safe: getRandomValues in the browser
export function beginLogin(clientId: string): void {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const state = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("oauth_state", state);
  window.location.assign(`https://idp.example.com/authorize?client_id=${clientId}&state=${state}`);
}

// === safe: crypto.randomUUID session id
import { randomUUID } from "crypto";

export class SessionStore {
  private sessions = new Map<string, { userId: string }>();

  create(userId: string): string {
    const sessionId = randomUUID();
    this.sessions.set(sessionId, { userId });
    return sessionId;
  }
}

// === safe: nanoid invite token
import { nanoid } from "nanoid";

export function createInvite(email: string) {
  return { email, token: nanoid(32), createdAt: Date.now() };
}

// === safe: retry jitter
export async function fetchWithBackoff(url: string, attempts = 5): Promise<Response> {
  for (let i = 0; i < attempts; i++) {
    const res = await fetch(url);
    if (res.status < 500) return res;
    const jitter = Math.random() * 250;
    await new Promise((resolve) => setTimeout(resolve, 2 ** i * 100 + jitter));
  }
  throw new Error("service unavailable");
}

// === safe: random chart colour
export function seriesColor(): string {
  const hue = Math.floor(Math.random() * 360);
  return `hsl(${hue}, 70%, 50%)`;
}

export const palette = Array.from({ length: 8 }, seriesColor);

// === safe: shuffling cards in a memory game
export function shuffle<T>(cards: T[]): T[] {
  const deck = [...cards];
  for (let i = deck.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

// === safe (tsx): random placeholder greeting next to a password field
import React, { useState } from "react";

const greetings = ["Welcome back", "Hello again", "Good to see you"];

export function LoginForm() {
  const [greeting] = useState(() => greetings[Math.floor(Math.random() * greetings.length)]);
  return (
    <form method="post">
      <h1>{greeting}</h1>
      <input type="password" name="password" />
    </form>
  );
}

// === safe: request log sampling
import type { NextFunction, Request, Response } from "express";

const SAMPLE_RATE = 0.01;

export function sampledLog(req: Request, _res: Response, next: NextFunction) {
  if (Math.random() < SAMPLE_RATE) {
    console.log(req.method, req.path);
  }
  next();
}

// === safe (js): CommonJS promisified randomBytes
const { promisify } = require("util");
const randomBytes = promisify(require("crypto").randomBytes);

async function resetToken() {
  const buffer = await randomBytes(24);
  return buffer.toString("base64url");
}

module.exports = { resetToken };

// === safe: method named random on a catalogue object
class Catalogue {
  constructor(private readonly featured: string[]) {}

  random(): string {
    return this.featured[0];
  }
}

const catalogue = new Catalogue(["token-ring-cable", "password-notebook"]);
export const tokenOfTheDay = catalogue.random();
