// === vulnerable: mysql createConnection with literal password
import mysql from "mysql";

export const connection = mysql.createConnection({
  host: "db.internal",
  user: "shop",
  password: "Tr0ub4dor&3",
  database: "shop",
});

// === vulnerable: pg Pool connection string with embedded password
import { Pool } from "pg";

export const pool = new Pool({
  connectionString: "postgres://shop:hG7kq92Lm@db.internal:5432/shop",
});

export const customers = async () => (await pool.query("SELECT id, name FROM customers")).rows;

// === vulnerable: sequelize constructor with password constant
import { Sequelize } from "sequelize";

const DB_PASSWORD = "w1nter-2019-Prod";

export const sequelize = new Sequelize("crm", "reporting", DB_PASSWORD, {
  host: "10.0.4.12",
  dialect: "mysql",
});

// === vulnerable: axios basic auth object
import axios from "axios";

export async function fetchReport(id: number): Promise<Buffer> {
  const res = await axios.get(`https://reports.internal/${id}.csv`, {
    auth: { username: "svc-reports", password: "Zx8!mPq4vT" },
    responseType: "arraybuffer",
  });
  return res.data;
}

// === vulnerable: Authorization header built from literals
const user = "deploy";
const pass = "N3xus-Deploy-77";

export async function upload(body: Blob): Promise<number> {
  const credentials = btoa(`${user}:${pass}`);
  const res = await fetch("https://nexus.internal/repository/raw/app.tgz", {
    method: "PUT",
    headers: { Authorization: `Basic ${credentials}` },
    body,
  });
  return res.status;
}

// === vulnerable: AWS SDK v3 client with literal keys
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({
  region: "eu-west-1",
  credentials: {
    accessKeyId: "AKIAQ3T7X2LMWZ5RB8KD",
    secretAccessKey: "p9Fz2kQwX7vT1mLc8RbY4nHs6JdA3eGuK0iOxVqW",
  },
});

export const list = () => s3.send(new ListObjectsV2Command({ Bucket: "invoices" }));

// === vulnerable: nodemailer auth with literal password
import nodemailer from "nodemailer";

const transport = nodemailer.createTransport({
  host: "smtp.example.com",
  secure: true,
  auth: { user: "alerts@example.com", pass: "mUst4ng!Sally" },
});

export const notify = (to: string, text: string) => transport.sendMail({ to, subject: "Alert", text });

// === vulnerable: express-session with literal secret
import express from "express";
import session from "express-session";

const app = express();

app.use(session({ secret: "f3cfe9ed8fae309f02079dbf", resave: false, saveUninitialized: false }));
app.get("/", (_req, res) => res.send("hello"));
app.listen(3000);

// === vulnerable: mongoose connect with credentials in the URL
import mongoose from "mongoose";

const host = "mongo.internal:27017";

export async function connect() {
  await mongoose.connect(`mongodb://orders:Sn0wfall_88@${host}/shop?authSource=admin`);
  return mongoose.connection;
}

// === vulnerable: TypeORM DataSource options object
import { DataSource, DataSourceOptions } from "typeorm";

const options: DataSourceOptions = {
  type: "postgres",
  host: "db.internal",
  username: "app",
  password: "Aut0mn-Leaves-41",
  database: "shop",
};

export const dataSource = new DataSource(options);

// === vulnerable (js): redis client in CommonJS
const { createClient } = require("redis");

const client = createClient({ socket: { host: "cache.internal" }, password: "9aXk-cache-41" });

async function hit(key) {
  if (!client.isOpen) await client.connect();
  return client.incr(key);
}

module.exports = { hit };

// === vulnerable: createHmac key literal
import { createHmac } from "node:crypto";

export function signWebhook(body: string): string {
  const mac = createHmac("sha256", "whk-7Yt2-Lq9Z-Xv4B");
  return mac.update(body).digest("hex");
}

// === vulnerable: bearer token constant in a class
import axios, { AxiosInstance } from "axios";

const GITHUB_TOKEN = "ghp_8sKq2LzVx0WmT4rYbN6cHj3PdF7gUe1AiO5Q";

export class Issues {
  private readonly api: AxiosInstance = axios.create({
    baseURL: "https://api.github.com",
    headers: { Authorization: `Bearer ${GITHUB_TOKEN}` },
  });

  open(repo: string) {
    return this.api.get(`/repos/${repo}/issues`);
  }
}

// === vulnerable: fallback literal after the environment variable
import mysql from "mysql2/promise";

export function createPool() {
  return mysql.createPool({
    host: process.env.DB_HOST ?? "localhost",
    user: "app",
    password: process.env.DB_PASSWORD || "M0nsoon-Rain-12",
  });
}

// === vulnerable: createCipheriv key from literal string
import { createCipheriv, randomBytes } from "crypto";

const KEY = Buffer.from("k3Jx8VbQ2mZr5TyW7pLc1NfH9sDg4AeU", "utf8");

