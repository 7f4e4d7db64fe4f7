// === vulnerable: jsonwebtoken decode used for authorization in Express
import express from "express";
import jwt from "jsonwebtoken";

const app = express();

app.get("/admin", (req, res) => {
  const token = (req.headers.authorization ?? "").replace("Bearer ", "");
  const claims = jwt.decode(token) as { role?: string } | null;
  if (claims?.role !== "admin") return res.sendStatus(403);
  res.json({ ok: true });
});

// === vulnerable: verify with none in the algorithm list
import jwt from "jsonwebtoken";

export function authenticate(token: string, key: string) {
  return jwt.verify(token, key, { algorithms: ["HS256", "none"] });
}

export const subject = (token: string, key: string) => authenticate(token, key).sub;

// === vulnerable: sign with algorithm none
import { sign } from "jsonwebtoken";

export class TokenService {
  issue(userId: string, role: string): string {
    return sign({ sub: userId, role }, "", { algorithm: "none" });
  }
}

// === vulnerable: literal secret on sign
import jwt from "jsonwebtoken";
import type { Request, Response } from "express";

export function login(req: Request, res: Response) {
  const token = jwt.sign({ sub: req.body.username }, "my-super-secret-key", { expiresIn: "1h" });
  res.json({ token });
}

// === vulnerable: literal secret constant on verify in Koa middleware
import * as jwt from "jsonwebtoken";
import type { Context, Next } from "koa";

const JWT_SECRET = "q8Zr3vLm0TxW";

export async function auth(ctx: Context, next: Next) {
  const token = ctx.get("authorization").slice(7);
  ctx.state.user = jwt.verify(token, JWT_SECRET, { algorithms: ["HS256"] });
  await next();
}

// === vulnerable: algorithm taken from the token header
import jwt from "jsonwebtoken";

export function verifyPartner(token: string, publicKey: string) {
  const decoded = jwt.decode(token, { complete: true });
  const alg = decoded?.header.alg as jwt.Algorithm;
  return jwt.verify(token, publicKey, { algorithms: [alg] });
}

// === vulnerable: public key verified with HS256 and RS256 mixed
import { readFileSync } from "fs";
import jwt from "jsonwebtoken";

const publicKey = readFileSync("/etc/keys/idp_public.pem");

export function verifyToken(token: string) {
  return jwt.verify(token, publicKey, { algorithms: ["RS256", "HS256"] });
}

// === vulnerable: jose decodeJwt trusted in a Next route handler
import { decodeJwt } from "jose";
import { cookies } from "next/headers";
import { NextResponse } from "next/server";

export async function GET() {
  const token = (await cookies()).get("session")?.value ?? "";
  const { sub, role } = decodeJwt(token);
  if (role !== "admin") return NextResponse.json({ error: "forbidden" }, { status: 403 });
  return NextResponse.json({ sub });
}

// === vulnerable: jose UnsecuredJWT decode
import { UnsecuredJWT } from "jose";
import type { FastifyRequest } from "fastify";

export async function currentUser(request: FastifyRequest) {
  const raw = String(request.headers["x-auth-token"]);
  const { payload } = UnsecuredJWT.decode(raw);
  return { id: payload.sub, admin: payload.admin === true };
}

// === vulnerable: jose SignJWT with an encoded literal
import { SignJWT } from "jose";

const secret = new TextEncoder().encode("cc7e0d44fd473002f1c42167459001140ec6389b");

