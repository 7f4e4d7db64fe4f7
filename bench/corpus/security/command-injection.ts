// === vulnerable: exec with an express query template literal
import express from "express";
import { exec } from "child_process";

const app = express();

app.get("/ping", (req, res) => {
  exec(`ping -c 1 ${req.query.host}`, (error, stdout) => {
    res.status(error ? 500 : 200).send(stdout);
  });
});

// === vulnerable: execSync from a namespace import with concatenation
import * as cp from "node:child_process";
import Koa from "koa";

const app = new Koa();

app.use(async (ctx) => {
  const repo = ctx.query.repo as string;
  const output = cp.execSync("git ls-remote " + repo);
  ctx.body = output.toString();
});

app.listen(3000);

// === vulnerable: spawn with shell option
import Fastify from "fastify";
import { spawn } from "node:child_process";

const fastify = Fastify();

fastify.post("/convert", async (request, reply) => {
  const { file } = request.body as { file: string };
  const child = spawn("convert", [file, "out.png"], { shell: true });
  child.on("close", (code) => reply.send({ code }));
  return reply;
});

// === vulnerable: promisified exec in a next route handler
import { exec } from "child_process";
import { promisify } from "util";
import { NextResponse } from "next/server";

const run = promisify(exec);

export async function POST(request: Request) {
  const { domain } = await request.json();
  const { stdout } = await run("whois " + domain);
  return NextResponse.json({ stdout });
}

// === vulnerable: spawn of sh -c with a joined command
import { spawn } from "child_process";
import { Body, Controller, Post } from "@nestjs/common";

@Controller("archive")
export class ArchiveController {
  @Post()
  create(@Body("folder") folder: string) {
    const command = ["tar", "czf", "/tmp/backup.tgz", folder].join(" ");
    spawn("sh", ["-c", command]);
    return { started: true };
  }
}

// === vulnerable: helper function of the same file
import express from "express";
import child_process from "child_process";

const router = express.Router();

function shell(command: string): string {
  return child_process.execSync(command, { encoding: "utf8" });
}

router.get("/log/:branch", (req, res) => {
  const { branch } = req.params;
  res.type("text/plain").send(shell(`git log --oneline ${branch}`));
});

export default router;

// === vulnerable (js): argv through require destructuring
const { execSync: sh } = require("child_process");

const [, , target, mode = "fast"] = process.argv;
let command = "rsync -a build/ ";
command += target;

if (mode === "fast") {
  sh(command, { stdio: "inherit" });
}

// === vulnerable: electron ipc message runs a command
import { ipcMain } from "electron";
import { exec } from "node:child_process";

ipcMain.handle("open-folder", (_event, folder: string) => {
  return new Promise((resolve, reject) => {
    exec('xdg-open "' + folder + '"', (error) => (error ? reject(error) : resolve(true)));
  });
});

// === vulnerable: execFile of a client chosen program
import express from "express";
import { execFile } from "child_process";

const app = express();
app.use(express.json());

app.post("/tools", (req, res) => {
  const options = { tool: req.body.tool };
  execFile(options.tool, ["--version"], (error, stdout) => res.send(error ? "failed" : stdout));
});

// === vulnerable: class method with a stored command
import http from "http";
import { exec } from "child_process";

class Tracer {
  private command = "";
  prepare(host: string | null) {
    this.command = "traceroute " + host;
    exec(this.command, (_err, out) => console.log(out.length));
  }
}

http
  .createServer((req, res) => {
    const url = new URL(req.url!, "http://localhost");
    new Tracer().prepare(url.searchParams.get("host"));
    res.end();
  })
  .listen(8000);

// === safe: execFile with an argument array
import express from "express";
import { execFile } from "child_process";

const app = express();

app.get("/ping", (req, res) => {
  execFile("ping", ["-c", "1", "--", String(req.query.host)], (error, stdout) => {
    res.status(error ? 500 : 200).type("text/plain").send(stdout);
  });
});

// === safe: spawn without a shell
import Fastify from "fastify";
import { spawn } from "node:child_process";

const fastify = Fastify();

fastify.post("/words", async (request) => {
  const { text } = request.body as { text: string };
  const child = spawn("wc", ["-w"]);
  child.stdin.end(text);
  return { pid: child.pid };
});

// === safe: constant exec command
import express from "express";
import { exec } from "child_process";

const app = express();
const UPTIME = "uptime | cut -d, -f1";

app.get("/uptime", (_req, res) => {
  exec(UPTIME, (error, stdout) => res.type("text").send(error ? "unknown" : stdout));
});

// === safe: regular expression exec method
import express from "express";

const app = express();
const VERSION = /^v(\d+)\.(\d+)$/;

app.get("/version", (req, res) => {
  const match = VERSION.exec(String(req.query.v));
  res.json({ major: match ? Number(match[1]) : null });
});

// === safe: mongoose query exec method
import express from "express";
import { Article } from "./models/article";

const app = express();

app.get("/articles/:slug", async (req, res) => {
  const slug = String(req.params.slug);
  const article = await Article.findOne({ slug }).lean().exec();
  res.json(article);
});

// === safe: action looked up in a constant table
import express from "express";
import { execSync } from "child_process";

const app = express();
const ACTIONS: Record<string, string> = { status: "systemctl status nginx", reload: "systemctl reload nginx" };

app.post("/nginx/:action", (req, res) => {
  if (!Object.hasOwn(ACTIONS, req.params.action)) return res.sendStatus(404);
  const command = ACTIONS[req.params.action];
  return res.type("text").send(execSync(command));
});

// === safe: shell-quote library
import express from "express";
import { exec } from "child_process";
import { quote } from "shell-quote";

const app = express();

app.get("/sorted", (req, res) => {
  const file = String(req.query.file);
  exec(quote(["sort", "--", file]) + " | uniq -c", (_e, out) => res.type("text").send(out));
});

// === safe: numeric value inside the command
import Koa from "koa";
import { execSync } from "node:child_process";

const app = new Koa();

app.use(async (ctx) => {
  const lines = Number.parseInt(String(ctx.query.n), 10);
  ctx.body = execSync(`tail -n ${Number.isNaN(lines) ? 10 : lines} /var/log/app.log`).toString();
});

// === safe: includes check before exec
import express from "express";
import { exec } from "child_process";

const BRANCHES = ["main", "develop"];
const app = express();

app.get("/log", (req, res) => {
  const branch = String(req.query.branch);
  if (!BRANCHES.includes(branch)) {
    return res.status(400).end();
  }
  return exec(`git log --oneline ${branch} | head`, (_e, out) => res.type("text").send(out));
});
