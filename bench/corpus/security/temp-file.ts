// === vulnerable: fixed name in /tmp
import fs from "fs";

export function saveState(state: object) {
  fs.writeFileSync("/tmp/myapp-state.json", JSON.stringify(state));
}

// === vulnerable: os.tmpdir joined with a fixed name
import fs from "fs";
import os from "os";
import path from "path";

export function cacheToken(token: string): string {
  const file = path.join(os.tmpdir(), "cli-token.txt");
  fs.writeFileSync(file, token);
  return file;
}

// === vulnerable: process id and createWriteStream
import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";

export function spool(input: Readable): string {
  const target = `${tmpdir()}/upload-${process.pid}.bin`;
  input.pipe(createWriteStream(target));
  return target;
}

// === vulnerable: Date.now in the name
import express from "express";
import { writeFile } from "fs/promises";

const app = express();
app.use(express.raw({ type: "*/*" }));

app.post("/convert", async (req, res) => {
  const file = "/tmp/convert_" + Date.now() + ".html";
  await writeFile(file, req.body);
  res.json({ file });
});

// === vulnerable: tmp package tmpNameSync then write
import fs from "fs";
import tmp from "tmp";

export function exportCsv(rows: string[][]): string {
  const name = tmp.tmpNameSync({ postfix: ".csv" });
  fs.writeFileSync(name, rows.map((r) => r.join(",")).join("\n"));
  return name;
}

// === vulnerable (js): commonjs appendFile in /var/tmp
const fs = require("fs");

function audit(line) {
  fs.appendFile("/var/tmp/installer.log", line + "\n", (err) => {
    if (err) throw err;
  });
}

module.exports = { audit };

// === vulnerable: existence check then write
import { existsSync, writeFileSync } from "fs";
import { join } from "path";
import * as os from "os";

const KEY_FILE = join(os.tmpdir(), "deploy_key");

export function storeKey(key: string) {
  if (!existsSync(KEY_FILE)) {
    writeFileSync(KEY_FILE, key);
  }
}

// === vulnerable: Math.random name through a helper
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

function tempName(prefix: string): string {
  return path.join(os.tmpdir(), prefix + Math.random().toString(36).slice(2));
}

export async function saveSecret(secret: string) {
  const file = tempName("secret-");
  await fs.promises.writeFile(file, secret);
  return file;
}

// === safe: mkdtemp then fixed name inside
import fs from "fs";
import os from "os";
import path from "path";

export function cacheToken(token: string): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "cli-"));
  const file = path.join(dir, "token.txt");
  fs.writeFileSync(file, token, { mode: 0o600 });
  return file;
}

// === safe: promises mkdtemp
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function save(html: Buffer): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "convert-"));
  const file = join(dir, "page.html");
  await writeFile(file, html);
  return file;
}

// === safe: tmp package fileSync
import fs from "fs";
import tmp from "tmp";

export function exportCsv(rows: string[][]): string {
  const file = tmp.fileSync({ postfix: ".csv", mode: 0o600 });
  fs.writeSync(file.fd, rows.map((r) => r.join(",")).join("\n"));
  return file.name;
}

// === safe: exclusive flag, random name, private mode
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function storeKey(key: string): string {
  const file = join(tmpdir(), `key-${randomUUID()}`);
  writeFileSync(file, key, { flag: "wx", mode: 0o600 });
  return file;
}

// === safe: state in the application's directory
import fs from "fs";
import path from "path";

const STATE = path.join(process.cwd(), "data", "state.json");

export function saveState(state: object) {
  fs.writeFileSync(STATE, JSON.stringify(state));
}

// === safe: the path only appears in a message
export function usage(): string {
  const example = "/tmp/output.json";
  return `Usage: report --out <file>   (for example --out ${example})`;
}

// === safe: tmp-promise withFile
import { withFile } from "tmp-promise";
import { writeFile } from "fs/promises";
import { execFile } from "child_process";

export async function lint(code: string) {
  await withFile(async ({ path }) => {
    await writeFile(path, code);
    execFile("linter", [path]);
  });
}

// === safe: writeFileSync of an in-memory volume
import { Volume } from "memfs";

const vol = Volume.fromJSON({ "/tmp/.keep": "" });

export function stage(text: string) {
  vol.writeFileSync("/tmp/page.html", text);
  return vol.toJSON();
}
