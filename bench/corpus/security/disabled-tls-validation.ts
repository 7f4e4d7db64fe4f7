// === vulnerable: https.Agent with rejectUnauthorized false for axios
import axios from "axios";
import https from "https";

const httpsAgent = new https.Agent({ rejectUnauthorized: false });

export async function fetchInvoices(token: string) {
  const { data } = await axios.get("https://billing.internal/invoices", {
    httpsAgent,
    headers: { Authorization: `Bearer ${token}` },
  });
  return data;
}

// === vulnerable: NODE_TLS_REJECT_UNAUTHORIZED assignment
import fetch from "node-fetch";

process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

export async function syncOrders() {
  const res = await fetch("https://erp.internal/orders");
  return res.json();
}

// === vulnerable: NODE_TLS_REJECT_UNAUTHORIZED by index and number
import { get } from "node:https";

process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = 0 as unknown as string;

export function ping(host: string, done: (code?: number) => void) {
  get({ host, path: "/health" }, (res) => done(res.statusCode));
}

// === vulnerable: https.request options object
import https from "https";

export function postEvent(body: string): void {
  const options: https.RequestOptions = {
    hostname: "events.internal",
    port: 8443,
    method: "POST",
    rejectUnauthorized: false,
  };
  const req = https.request(options, (res) => res.resume());
  req.end(body);
}

// === vulnerable: tls.connect with checkServerIdentity accepting all
import tls from "tls";

export function openChannel(host: string): tls.TLSSocket {
  return tls.connect({
    host,
    port: 6697,
    checkServerIdentity: () => undefined,
  });
}

// === vulnerable: got with https rejectUnauthorized false
import got from "got";

const client = got.extend({
  prefixUrl: "https://inventory.internal",
  https: { rejectUnauthorized: false },
});

export const stock = (sku: string) => client.get(`stock/${sku}`).json();

// === vulnerable: undici Agent with connect options
import { Agent, setGlobalDispatcher } from "undici";

setGlobalDispatcher(
  new Agent({
    connect: { rejectUnauthorized: false },
  }),
);

export async function load(url: string) {
  return (await fetch(url)).json();
}

// === vulnerable: pg pool accepting any certificate
import { Pool } from "pg";

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  ssl: { rejectUnauthorized: false },
});

export const countUsers = async () => (await pool.query("SELECT count(*) FROM users")).rows[0].count;

// === vulnerable: flag variable reaches the agent in a class
import { Agent } from "node:https";
import axios, { AxiosInstance } from "axios";

const STRICT_TLS = false;

export class VaultClient {
  private readonly http: AxiosInstance;

  constructor(baseURL: string) {
    this.http = axios.create({ baseURL, httpsAgent: new Agent({ rejectUnauthorized: STRICT_TLS }) });
  }

  read(path: string) {
    return this.http.get(`/v1/${path}`);
  }
}

// === vulnerable (js): request library with strictSSL false
const request = require("request");

function download(url, done) {
  request({ url, strictSSL: false, json: true }, (err, res, body) => done(err, body));
}

module.exports = { download };

// === vulnerable: nodemailer transport with tls option
import nodemailer from "nodemailer";

const transport = nodemailer.createTransport({
  host: "smtp.internal",
  port: 587,
  auth: { user: process.env.SMTP_USER, pass: process.env.SMTP_PASS },
  tls: { rejectUnauthorized: false },
});

export const sendReset = (to: string, link: string) =>
  transport.sendMail({ from: "no-reply@example.com", to, subject: "Reset", text: link });

// === vulnerable: Electron certificate-error handler accepts everything
import { app, BrowserWindow } from "electron";

app.on("certificate-error", (event, _webContents, _url, _error, _certificate, callback) => {
  event.preventDefault();
  callback(true);
});

app.whenReady().then(() => new BrowserWindow({ width: 1200, height: 800 }).loadURL("https://app.example.com"));

// === vulnerable: Electron setCertificateVerifyProc always returns 0
import { app, session } from "electron";

app.whenReady().then(() => {
  session.defaultSession.setCertificateVerifyProc((_request, callback) => {
    callback(0);
  });
});

// === vulnerable: WebSocket client with shared options spread
import WebSocket from "ws";

