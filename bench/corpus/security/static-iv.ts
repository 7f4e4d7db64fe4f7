// === vulnerable: createCipheriv with a literal iv string
import crypto from "crypto";

export function encryptCard(card: string, key: Buffer): string {
  const cipher = crypto.createCipheriv("aes-256-cbc", key, "1234567890abcdef");
  return cipher.update(card, "utf8", "hex") + cipher.final("hex");
}

// === vulnerable: Buffer.alloc(16) zero iv
import { createCipheriv } from "node:crypto";

const iv = Buffer.alloc(16);

export function encryptField(value: string, key: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-cbc", key, iv);
  return Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
}

// === vulnerable: Buffer.alloc with explicit zero fill in a class
import * as crypto from "crypto";

export class TokenBox {
  private static readonly IV = Buffer.alloc(12, 0);

  constructor(private readonly key: Buffer) {}

  seal(token: string): string {
    const cipher = crypto.createCipheriv("aes-256-gcm", this.key, TokenBox.IV);
    const body = Buffer.concat([cipher.update(token, "utf8"), cipher.final()]);
    return Buffer.concat([cipher.getAuthTag(), body]).toString("base64");
  }
}

// === vulnerable: iv from a hex literal in a config object
import { createCipheriv } from "crypto";

const settings = {
  algorithm: "aes-256-cbc",
  iv: "000102030405060708090a0b0c0d0e0f",
};

export function encryptExport(data: Buffer, key: Buffer): Buffer {
  const cipher = createCipheriv(settings.algorithm, key, Buffer.from(settings.iv, "hex"));
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

// === vulnerable: WebCrypto AES-GCM with a zero Uint8Array
export async function encryptNote(note: string, key: CryptoKey): Promise<ArrayBuffer> {
  const iv = new Uint8Array(12);
  return crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(note));
}

// === vulnerable: WebCrypto AES-CBC with encoded constant text
const IV_TEXT = "fixed-iv-for-app";
const encoder = new TextEncoder();

export async function encryptDraft(draft: string, key: CryptoKey) {
  const params = { name: "AES-CBC", iv: encoder.encode(IV_TEXT) };
  const data = await window.crypto.subtle.encrypt(params, key, encoder.encode(draft));
  return new Uint8Array(data);
}

// === vulnerable: crypto-js AES with a parsed literal iv
import CryptoJS from "crypto-js";

export function encryptPayload(payload: object, rawKey: string): string {
  const key = CryptoJS.enc.Utf8.parse(rawKey);
  const iv = CryptoJS.enc.Utf8.parse("0000000000000000");
  return CryptoJS.AES.encrypt(JSON.stringify(payload), key, { iv, mode: CryptoJS.mode.CBC }).toString();
}

// === vulnerable: pbkdf2Sync with literal salt
import { pbkdf2Sync } from "crypto";

export function hashPassword(password: string): string {
  return pbkdf2Sync(password, "salt", 600000, 64, "sha512").toString("hex");
}

// === vulnerable: scryptSync with a constant salt
import { createCipheriv, randomBytes, scryptSync } from "node:crypto";

const SALT = "my-app-salt";

