// === vulnerable: md5 password in Express registration
import { createHash } from "crypto";
import express from "express";

const app = express();
const users = new Map<string, string>();

app.post("/register", express.json(), (req, res) => {
  const hash = createHash("md5").update(req.body.password).digest("hex");
  users.set(req.body.email, hash);
  res.sendStatus(201);
});

// === vulnerable: salted sha256 in one round
import crypto from "node:crypto";

export function hashPassword(password: string): string {
  const salt = crypto.randomBytes(16).toString("hex");
  const digest = crypto.createHash("sha256").update(salt + password).digest("hex");
  return `${salt}$${digest}`;
}

// === vulnerable: sha1 in a mongoose pre-save hook
import { createHash } from "crypto";
import { Schema, model } from "mongoose";

const userSchema = new Schema({ email: String, password: String });

userSchema.pre("save", function (next) {
  if (this.isModified("password") && this.password) {
    this.password = createHash("sha1").update(this.password).digest("hex");
  }
  next();
});

export const User = model("User", userSchema);

// === vulnerable: sha512 via destructuring and template literal
import * as crypto from "crypto";
import type { Request, Response } from "express";

export async function signup(req: Request, res: Response) {
  const { email, password } = req.body;
  const hasher = crypto.createHash("sha512");
  hasher.update(`${email}:${password}`);
  await req.app.locals.db.collection("users").insertOne({ email, passwordHash: hasher.digest("base64") });
  res.sendStatus(201);
}

// === vulnerable: HMAC of the password as the stored hash
import { createHmac } from "crypto";

export class Accounts {
  private readonly users = new Map<string, string>();

  register(name: string, password: string): void {
    const pepper = process.env.PEPPER as string;
    this.users.set(name, createHmac("sha256", pepper).update(password).digest("hex"));
  }
}

// === vulnerable: bcrypt with four rounds
import bcrypt from "bcrypt";

export async function hashPassword(password: string): Promise<string> {
  return bcrypt.hash(password, 4);
}

export const verify = (password: string, hash: string) => bcrypt.compare(password, hash);

// === vulnerable: bcryptjs with cost constant through genSaltSync
import { genSaltSync, hashSync } from "bcryptjs";

const SALT_ROUNDS = 5;

export function hashPassword(password: string): string {
  const salt = genSaltSync(SALT_ROUNDS);
  return hashSync(password, salt);
}

// === vulnerable: pbkdf2Sync with one thousand iterations
import { pbkdf2Sync, randomBytes } from "crypto";

export function hashPassword(password: string): string {
  const salt = randomBytes(16).toString("hex");
  const hash = pbkdf2Sync(password, salt, 1000, 64, "sha512").toString("hex");
  return `${salt}:${hash}`;
}

// === vulnerable: promisified pbkdf2 with iterations from a config object
import { pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(pbkdf2);
const kdf = { iterations: 500, keylen: 32, digest: "sha256" };

export async function hashPassword(password: string) {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, kdf.iterations, kdf.keylen, kdf.digest);
  return { salt, hash };
}

// === vulnerable: crypto-js SHA256 of a password
import SHA256 from "crypto-js/sha256";
import type { Request, Response } from "express";

export function changePassword(req: Request, res: Response) {
  const passwordHash = SHA256(req.body.newPassword).toString();
  req.app.locals.users.update(req.params.id, { passwordHash });
  res.sendStatus(204);
}

// === vulnerable: crypto-js PBKDF2 with low iterations
import CryptoJS from "crypto-js";

export function hashPassword(password: string): string {
  const salt = CryptoJS.lib.WordArray.random(16);
  const key = CryptoJS.PBKDF2(password, salt, { keySize: 256 / 32, iterations: 1 });
  return `${salt}.${key}`;
}

// === vulnerable (js): md5 package in a login check
const md5 = require("md5");

async function login(db, email, password) {
  const [rows] = await db.execute("SELECT id FROM users WHERE email = ? AND password = ?", [email, md5(password)]);
  return rows[0] || null;
}

module.exports = { login };

// === vulnerable: helper function with sha256 in a Nest service
import { Injectable } from "@nestjs/common";
import { createHash } from "crypto";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

