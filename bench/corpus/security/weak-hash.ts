// === vulnerable: node crypto createHash md5 for a session token
import crypto from "crypto";

export function createSessionToken(userId: string, secret: string): string {
  return crypto.createHash("md5").update(`${userId}:${secret}:${Date.now()}`).digest("hex");
}

// === vulnerable: named import createHash sha1 for a signed URL
import { createHash } from "node:crypto";

const secret = process.env.URL_SECRET as string;

export function signUrl(path: string, expires: number): string {
  const hash = createHash("sha1");
  hash.update(secret + path + expires);
  return `${path}?e=${expires}&sig=${hash.digest("base64url")}`;
}

// === vulnerable: algorithm name held in a config object
import * as crypto from "crypto";

const config = {
  signature: { algorithm: "md5", encoding: "hex" as const },
};

export class RequestSigner {
  constructor(private readonly appSecret: string) {}

  sign(params: Record<string, string>): string {
    const base = Object.keys(params).sort().map((k) => `${k}=${params[k]}`).join("&");
    return crypto
      .createHash(config.signature.algorithm)
      .update(base + this.appSecret)
      .digest(config.signature.encoding);
  }
}

// === vulnerable: createSign with RSA-SHA1
import { createSign } from "crypto";
import { readFileSync } from "fs";

export function signInvoice(invoice: Buffer): string {
  const signer = createSign("RSA-SHA1");
  signer.update(invoice);
  signer.end();
  return signer.sign(readFileSync("/etc/billing/signing.pem"), "base64");
}

// === vulnerable: createVerify with RSA-MD5
import crypto from "node:crypto";

export function verifyCallback(body: string, signature: string, publicKey: string): boolean {
  const verifier = crypto.createVerify("RSA-MD5");
  verifier.update(body, "utf8");
  return verifier.verify(publicKey, signature, "base64");
}

// === vulnerable: crypto-js MD5 for an API signature
import CryptoJS from "crypto-js";
import axios from "axios";

export async function fetchBalance(accountId: string, apiSecret: string) {
  const ts = Date.now().toString();
  const signature = CryptoJS.MD5(accountId + ts + apiSecret).toString();
  const { data } = await axios.get("https://pay.example.com/v1/balance", {
    params: { accountId, ts, signature },
  });
  return data.balance;
}

// === vulnerable: crypto-js/sha1 default import
import sha1 from "crypto-js/sha1";

export function inviteToken(email: string, teamSecret: string): string {
  const digest = sha1([email, teamSecret].join("|"));
  return digest.toString();
}

// === vulnerable: WebCrypto SHA-1 for a token digest
export async function tokenDigest(userId: string, secret: string): Promise<string> {
  const bytes = new TextEncoder().encode(userId + secret);
  const digest = await crypto.subtle.digest("SHA-1", bytes);
  return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, "0")).join("");
}

// === vulnerable: WebCrypto digest with algorithm object
const { subtle } = globalThis.crypto;

export async function verifyUpdate(bundle: ArrayBuffer, signedDigest: string) {
  const algorithm = { name: "SHA-1" };
  const digest = await subtle.digest(algorithm, bundle);
  const hex = Buffer.from(digest).toString("hex");
  if (hex !== signedDigest) throw new Error("update bundle was tampered with");
}

// === vulnerable (js): CommonJS destructured createHash in an Express handler
const express = require("express");
const { createHash: hashOf } = require("crypto");

const app = express();
app.use(express.json());

app.post("/api-keys", (req, res) => {
  const material = `${req.body.owner}-${process.env.KEY_PEPPER}`;
  const apiKey = hashOf("sha1").update(material).digest("hex");
  res.status(201).json({ apiKey });
});

app.listen(3000);

// === vulnerable: md5 npm package used for an authentication token
import md5 from "md5";
import type { Request, Response } from "express";