export function encryptVault(plain: string, password: string): Buffer {
  const key = scryptSync(password, SALT, 32);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

// === vulnerable (js): promisified scrypt with template literal salt of constants
const crypto = require("crypto");
const { promisify } = require("util");

const scrypt = promisify(crypto.scrypt);
const APP = "storefront";

async function hashPassword(password) {
  const key = await scrypt(password, `${APP}-salt-v1`, 64);
  return key.toString("base64");
}

module.exports = { hashPassword };

// === vulnerable: bcryptjs hashSync with a fixed salt
import bcrypt from "bcryptjs";

const salt = "$2a$12$abcdefghijklmnopqrstuu";

export function register(users: Map<string, string>, email: string, password: string): void {
  users.set(email, bcrypt.hashSync(password, salt));
}

// === vulnerable: helper function returns a byte array literal
import { createCipheriv } from "crypto";

function defaultNonce(): Buffer {
  return Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
}

export function seal(message: Buffer, key: Buffer) {
  const cipher = createCipheriv("chacha20-poly1305", key, defaultNonce(), { authTagLength: 16 });
  const body = Buffer.concat([cipher.update(message), cipher.final()]);
  return { body, tag: cipher.getAuthTag() };
}

// === vulnerable: tweetnacl secretbox with zero nonce
import nacl from "tweetnacl";

export function sealBox(message: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = new Uint8Array(nacl.secretbox.nonceLength);
  return nacl.secretbox(message, nonce, key);
}

// === safe: randomBytes iv
import crypto from "crypto";

export function encryptCard(card: string, key: Buffer): string {
  const iv = crypto.randomBytes(16);
  const cipher = crypto.createCipheriv("aes-256-cbc", key, iv);
  return `${iv.toString("hex")}:${cipher.update(card, "utf8", "hex")}${cipher.final("hex")}`;
}

// === safe: zero buffer filled with random bytes before use
import { createCipheriv, randomFillSync } from "node:crypto";

export function encryptField(value: string, key: Buffer): Buffer {
  const iv = Buffer.alloc(12);
  randomFillSync(iv);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

// === safe: WebCrypto getRandomValues iv
export async function encryptNote(note: string, key: CryptoKey) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(note));
  return { iv, data };
}

// === safe: Uint8Array filled in place by getRandomValues
export async function encryptDraft(draft: string, key: CryptoKey) {
  const iv = new Uint8Array(16);
  window.crypto.getRandomValues(iv);
  const data = await window.crypto.subtle.encrypt({ name: "AES-CBC", iv }, key, new TextEncoder().encode(draft));
  return { iv, data };
}

// === safe: decryption reads iv from the message
import { createDecipheriv } from "crypto";

export function decryptCard(message: string, key: Buffer): string {
  const [ivHex, body] = message.split(":");
  const decipher = createDecipheriv("aes-256-cbc", key, Buffer.from(ivHex, "hex"));
  return decipher.update(body, "hex", "utf8") + decipher.final("utf8");
}

// === safe: pbkdf2 with per-user random salt
import { pbkdf2Sync, randomBytes } from "crypto";

export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(password, salt, 600000, 64, "sha512");
  return `${salt.toString("hex")}.${hash.toString("hex")}`;
}

// === safe: scrypt verification with stored salt
import { scryptSync, timingSafeEqual } from "node:crypto";

export function verify(stored: { salt: string; hash: string }, password: string): boolean {
  const actual = scryptSync(password, Buffer.from(stored.salt, "base64"), 64);
  return timingSafeEqual(actual, Buffer.from(stored.hash, "base64"));
}

// === safe: crypto-js random WordArray iv
import CryptoJS from "crypto-js";

export function encryptPayload(payload: object, keyHex: string) {
  const iv = CryptoJS.lib.WordArray.random(16);
  const key = CryptoJS.enc.Hex.parse(keyHex);
  const body = CryptoJS.AES.encrypt(JSON.stringify(payload), key, { iv }).toString();
  return { iv: iv.toString(), body };
}

// === safe: bcrypt with generated salt
import bcrypt from "bcrypt";

export async function register(email: string, password: string) {
  const salt = await bcrypt.genSalt(12);
  return { email, passwordHash: await bcrypt.hash(password, salt) };
}

// === safe: constant additional data and random nonce
import { createCipheriv, randomBytes } from "crypto";

const AAD = Buffer.from("0000000000000000", "hex");

export function wrapKey(dataKey: Buffer, kek: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", kek, nonce).setAAD(AAD);
  return Buffer.concat([nonce, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()]);
}

// === safe: iv and salt as unrelated words
const vitals = { iv: "saline", salt: "low sodium" };
const menu = Buffer.alloc(16);

export function describePatient(name: string): string {
  menu.write(vitals.salt);
  return `${name}: IV ${vitals.iv}, diet ${menu.toString("utf8").replace(/\0+$/, "")}`;
}

// === safe (js): random nonce from tweetnacl
const nacl = require("tweetnacl");

function sealBox(message, key) {
  const nonce = nacl.randomBytes(nacl.secretbox.nonceLength);
  return { nonce, box: nacl.secretbox(message, nonce, key) };
}

module.exports = { sealBox };