export function encrypt(text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", KEY, iv);
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

// === vulnerable: ssh2 connect with password
import { Client } from "ssh2";

export function restart(done: () => void): void {
  const conn = new Client();
  conn.on("ready", () => conn.exec("systemctl restart app", () => done()));
  conn.connect({ host: "deploy.internal", port: 22, username: "deploy", password: "fLu5h-R0yal" });
}

// === safe: createConnection with environment password
import mysql from "mysql";

export const connection = mysql.createConnection({
  host: "db.internal",
  user: "shop",
  password: process.env.DB_PASSWORD,
  database: "shop",
});

// === safe: pg Pool with DATABASE_URL
import { Pool } from "pg";

export const pool = new Pool({ connectionString: process.env.DATABASE_URL });

export const customers = async () => (await pool.query("SELECT id, name FROM customers")).rows;

// === safe: Nest ConfigService for TypeORM
import { ConfigService } from "@nestjs/config";
import { DataSource } from "typeorm";

export function createDataSource(config: ConfigService): DataSource {
  return new DataSource({
    type: "postgres",
    host: config.get<string>("DB_HOST"),
    username: "app",
    password: config.getOrThrow<string>("DB_PASSWORD"),
  });
}

// === safe: axios basic auth from environment
import axios from "axios";

const { REPORTS_USER = "svc-reports", REPORTS_PASSWORD } = process.env;

export async function fetchReport(id: number) {
  if (!REPORTS_PASSWORD) throw new Error("REPORTS_PASSWORD is not set");
  return axios.get(`https://reports.internal/${id}.csv`, {
    auth: { username: REPORTS_USER, password: REPORTS_PASSWORD },
  });
}

// === safe: secrets manager lookup
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { createPool } from "mysql2/promise";

const secrets = new SecretsManagerClient({});

export async function pool() {
  const { SecretString = "{}" } = await secrets.send(new GetSecretValueCommand({ SecretId: "prod/db" }));
  const { username, password } = JSON.parse(SecretString);
  return createPool({ host: "db.internal", user: username, password });
}

// === safe: form labels and field names
export const loginForm = {
  username: { label: "User name", type: "text" },
  password: { label: "Password", type: "password", autocomplete: "current-password" },
};

export const messages = {
  passwordMismatch: "The passwords do not match",
  tokenExpired: "Your token has expired",
};

// === safe (tsx): React password input
import React, { useState } from "react";

export function PasswordField({ onSubmit }: { onSubmit: (password: string) => void }) {
  const [password, setPassword] = useState("");
  return (
    <form onSubmit={() => onSubmit(password)}>
      <input type="password" placeholder="Password" value={password} onChange={(e) => setPassword(e.target.value)} />
      <button type="submit">Sign in</button>
    </form>
  );
}

// === safe: placeholder text in printed example configuration
const example = {
  host: "localhost",
  user: "app",
  password: "<your-password>",
};

export function printExample(): void {
  for (const [key, value] of Object.entries(example)) console.log(`${key}=${value}`);
}

// === safe: express-session with secret from environment
import express from "express";
import session from "express-session";

const secret = process.env.SESSION_SECRET;
if (!secret) throw new Error("SESSION_SECRET is required");

const app = express();
app.use(session({ secret, resave: false, saveUninitialized: false }));
app.listen(3000);

// === safe: HMAC key read from a mounted file
import { createHmac } from "crypto";
import { readFileSync } from "fs";

const key = readFileSync("/run/secrets/webhook_key");

export function signWebhook(body: string): string {
  return createHmac("sha256", key).update(body).digest("hex");
}

// === safe: route constants containing credential words
import { Router } from "express";

const PASSWORD_PATH = "/account/password";
const TOKEN_HEADER = "x-csrf-token";

export const router = Router();

router.get(PASSWORD_PATH, (req, res) => {
  res.json({ header: TOKEN_HEADER, present: Boolean(req.get(TOKEN_HEADER)) });
});

// === safe: AWS client with default provider chain
import { S3Client } from "@aws-sdk/client-s3";
import { fromNodeProviderChain } from "@aws-sdk/credential-providers";

export const s3 = new S3Client({
  region: "eu-west-1",
  credentials: fromNodeProviderChain({ profile: "billing" }),
});

// === safe (js): mongoose with credentials from environment
const mongoose = require("mongoose");

async function connect() {
  const { MONGO_USER, MONGO_PASSWORD } = process.env;
  const auth = `${encodeURIComponent(MONGO_USER)}:${encodeURIComponent(MONGO_PASSWORD)}`;
  await mongoose.connect(`mongodb://${auth}@mongo.internal:27017/shop`);
}

module.exports = { connect };

// === safe: prompt for the password
import { Client } from "ssh2";
import { password as ask } from "@inquirer/prompts";

export async function connect(host: string): Promise<Client> {
  const password = await ask({ message: `Password for ${host}` });
  const conn = new Client();
  conn.connect({ host, username: "deploy", password });
  return conn;
}