@Injectable()
export class UsersService {
  private readonly users: { email: string; passwordHash: string }[] = [];

  create(email: string, password: string) {
    this.users.push({ email, passwordHash: digest(password) });
  }
}

// === vulnerable: scryptSync with a tiny cost
import { randomBytes, scryptSync } from "crypto";

export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 });
  return Buffer.concat([salt, key]).toString("base64");
}

// === safe: bcrypt with twelve rounds
import bcrypt from "bcrypt";

const SALT_ROUNDS = 12;

export async function hashPassword(password: string): Promise<string> {
  return bcrypt.hash(password, SALT_ROUNDS);
}

export const verify = (password: string, hash: string) => bcrypt.compare(password, hash);

// === safe: bcryptjs with genSalt of twelve
import { genSalt, hash } from "bcryptjs";

export async function register(email: string, password: string) {
  const salt = await genSalt(12);
  return { email, passwordHash: await hash(password, salt) };
}

// === safe: argon2id
import argon2 from "argon2";
import type { Request, Response } from "express";

export async function signup(req: Request, res: Response) {
  const { email, password } = req.body;
  const passwordHash = await argon2.hash(password, { type: argon2.argon2id });
  await req.app.locals.db.collection("users").insertOne({ email, passwordHash });
  res.sendStatus(201);
}

// === safe: scrypt with high cost
import { randomBytes, scryptSync } from "crypto";

export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 64, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 });
  return `${salt.toString("hex")}:${key.toString("hex")}`;
}

// === safe: pbkdf2 with 600000 iterations
import { pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(pbkdf2);
const kdf = { iterations: 600_000, keylen: 32, digest: "sha256" };

export async function hashPassword(password: string) {
  const salt = randomBytes(16);
  return { salt, hash: await derive(password, salt, kdf.iterations, kdf.keylen, kdf.digest) };
}

// === safe: bcrypt in a mongoose pre-save hook
import bcrypt from "bcrypt";
import { Schema, model } from "mongoose";

const userSchema = new Schema({ email: String, password: String });

userSchema.pre("save", async function () {
  if (this.isModified("password") && this.password) {
    this.password = await bcrypt.hash(this.password, 12);
  }
});

export const User = model("User", userSchema);

// === safe: sha256 of an uploaded document
import { createHash } from "crypto";
import type { Request, Response } from "express";

export function upload(req: Request, res: Response) {
  const digest = createHash("sha256").update(req.body as Buffer).digest("hex");
  res.status(201).json({ digest });
}

// === safe: sha256 of a high-entropy random reset token
import { createHash, randomBytes } from "crypto";

export function createReset(userId: string) {
  const token = randomBytes(32).toString("base64url");
  const tokenDigest = createHash("sha256").update(token).digest("hex");
  return { token, record: { userId, tokenDigest } };
}

// === safe: WebCrypto PBKDF2 with high iterations
export async function deriveKey(password: string, salt: Uint8Array): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "PBKDF2", salt, iterations: 600_000, hash: "SHA-256" },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

// === safe: hash method of a router object with a small number
class ConsistentRing {
  hash(key: string, replicas: number): number {
    return (key.length * 31 + replicas) % 1024;
  }
}

const bcrypt = new ConsistentRing();

export const slotFor = (key: string) => bcrypt.hash(key, 4);

// === safe: sha256 of the request body next to bcrypt for the password
import bcrypt from "bcrypt";
import { createHash } from "crypto";
import type { Request, Response } from "express";

export async function register(req: Request, res: Response) {
  const avatarDigest = createHash("sha256").update(req.body.avatar).digest("hex");
  const passwordHash = await bcrypt.hash(req.body.password, 12);
  res.status(201).json({ avatarDigest, stored: passwordHash.length > 0 });
}

// === safe (js): argon2 in CommonJS login
const argon2 = require("argon2");

async function login(db, email, password) {
  const [rows] = await db.execute("SELECT id, hash FROM users WHERE email = ?", [email]);
  if (rows.length === 0) return null;
  return (await argon2.verify(rows[0].hash, password)) ? rows[0].id : null;
}

module.exports = { login };