const insecure = { rejectUnauthorized: false };

export function subscribe(url: string, token: string): WebSocket {
  return new WebSocket(url, { ...insecure, headers: { authorization: token } });
}

// === safe: https.Agent with private CA
import axios from "axios";
import { readFileSync } from "fs";
import https from "https";

const httpsAgent = new https.Agent({ ca: readFileSync("/etc/pki/internal-ca.pem"), keepAlive: true });

export async function fetchInvoices(token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return (await axios.get("https://billing.internal/invoices", { httpsAgent, headers })).data;
}

// === safe: rejectUnauthorized true
import https from "https";

export function postEvent(body: string): void {
  const options = { hostname: "events.internal", method: "POST", rejectUnauthorized: true };
  const req = https.request(options, (res) => res.resume());
  req.end(body);
}

// === safe: NODE_EXTRA_CA_CERTS and a startup check
if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
  throw new Error("refusing to start with TLS verification disabled");
}

export async function syncOrders() {
  const res = await fetch("https://erp.internal/orders");
  return res.json();
}

// === safe: environment variable set to 1
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "1";

export async function load(url: string): Promise<unknown> {
  const res = await fetch(url);
  if (!res.ok) throw new Error(`HTTP ${res.status}`);
  return res.json();
}

// === safe: checkServerIdentity that pins on top of the default check
import tls from "tls";

const PINNED = process.env.SERVER_FINGERPRINT;

export function openChannel(host: string): tls.TLSSocket {
  return tls.connect({
    host,
    port: 6697,
    checkServerIdentity: (name, cert) => {
      const err = tls.checkServerIdentity(name, cert);
      if (err) return err;
      return cert.fingerprint256 === PINNED ? undefined : new Error("pin mismatch");
    },
  });
}

// === safe: pg pool with CA
import { readFileSync } from "node:fs";
import { Pool } from "pg";

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  ssl: { ca: readFileSync("/etc/pki/rds-ca.pem", "utf8"), rejectUnauthorized: true },
});

// === safe: got with certificateAuthority
import got from "got";
import { readFileSync } from "fs";

const client = got.extend({
  prefixUrl: "https://inventory.internal",
  https: { certificateAuthority: readFileSync("/etc/pki/ca.pem") },
});

export const stock = (sku: string) => client.get(`stock/${sku}`).json();

// === safe: Electron certificate-error handler refuses
import { app } from "electron";

app.on("certificate-error", (event, _webContents, url, error, _certificate, callback) => {
  console.error("certificate problem", url, error);
  event.preventDefault();
  callback(false);
});

// === safe: Electron verify proc falls back to Chromium
import { app, session } from "electron";

app.whenReady().then(() => {
  session.defaultSession.setCertificateVerifyProc((request, callback) => {
    callback(request.hostname.endsWith(".example.com") ? -3 : -2);
  });
});

// === safe: strictSSL true with request
import request from "request";

export function download(url: string, done: (err: unknown, body: unknown) => void) {
  request({ url, strictSSL: true, json: true }, (err, _res, body) => done(err, body));
}

// === safe: rejectUnauthorized is a form option of an access guard
interface GuardOptions {
  rejectUnauthorized: boolean;
  loginPath: string;
}

function describeGuard(options: GuardOptions): string {
  return options.rejectUnauthorized ? "403" : `redirect to ${options.loginPath}`;
}

export const guardMode = describeGuard({ rejectUnauthorized: false, loginPath: "/login" });

// === safe: error hint text only
import axios, { AxiosError } from "axios";

export async function probe(url: string): Promise<number> {
  try {
    return (await axios.get(url)).status;
  } catch (e) {
    const hint = "never set rejectUnauthorized: false; use NODE_EXTRA_CA_CERTS instead";
    throw new Error(`${(e as AxiosError).code}: ${hint}`);
  }
}

// === safe (js): CommonJS mutual TLS agent
const fs = require("fs");
const https = require("https");

const agent = new https.Agent({
  cert: fs.readFileSync("/etc/pki/client.pem"),
  key: fs.readFileSync("/etc/pki/client.key"),
  minVersion: "TLSv1.2",
});

module.exports = { get: (path, cb) => https.get({ host: "api.internal", path, agent }, cb) };