export async function issue(userId: string): Promise<string> {
  return new SignJWT({ role: "user" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime("2h")
    .sign(secret);
}

// === vulnerable (js): jwt-simple decode with noVerify
const jwt = require("jwt-simple");
const express = require("express");

const router = express.Router();

router.get("/profile", (req, res) => {
  const claims = jwt.decode(req.headers["x-access-token"], "", true);
  res.json({ id: claims.sub, admin: claims.admin });
});

module.exports = router;

// === vulnerable: payload segment parsed by hand
import type { NextFunction, Request, Response } from "express";

function parseJwt(token: string) {
  const [, payload] = token.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
}

export function requireAdmin(req: Request, res: Response, next: NextFunction) {
  const claims = parseJwt(String(req.headers.authorization).slice(7));
  if (!claims.isAdmin) return res.status(403).end();
  next();
}

// === vulnerable: express-jwt with a literal secret
import express from "express";
import { expressjwt } from "express-jwt";

const app = express();

app.use(expressjwt({ secret: "shhhhhhared-secret", algorithms: ["HS256"] }).unless({ path: ["/login"] }));
app.get("/me", (req, res) => res.json((req as any).auth));

// === vulnerable: Nest JwtModule with a literal secret
import { Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";

@Module({
  imports: [
    JwtModule.register({
      global: true,
      secret: "nest-shop-jwt-2023",
      signOptions: { expiresIn: "15m" },
    }),
  ],
})
export class AuthModule {}

// === vulnerable: destructured alias and config member as secret
import { verify as check } from "jsonwebtoken";
import type { Request } from "express";

const config = { auth: { secret: "Gd7xNp2qYh", issuer: "shop" } };

export function userFrom(req: Request) {
  const { secret, issuer } = config.auth;
  return check(req.cookies.token, secret, { issuer, algorithms: ["HS512"] });
}

// === safe: verify with environment secret and fixed algorithm
import express from "express";
import jwt from "jsonwebtoken";

const app = express();
const secret = process.env.JWT_SECRET as string;

app.get("/admin", (req, res) => {
  const token = (req.headers.authorization ?? "").replace("Bearer ", "");
  const claims = jwt.verify(token, secret, { algorithms: ["HS256"] }) as { role?: string };
  if (claims.role !== "admin") return res.sendStatus(403);
  res.json({ ok: true });
});

// === safe: jose jwtVerify with remote JWKS
import { createRemoteJWKSet, jwtVerify } from "jose";

const jwks = createRemoteJWKSet(new URL("https://idp.example.com/.well-known/jwks.json"));

export async function verifyToken(token: string) {
  const { payload } = await jwtVerify(token, jwks, {
    issuer: "https://idp.example.com/",
    audience: "orders",
    algorithms: ["RS256"],
  });
  return payload;
}

// === safe: decode only to pick the key id, then verify
import jwt from "jsonwebtoken";

export function verifyWithKid(token: string, keys: Map<string, string>) {
  const kid = jwt.decode(token, { complete: true })?.header.kid ?? "";
  const key = keys.get(kid);
  if (!key) throw new Error("unknown key id");
  return jwt.verify(token, key, { algorithms: ["ES256"] });
}

// === safe: sign with a key from the environment
import { sign } from "jsonwebtoken";

const key = process.env.JWT_PRIVATE_KEY;
if (!key) throw new Error("JWT_PRIVATE_KEY is required");

export function issue(userId: string): string {
  return sign({ sub: userId }, key!, { algorithm: "RS256", expiresIn: "15m" });
}

// === safe: public key verified with RS256 only
import { readFileSync } from "fs";
import jwt from "jsonwebtoken";

const publicKey = readFileSync("/etc/keys/idp_public.pem");

export function verifyToken(token: string) {
  return jwt.verify(token, publicKey, { algorithms: ["RS256"], audience: "shop" });
}

// === safe: Nest JwtModule with ConfigService
import { Module } from "@nestjs/common";
import { ConfigModule, ConfigService } from "@nestjs/config";
import { JwtModule } from "@nestjs/jwt";

@Module({
  imports: [
    JwtModule.registerAsync({
      imports: [ConfigModule],
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        secret: config.getOrThrow<string>("JWT_SECRET"),
        signOptions: { expiresIn: "15m" },
      }),
    }),
  ],
})
export class AuthModule {}

// === safe: express-jwt with environment secret
import express from "express";
import { expressjwt } from "express-jwt";

const app = express();
app.use(expressjwt({ secret: process.env.JWT_SECRET!, algorithms: ["HS256"] }));
app.get("/me", (req, res) => res.json((req as any).auth));

// === safe: decode of another object
class Polyline {
  decode(text: string): number[] {
    return [...text].map((c) => c.charCodeAt(0) - 63);
  }
}

const jwt = new Polyline();

export function route(req: { query: { path: string } }): number[] {
  return jwt.decode(req.query.path);
}

// === safe (tsx): client-side expiry display from decodeJwt
import { decodeJwt } from "jose";
import React from "react";

export function SessionTimer({ idToken }: { idToken: string }) {
  const { exp = 0 } = decodeJwt(idToken);
  const minutes = Math.max(0, Math.round((exp * 1000 - Date.now()) / 60000));
  return <p>Your session ends in {minutes} minutes</p>;
}

// === safe: jose SignJWT with key from environment
import { SignJWT } from "jose";

export async function issue(userId: string): Promise<string> {
  const secret = new TextEncoder().encode(process.env.JWT_SECRET);
  return new SignJWT({ role: "user" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime("2h")
    .sign(secret);
}

// === safe: refusing alg none before verification
import jwt from "jsonwebtoken";

const REFUSED = ["none", "None", "NONE"];

export function verifyStrict(token: string) {
  const header = jwt.decode(token, { complete: true })?.header;
  if (!header || REFUSED.includes(header.alg)) throw new Error("alg none is not accepted");
  return jwt.verify(token, process.env.JWT_PUBLIC_KEY as string, { algorithms: ["EdDSA" as jwt.Algorithm] });
}

// === safe (js): jwt-simple with verification and fixed algorithm
const jwt = require("jwt-simple");

const secret = process.env.JWT_SECRET;

function readToken(req) {
  return jwt.decode(req.headers["x-access-token"], secret, false, "HS256");
}

module.exports = { readToken };