export function rememberMe(req: Request, res: Response) {
  const token = md5(req.body.username + process.env.REMEMBER_SECRET);
  res.cookie("remember", token, { httpOnly: true, secure: true });
  res.redirect("/");
}

// === vulnerable: crypto.hash one-shot with md5 and helper function
import crypto from "node:crypto";

function fingerprint(input: string): string {
  return crypto.hash("md5", input, "hex");
}

export function buildLicense(customer: string, vendorSecret: string) {
  return { customer, signature: fingerprint(`${customer}${vendorSecret}`) };
}

// === safe: createHash sha256 of a reset token
import crypto from "crypto";

export function newResetToken() {
  const token = crypto.randomBytes(32).toString("hex");
  const stored = crypto.createHash("sha256").update(token).digest("hex");
  return { token, stored };
}

// === safe: HMAC sha256 signed URL
import { createHmac } from "node:crypto";

export function signUrl(path: string, expires: number, secret: string): string {
  const mac = createHmac("sha256", secret).update(`${path}\n${expires}`).digest("base64url");
  return `${path}?e=${expires}&sig=${mac}`;
}

// === safe: createSign with RSA-SHA256
import { createSign } from "crypto";
import { readFileSync } from "fs";

export function signInvoice(invoice: Buffer): string {
  const signer = createSign("RSA-SHA256");
  signer.update(invoice);
  signer.end();
  return signer.sign(readFileSync("/etc/billing/signing.pem"), "base64");
}

// === safe: algorithm name from a config object is sha512
import * as crypto from "crypto";

const config = { integrity: { algorithm: "sha512" } };

export function integrityOf(file: Buffer): string {
  const digest = crypto.createHash(config.integrity.algorithm).update(file).digest("base64");
  return `${config.integrity.algorithm}-${digest}`;
}

// === safe: WebCrypto SHA-256
export async function pkceChallenge(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

// === safe: crypto-js SHA256
import SHA256 from "crypto-js/sha256";
import Hex from "crypto-js/enc-hex";

export function documentFingerprint(content: string): string {
  return SHA256(content).toString(Hex);
}

// === safe: md5 only as an ETag
import { createHash } from "crypto";
import type { Request, Response } from "express";

export function sendWithEtag(req: Request, res: Response, body: string) {
  const etag = `"${createHash("md5").update(body).digest("hex")}"`;
  res.setHeader("ETag", etag);
  if (req.headers["if-none-match"] === etag) return res.status(304).end();
  return res.send(body);
}

// === safe: method named md5 on a file metadata object
interface StoredFile {
  name: string;
  md5(): string;
}

export function renderRow(file: StoredFile): string {
  return `${file.name.padEnd(40)} md5:${file.md5()}`;
}

// === safe: list of forbidden algorithm names and a message
import { createHash } from "node:crypto";

const forbidden = ["md5", "sha1", "md4"];

export function hashWith(name: "sha256" | "sha384", data: Buffer): Buffer {
  if (forbidden.includes(name)) {
    throw new Error("createHash('md5') and createHash('sha1') are not allowed");
  }
  return createHash(name).update(data).digest();
}

// === safe: sha3-256 in a class method
import { createHash } from "crypto";

export class AuditChain {
  private head = "0".repeat(64);

  append(entry: object): string {
    this.head = createHash("sha3-256").update(this.head).update(JSON.stringify(entry)).digest("hex");
    return this.head;
  }
}

// === safe (js): CommonJS sha384 for subresource integrity
const { createHash } = require("crypto");
const fs = require("fs");

function sri(file) {
  const digest = createHash("sha384").update(fs.readFileSync(file)).digest("base64");
  return `sha384-${digest}`;
}

module.exports = { sri };

// === safe: createHash on an unrelated router object
class HashRouter {
  createHash(name: string) {
    return `#/${name}`;
  }
}

const router = new HashRouter();

export function openPage(page: string) {
  window.location.hash = router.createHash("md5");
  document.title = page;
}
