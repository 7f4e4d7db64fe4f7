// === vulnerable: generateKeyPairSync rsa 1024
import crypto from "crypto";

export function newKeyPair() {
  return crypto.generateKeyPairSync("rsa", {
    modulusLength: 1024,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

// === vulnerable: generateKeyPair callback with 512 bits
import { generateKeyPair } from "node:crypto";
import { writeFile } from "node:fs";

generateKeyPair("rsa", { modulusLength: 512 }, (err, publicKey, privateKey) => {
  if (err) throw err;
  const pem = privateKey.export({ type: "pkcs1", format: "pem" });
  writeFile("device.pem", pem, { mode: 0o600 }, () => console.log(publicKey.asymmetricKeyType));
});

// === vulnerable: promisified generateKeyPair with options in a variable
import { generateKeyPair } from "crypto";
import { promisify } from "util";

const generate = promisify(generateKeyPair);
const options = { modulusLength: 1024, publicExponent: 0x10001 };

export async function issueKeys() {
  const { publicKey, privateKey } = await generate("rsa", options);
  return { publicKey, privateKey };
}

// === vulnerable: modulusLength in a constant
import * as crypto from "crypto";

const RSA_BITS = 1024;

export class KeyStore {
  private keys = new Map<string, crypto.KeyObject>();

  rotate(kid: string): void {
    const { privateKey } = crypto.generateKeyPairSync("rsa", { modulusLength: RSA_BITS });
    this.keys.set(kid, privateKey);
  }
}

// === vulnerable: dsa with a 1024 bit modulus
import { generateKeyPairSync } from "crypto";

export function releaseKey() {
  const pair = generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 });
  return pair.privateKey.export({ type: "pkcs8", format: "pem" });
}

// === vulnerable: WebCrypto RSA-OAEP 1024
export async function browserKeyPair(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(
    {
      name: "RSA-OAEP",
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["encrypt", "decrypt"],
  );
}

// === vulnerable: createDiffieHellman with 512 bit prime
import crypto from "crypto";

export function startHandshake() {
  const dh = crypto.createDiffieHellman(512);
  const publicKey = dh.generateKeys("hex");
  return { dh, publicKey, prime: dh.getPrime("hex") };
}

// === vulnerable: getDiffieHellman group modp2
import { getDiffieHellman } from "node:crypto";

export function session() {
  const alice = getDiffieHellman("modp2");
  alice.generateKeys();
  return alice;
}

// === vulnerable: node-forge rsa 1024
import forge from "node-forge";

export function selfSigned(commonName: string) {
  const keys = forge.pki.rsa.generateKeyPair(1024);
  const cert = forge.pki.createCertificate();
  cert.publicKey = keys.publicKey;
  cert.setSubject([{ name: "commonName", value: commonName }]);
  cert.sign(keys.privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(cert);
}

// === vulnerable: node-forge options object with bits
import { pki } from "node-forge";

export function createKey(callback: (err: Error | null, pem?: string) => void) {
  pki.rsa.generateKeyPair({ bits: 768, workers: 2 }, (err, keypair) => {
    if (err) return callback(err);
    callback(null, pki.privateKeyToPem(keypair.privateKey));
  });
}

// === vulnerable (js): node-rsa 512 bits
const NodeRSA = require("node-rsa");

function createSigner() {
  const key = new NodeRSA({ b: 512 });
  return {
    sign: (text) => key.sign(text, "base64"),
    publicKey: key.exportKey("public"),
  };
}

module.exports = { createSigner };

// === vulnerable: ec keys on a 160 bit curve
import { generateKeyPairSync } from "crypto";

export function tagKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "secp160r1" });
  return { publicKey, privateKey };
}

// === vulnerable: helper with destructured weak default
import crypto from "node:crypto";

function createPair({ bits = 1024 }: { bits?: number } = {}) {
  return crypto.generateKeyPairSync("rsa", { modulusLength: bits });
}

export const tenantKeys = () => createPair();

// === safe: generateKeyPairSync rsa 2048
import crypto from "crypto";

export function newKeyPair() {
  return crypto.generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

// === safe: promisified generateKeyPair 4096
import { generateKeyPair } from "crypto";
import { promisify } from "util";

const generate = promisify(generateKeyPair);

export async function issueKeys() {
  return generate("rsa", { modulusLength: 4096 });
}

// === safe: ed25519 keys
import { generateKeyPairSync } from "node:crypto";

export function signerKeys() {
  return generateKeyPairSync("ed25519");
}

// === safe: ec keys on P-256
import { generateKeyPairSync } from "crypto";

export function tagKey() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

// === safe: WebCrypto RSA-OAEP 3072
export async function browserKeyPair(): Promise<CryptoKeyPair> {
  const algorithm = {
    name: "RSA-OAEP",
    modulusLength: 3072,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  return crypto.subtle.generateKey(algorithm, false, ["encrypt", "decrypt"]);
}

// === safe: WebCrypto AES-GCM with length 256
const usages: KeyUsage[] = ["encrypt", "decrypt"];

export function contentKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, usages);
}

// === safe: ECDH on secp521r1
import { createECDH } from "crypto";

export function handshake(peerPublicKey: Buffer): Buffer {
  const ecdh = createECDH("secp521r1");
  ecdh.generateKeys();
  return ecdh.computeSecret(peerPublicKey);
}

// === safe: Diffie-Hellman group modp14
import { getDiffieHellman } from "node:crypto";

export function session() {
  const alice = getDiffieHellman("modp14");
  alice.generateKeys();
  return alice;
}

// === safe: node-forge rsa 3072
import forge from "node-forge";

export function createKey(): string {
  const keys = forge.pki.rsa.generateKeyPair({ bits: 3072 });
  return forge.pki.privateKeyToPem(keys.privateKey);
}

// === safe: 1024 is an upload limit next to a 2048 bit key
import { generateKeyPairSync } from "crypto";
import express from "express";

const limits = { modulusLength: 2048, bodyBytes: 1024 };
const app = express();
app.use(express.json({ limit: limits.bodyBytes }));

export const keys = generateKeyPairSync("rsa", { modulusLength: limits.modulusLength });

// === safe: generateKeyPair method on a matching game object
class MemoryGame {
  generateKeyPair(theme: string, options: { modulusLength: number }) {
    return [`${theme}-a`, `${theme}-b`].slice(0, options.modulusLength);
  }
}

const game = new MemoryGame();
export const cards = game.generateKeyPair("rsa", { modulusLength: 512 });

// === safe (js): node-rsa 2048
const NodeRSA = require("node-rsa");

function createSigner() {
  const key = new NodeRSA({ b: 2048 });
  return (text) => key.sign(text, "base64");
}

module.exports = { createSigner };
