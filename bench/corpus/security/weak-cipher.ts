// === vulnerable: createCipheriv with des-ede3-cbc
import crypto from "crypto";

export function encryptCard(card: string, key: Buffer): string {
  const iv = crypto.randomBytes(8);
  const cipher = crypto.createCipheriv("des-ede3-cbc", key, iv);
  return iv.toString("hex") + cipher.update(card, "utf8", "hex") + cipher.final("hex");
}

// === vulnerable: createCipher derives the key from a password
import crypto from "crypto";

export function encryptNote(note: string, passphrase: string): string {
  const cipher = crypto.createCipher("aes-256-cbc", passphrase);
  let out = cipher.update(note, "utf8", "base64");
  out += cipher.final("base64");
  return out;
}

// === vulnerable: aes-128-ecb with null iv
import { createCipheriv } from "node:crypto";

export function encryptId(id: string, key: Buffer): string {
  const cipher = createCipheriv("aes-128-ecb", key, null);
  return Buffer.concat([cipher.update(id, "utf8"), cipher.final()]).toString("base64url");
}

// === vulnerable: rc4 with the algorithm in a constant
import * as crypto from "crypto";

const ALGORITHM = "rc4";

export class LegacyStream {
  private readonly cipher: crypto.Cipher;

  constructor(key: Buffer) {
    this.cipher = crypto.createCipheriv(ALGORITHM, key, "");
  }

  write(chunk: Buffer): Buffer {
    return this.cipher.update(chunk);
  }
}

// === vulnerable: algorithm assembled in a template literal
import { createCipheriv, randomBytes } from "crypto";

const KEY_BITS = 256;
const MODE = "ecb";

