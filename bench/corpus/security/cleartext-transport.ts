// === vulnerable: axios post of a password over http
import axios from "axios";

export async function signIn(user: string, password: string) {
  const { data } = await axios.post("http://auth.example.com/login", { user, password });
  return data.token;
}

// === vulnerable: fetch with bearer token through a constant
const API = "http://api.example.com/v1";

export async function orders(token: string) {
  const res = await fetch(`${API}/orders`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return res.json();
}

// === vulnerable: websocket with a token
export function stream(token: string): WebSocket {
  const socket = new WebSocket("ws://stream.example.com/feed");
  socket.addEventListener("open", () => socket.send(JSON.stringify({ token })));
  return socket;
}

// === vulnerable: nodemailer with tls ignored
import nodemailer from "nodemailer";

export const transport = nodemailer.createTransport({
  host: "mail.example.com",
  port: 25,
  secure: false,
  ignoreTLS: true,
  auth: { user: "robot", pass: process.env.SMTP_PASSWORD },
});

// === vulnerable: basic-ftp without tls
import { Client } from "basic-ftp";

export async function upload(file: string) {
  const client = new Client();
  await client.access({
    host: "ftp.example.com",
    user: "deploy",
    password: process.env.FTP_PASSWORD,
    secure: false,
  });
  await client.uploadFrom(file, "site.zip");
  client.close();
}

// === vulnerable: ldapjs simple bind
import ldap from "ldapjs";

const client = ldap.createClient({ url: "ldap://directory.example.com:389" });
client.bind("cn=reader,dc=example,dc=com", process.env.LDAP_PASSWORD!, (err) => {
  if (err) throw err;
});

// === vulnerable: grpc createInsecure
import * as grpc from "@grpc/grpc-js";
import { PaymentsClient } from "./generated/payments";

export const payments = new PaymentsClient(
  "payments.example.com:50051",
  grpc.credentials.createInsecure(),
);

// === vulnerable: http.request with basic auth
import http from "http";

export function report(callback: (res: http.IncomingMessage) => void) {
  const request = http.request(
    { hostname: "reports.example.com", path: "/latest", auth: `robot:${process.env.REPORT_PASSWORD}` },
    callback,
  );
  request.end();
}

// === vulnerable: mqtt with a password
import mqtt from "mqtt";

const client = mqtt.connect("mqtt://broker.example.com:1883", {
  username: "sensor",
  password: process.env.MQTT_PASSWORD,
});
client.on("connect", () => client.publish("door", "open"));

// === vulnerable: electron window loading remote http
import { app, BrowserWindow } from "electron";

app.whenReady().then(() => {
  const win = new BrowserWindow({ width: 800, height: 600 });
  win.loadURL("http://app.example.com/");
});

// === vulnerable: pg connection string with sslmode disabled
import { Pool } from "pg";

export const pool = new Pool({
  connectionString: `postgres://shop:${process.env.DB_PASSWORD}@db.example.com/shop?sslmode=disable`,
});

// === vulnerable: got instance with http prefix
import got from "got";

const client = got.extend({
  prefixUrl: "http://billing.example.com",
  headers: { "x-api-key": process.env.BILLING_KEY },
});

export const invoices = () => client.get("invoices").json();

// === safe: axios over https
import axios from "axios";

export async function signIn(user: string, password: string) {
  const { data } = await axios.post("https://auth.example.com/login", { user, password });
  return data.token;
}

// === safe: relative fetch
export async function orders(token: string) {
  const res = await fetch("/api/orders", { headers: { Authorization: `Bearer ${token}` } });
  return res.json();
}

// === safe: wss
export function stream(token: string): WebSocket {
  const socket = new WebSocket("wss://stream.example.com/feed");
  socket.addEventListener("open", () => socket.send(JSON.stringify({ token })));
  return socket;
}

// === safe: nodemailer over tls
import nodemailer from "nodemailer";

export const transport = nodemailer.createTransport({
  host: "mail.example.com",
  port: 465,
  secure: true,
  auth: { user: "robot", pass: process.env.SMTP_PASSWORD },
});

// === safe: nodemailer with required starttls
import nodemailer from "nodemailer";

export const transport = nodemailer.createTransport({
  host: "mail.example.com",
  port: 587,
  secure: false,
  requireTLS: true,
  auth: { user: "robot", pass: process.env.SMTP_PASSWORD },
});

// === safe: svg namespace
const SVG_NS = "http://www.w3.org/2000/svg";

export function circle(radius: number): SVGCircleElement {
  const node = document.createElementNS(SVG_NS, "circle");
  node.setAttribute("r", String(radius));
  return node;
}

// === safe: http to localhost in development
import axios from "axios";

export async function health(): Promise<boolean> {
  const res = await axios.get("http://localhost:8080/health");
  return res.status === 200;
}

// === safe: ftp over tls
import { Client } from "basic-ftp";

export async function upload(file: string) {
  const client = new Client();
  await client.access({
    host: "ftp.example.com",
    user: "deploy",
    password: process.env.FTP_PASSWORD,
    secure: true,
  });
  await client.uploadFrom(file, "site.zip");
  client.close();
}

// === safe: ldaps
import ldap from "ldapjs";

const client = ldap.createClient({ url: "ldaps://directory.example.com:636" });
client.bind("cn=reader,dc=example,dc=com", process.env.LDAP_PASSWORD!, (err) => {
  if (err) throw err;
});

// === safe: grpc createSsl
import * as grpc from "@grpc/grpc-js";
import { PaymentsClient } from "./generated/payments";

export const payments = new PaymentsClient("payments.example.com:443", grpc.credentials.createSsl());

// === safe: scheme test and base of a URL parser
import http from "http";

http
  .createServer((req, res) => {
    const url = new URL(req.url!, "http://localhost");
    if (req.headers["x-forwarded-proto"] === "http") {
      res.writeHead(308, { Location: "https://app.example.com" + url.pathname });
    }
    res.end();
  })
  .listen(3000, "127.0.0.1");

// === safe: json schema identifier
export const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { name: { type: "string" } },
};
