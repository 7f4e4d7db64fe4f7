// === vulnerable: fs.chmodSync 0o777
import fs from "fs";

export function install(path: string) {
  fs.chmodSync(path, 0o777);
}

// === vulnerable: chmod with a string mode
import fs from "fs";

export function prepare(db: string) {
  fs.chmod(db, "0666", (err) => {
    if (err) throw err;
  });
}

// === vulnerable: promises chmod by import name
import { chmod, writeFile } from "node:fs/promises";

export async function storeConfig(file: string, text: string) {
  await writeFile(file, text);
  await chmod(file, 0o777);
}

// === vulnerable: umask zero
import { spawn } from "child_process";

process.umask(0);
const child = spawn("node", ["worker.js"], { detached: true, stdio: "ignore" });
child.unref();

// === vulnerable: file handle chmod
import { open } from "node:fs/promises";

export async function writeHook(path: string, script: string) {
  const handle = await open(path, "w");
  await handle.writeFile(script);
  await handle.chmod(0o777);
  await handle.close();
}

// === vulnerable: constants combined
import { chmodSync, constants } from "fs";

export function share(path: string) {
  chmodSync(path, constants.S_IRWXU | constants.S_IRWXG | constants.S_IRWXO);
}

// === vulnerable: chmod command
import { execFileSync } from "child_process";

export function fixPermissions(dir: string) {
  execFileSync("chmod", ["-R", "777", dir]);
}

// === vulnerable: mode constant through a variable
import fse from "fs-extra";

const SHARED = 0o777;

export async function publish(file: string) {
  const mode = SHARED;
  await fse.chmod(file, mode);
}

// === vulnerable (js): commonjs fchmod
const fs = require("fs");

function writeSecret(path, secret) {
  const fd = fs.openSync(path, "w");
  fs.fchmodSync(fd, 0o666);
  fs.writeSync(fd, secret);
  fs.closeSync(fd);
}

module.exports = writeSecret;

// === safe: private file
import fs from "fs";

export function install(path: string) {
  fs.chmodSync(path, 0o600);
}

// === safe: string mode for the owner
import fs from "fs";

export function prepare(db: string) {
  fs.chmod(db, "0600", (err) => {
    if (err) throw err;
  });
}

// === safe: writeFile with a private mode
import { writeFile } from "node:fs/promises";

export async function storeConfig(file: string, text: string) {
  await writeFile(file, text, { mode: 0o600 });
}

// === safe: restrictive umask
import { spawn } from "child_process";

process.umask(0o077);
const child = spawn("node", ["worker.js"], { detached: true, stdio: "ignore" });
child.unref();

// === safe: executable for the owner
import { chmodSync, constants } from "fs";

export function share(path: string) {
  chmodSync(path, constants.S_IRUSR | constants.S_IWUSR | constants.S_IXUSR);
}

// === safe: private directory
import { mkdirSync } from "fs";

export function spool(dir: string) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}

// === safe: chmod of an own object
const canvas = {
  mode: 0,
  chmod(mode: number) {
    this.mode = mode;
  },
};

canvas.chmod(0o777);
export default canvas;

// === safe: reading the umask and testing the mode
import { statSync } from "fs";

export function check(path: string): boolean {
  const mask = process.umask().toString(8);
  const mode = statSync(path).mode & 0o777;
  if (mode === 0o777) {
    console.warn(`refusing ${path}: chmod 777 (umask ${mask})`);
    return false;
  }
  return true;
}