export function sealRecord(record: object, key: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${KEY_BITS}-${MODE}`, key, null);
  const salt = randomBytes(16);
  return Buffer.concat([salt, cipher.update(JSON.stringify(record)), cipher.final()]);
}

// === vulnerable: crypto-js DES
import CryptoJS from "crypto-js";

export function encryptPin(pin: string, key: string): string {
  return CryptoJS.DES.encrypt(pin, key).toString();
}

// === vulnerable: crypto-js AES with ECB mode option
import CryptoJS from "crypto-js";

export function encryptPayload(payload: unknown, rawKey: string): string {
  const key = CryptoJS.enc.Utf8.parse(rawKey);
  const encrypted = CryptoJS.AES.encrypt(JSON.stringify(payload), key, {
    mode: CryptoJS.mode.ECB,
    padding: CryptoJS.pad.Pkcs7,
  });
  return encrypted.toString();
}

// === vulnerable: crypto-js subpath imports with shared ECB options
import AES from "crypto-js/aes";
import Utf8 from "crypto-js/enc-utf8";
import ECB from "crypto-js/mode-ecb";

const options = { mode: ECB };

export function openTicket(ticket: string, rawKey: string): string {
  return AES.decrypt(ticket, Utf8.parse(rawKey), options).toString(Utf8);
}

// === vulnerable: crypto-js RC4 and TripleDES destructured
import { RC4, TripleDES } from "crypto-js";

export function obfuscate(message: string, key: string, strong: boolean): string {
  const engine = strong ? TripleDES : RC4;
  return engine.encrypt(message, key).toString();
}

// === vulnerable (js): CommonJS blowfish in an Express route
const crypto = require("crypto");
const express = require("express");

const router = express.Router();
const key = Buffer.from(process.env.EXPORT_KEY, "hex");

router.post("/export", express.text(), (req, res) => {
  const iv = crypto.randomBytes(8);
  const cipher = crypto.createCipheriv("bf-cbc", key, iv);
  res.send(Buffer.concat([iv, cipher.update(req.body), cipher.final()]));
});

module.exports = router;

// === vulnerable: node-forge DES-ECB cipher
import forge from "node-forge";

export function encryptLegacy(key: string, data: string): string {
  const cipher = forge.cipher.createCipher("DES-ECB", key);
  cipher.start({});
  cipher.update(forge.util.createBuffer(data));
  cipher.finish();
  return cipher.output.toHex();
}

// === vulnerable: createDecipher through an import alias
import { createDecipher as open } from "crypto";

export function readLegacyBackup(blob: Buffer, password: string): Buffer {
  const decipher = open("aes192", password);
  return Buffer.concat([decipher.update(blob), decipher.final()]);
}

// === safe: aes-256-gcm with random iv
import crypto from "crypto";

export function encryptCard(card: string, key: Buffer): string {
  const iv = crypto.randomBytes(12);
  const cipher = crypto.createCipheriv("aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(card, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
}

// === safe: chacha20-poly1305
import { createCipheriv, randomBytes } from "node:crypto";

export function seal(message: Buffer, key: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  const body = Buffer.concat([cipher.update(message), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

// === safe: WebCrypto AES-GCM
export async function encryptNote(note: string, key: CryptoKey) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(note));
  return { iv, data };
}

// === safe: algorithm assembled from constants is aes-256-gcm
import { createCipheriv, randomBytes } from "crypto";

const KEY_BITS = 256;
const MODE = "gcm";

export function sealRecord(record: object, key: Buffer) {
  const iv = randomBytes(12);
  const cipher = createCipheriv(`aes-${KEY_BITS}-${MODE}` as "aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(JSON.stringify(record)), cipher.final()]);
  return { iv, tag: cipher.getAuthTag(), body };
}

// === safe: scrypt-derived key and createCipheriv instead of createCipher
import { createCipheriv, randomBytes, scryptSync } from "crypto";

export function encryptNote(note: string, passphrase: string): Buffer {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const key = scryptSync(passphrase, salt, 32);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([salt, iv, cipher.update(note, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

// === safe: createCipher method of another library object
interface VaultTransit {
  createCipher(keyName: string, version: number): Promise<{ wrap(data: Buffer): Promise<string> }>;
}

export async function wrapKey(transit: VaultTransit, dataKey: Buffer): Promise<string> {
  const handle = await transit.createCipher("orders", 3);
  return handle.wrap(dataKey);
}

// === safe: object with DES and ECB keys unrelated to encryption
const desks = {
  DES: { encrypt: false, floor: 2 },
  ECB: { encrypt: true, floor: 3 },
};

export function floorOf(code: keyof typeof desks): number {
  return desks[code].floor;
}

export const currencySources = ["ECB", "FED", "BOE"];

// === safe: rejecting weak algorithms by name
import { createCipheriv, randomBytes } from "crypto";

const BLOCKED = new Set(["des-ede3-cbc", "rc4", "aes-128-ecb", "bf-cbc"]);

export function encrypt(requested: string, key: Buffer, data: Buffer): Buffer {
  if (BLOCKED.has(requested)) {
    throw new RangeError("createCipheriv('rc4') and friends are not supported");
  }
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([iv, cipher.update(data), cipher.final(), cipher.getAuthTag()]);
}

// === safe: node-forge AES-GCM
import forge from "node-forge";

export function encryptModern(key: string, data: string) {
  const iv = forge.random.getBytesSync(12);
  const cipher = forge.cipher.createCipher("AES-GCM", key);
  cipher.start({ iv, tagLength: 128 });
  cipher.update(forge.util.createBuffer(data));
  cipher.finish();
  return { iv, body: cipher.output.getBytes(), tag: cipher.mode.tag.getBytes() };
}

// === safe (js): libsodium secretbox
const sodium = require("libsodium-wrappers");

async function sealBox(key, message) {
  await sodium.ready;
  const nonce = sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES);
  const box = sodium.crypto_secretbox_easy(message, nonce, key);
  return { nonce, box };
}

module.exports = { sealBox };

// === safe: JOSE encryption with A256GCM
import { CompactEncrypt } from "jose";

export async function encryptClaims(claims: object, key: Uint8Array): Promise<string> {
  const plaintext = new TextEncoder().encode(JSON.stringify(claims));
  return new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .encrypt(key);
}
