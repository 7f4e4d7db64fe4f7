// === vulnerable: express query into fs.readFile with concatenation
import express from "express";
import fs from "fs";

const app = express();

app.get("/report", (req, res) => {
  fs.readFile("/srv/reports/" + req.query.name, "utf8", (err, text) => {
    if (err) return res.status(404).end();
    res.type("text/plain").send(text);
  });
});

// === vulnerable: path.join with a route parameter and sendFile
import express, { Request, Response } from "express";
import path from "path";

const router = express.Router();

router.get("/files/:name", (req: Request, res: Response) => {
  const target = path.join(__dirname, "uploads", req.params.name);
  res.sendFile(target);
});

export default router;

// === vulnerable (js): commonjs createReadStream with template literal
const express = require("express");
const fs = require("fs");
const app = express();

app.get("/video", (req, res) => {
  const { clip } = req.query;
  fs.createReadStream(`./videos/${clip}`).pipe(res);
});

app.listen(3000);

// === vulnerable: koa ctx.query into promises readFile
import Koa from "koa";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

const app = new Koa();

app.use(async (ctx) => {
  const page = ctx.query.page as string;
  ctx.type = "html";
  ctx.body = await readFile(resolve("pages", page));
});

// === vulnerable: fastify params written to disk
import Fastify from "fastify";
import * as fs from "fs";

const server = Fastify();

server.put("/notes/:id", async (request, reply) => {
  const { id } = request.params as { id: string };
  fs.writeFileSync(`/srv/notes/${id}`, JSON.stringify(request.body));
  return reply.code(204).send();
});

// === vulnerable: next api route unlink
import type { NextApiRequest, NextApiResponse } from "next";
import { promises as fsp } from "fs";
import path from "path";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const file = String(req.query.file);
  await fsp.unlink(path.join(process.cwd(), "uploads", file));
  res.status(200).json({ deleted: true });
}

// === vulnerable: nest controller query decorator
import { Controller, Get, Query, StreamableFile } from "@nestjs/common";
import { createReadStream } from "fs";
import { join } from "path";

@Controller("documents")
export class DocumentsController {
  @Get()
  fetch(@Query("name") name: string): StreamableFile {
    return new StreamableFile(createReadStream(join("/srv/documents", name)));
  }
}

// === vulnerable: http server serving req.url
import http from "node:http";
import fs from "node:fs";

http
  .createServer((req, res) => {
    fs.readFile("./public" + decodeURIComponent(req.url ?? "/"), (err, data) => {
      res.statusCode = err ? 404 : 200;
      res.end(data);
    });
  })
  .listen(8080);

// === vulnerable: helper function reads the named file
import express from "express";
import fs from "fs";
import path from "path";

const app = express();
const TEMPLATES = "/srv/templates";

function loadTemplate(name: string): string {
  const file = path.resolve(TEMPLATES, name);
  return fs.readFileSync(file, "utf8");
}

app.post("/render", (req, res) => {
  res.send(loadTemplate(req.body.template));
});

// === vulnerable: res.download of a body member
import express from "express";

const app = express();
app.use(express.json());

app.post("/export", (req, res) => {
  const options = { file: req.body.file };
  res.download("/srv/exports/" + options.file);
});

// === vulnerable: path.normalize with no containment check
import express from "express";
import fs from "fs";
import path from "path";

const app = express();

app.get("/help", (req, res) => {
  const wanted = path.normalize("/srv/help/" + req.query.topic);
  if (!fs.existsSync(wanted)) {
    res.sendStatus(404);
    return;
  }
  res.send(fs.readFileSync(wanted, "utf8"));
});

// === vulnerable: next app router searchParams
import { NextRequest, NextResponse } from "next/server";
import { readFile } from "fs/promises";

export async function GET(request: NextRequest) {
  const doc = request.nextUrl.searchParams.get("doc");
  const data = await readFile(`content/${doc}`, "utf8");
  return new NextResponse(data);
}

// === vulnerable: non global replace of dot-dot
import express from "express";
import fs from "fs";

const app = express();

app.get("/img", (req, res) => {
  let name = String(req.query.name);
  name = name.replace("../", "");
  fs.createReadStream("/srv/img/" + name).pipe(res);
});

// === vulnerable: express-fileupload mv into a folder named by the body
import express from "express";
import fileUpload, { UploadedFile } from "express-fileupload";

const app = express();
app.use(fileUpload({ preserveExtension: true }));

app.post("/upload", async (req, res) => {
  const target = "/srv/in/" + req.body.folder + "/data.bin";
  const doc = req.files!.doc as UploadedFile;
  await doc.mv(target);
  res.sendStatus(201);
});

// === vulnerable: rmSync recursive of a request folder
import express from "express";
import { rmSync } from "node:fs";

const app = express();

app.delete("/projects/:slug", (req, res) => {
  const dir = ["/srv/projects", req.params.slug].join("/");
  rmSync(dir, { recursive: true, force: true });
  res.sendStatus(204);
});

// === safe: express sendFile with root option
import express from "express";
import path from "path";

const app = express();

app.get("/files/:name", (req, res) => {
  res.sendFile(req.params.name, { root: path.join(__dirname, "uploads") });
});

// === safe: resolve and startsWith base plus separator
import express from "express";
import fs from "fs";
import path from "path";

const app = express();
const BASE = path.resolve("/srv/reports");

app.get("/report", (req, res) => {
  const target = path.resolve(BASE, String(req.query.name));
  if (!target.startsWith(BASE + path.sep)) {
    res.sendStatus(403);
    return;
  }
  res.send(fs.readFileSync(target, "utf8"));
});

// === safe: path.basename
import express from "express";
import fs from "fs";
import path from "path";

const app = express();

app.get("/video", (req, res) => {
  const clip = path.basename(String(req.query.clip));
  fs.createReadStream(path.join("videos", clip)).pipe(res);
});

// === safe: path.relative check
import Koa from "koa";
import { readFile } from "node:fs/promises";
import path from "node:path";

const app = new Koa();
const ROOT = path.resolve("pages");

app.use(async (ctx) => {
  const target = path.resolve(ROOT, String(ctx.query.page));
  const rel = path.relative(ROOT, target);
  if (rel.startsWith("..") || path.isAbsolute(rel)) {
    ctx.throw(400);
  }
  ctx.body = await readFile(target);
});

// === safe: allow-list map
import Fastify from "fastify";
import { readFile } from "fs/promises";

const server = Fastify();
const FILES = new Map<string, string>([
  ["terms", "/srv/docs/terms.html"],
  ["privacy", "/srv/docs/privacy.html"],
]);

server.get("/docs/:key", async (request, reply) => {
  const { key } = request.params as { key: string };
  const file = FILES.get(key);
  if (!file) return reply.code(404).send();
  return readFile(file, "utf8");
});

// === safe: numeric identifier
import type { NextApiRequest, NextApiResponse } from "next";
import { promises as fsp } from "fs";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const id = Number.parseInt(String(req.query.id), 10);
  const body = await fsp.readFile(`/srv/invoices/${id}.json`, "utf8");
  res.status(200).send(body);
}

// === safe: nest ParseUUIDPipe
import { Controller, Get, Param, ParseUUIDPipe, StreamableFile } from "@nestjs/common";
import { createReadStream } from "fs";

@Controller("exports")
export class ExportsController {
  @Get(":id")
  fetch(@Param("id", ParseUUIDPipe) id: string): StreamableFile {
    return new StreamableFile(createReadStream(`/srv/exports/${id}.csv`));
  }
}

// === safe: strict pattern test
import express from "express";
import fs from "fs";

const app = express();

app.get("/i18n", (req, res) => {
  const lang = String(req.query.lang);
  if (!/^[a-z]{2}$/.test(lang)) {
    return res.status(400).end();
  }
  res.type("json").send(fs.readFileSync(`./locales/${lang}.json`));
});

// === safe: includes on a constant array
import express from "express";
import path from "path";

const app = express();
const THEMES = ["light", "dark", "contrast"];

app.get("/theme", (req, res) => {
  const theme = String(req.query.theme);
  if (!THEMES.includes(theme)) {
    res.sendStatus(404);
    return;
  }
  res.sendFile(path.join(__dirname, "themes", theme + ".css"));
});

// === safe: random upload name
import express from "express";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";

const app = express();
app.use(express.raw({ type: "*/*" }));

app.post("/upload", async (req, res) => {
  const name = `/srv/uploads/${randomUUID()}.bin`;
  await writeFile(name, req.body);
  res.json({ name });
});

// === safe: readFile method of an in-memory object
import express from "express";

const app = express();

class MemoryStore {
  private items = new Map<string, string>();
  readFile(key: string): string | undefined {
    return this.items.get(key);
  }
}

const store = new MemoryStore();

app.get("/memo", (req, res) => {
  res.json({ value: store.readFile(String(req.query.key)) });
});

// === safe: realpath helper that throws
import express from "express";
import fs from "fs";
import path from "path";

const app = express();
const ROOT = fs.realpathSync("/srv/wiki");

function inside(name: string): string {
  const full = fs.realpathSync(path.join(ROOT, name));
  if (!full.startsWith(ROOT + path.sep)) throw new Error("outside of root");
  return full;
}

app.get("/wiki", (req, res) => {
  res.send(fs.readFileSync(inside(String(req.query.page)), "utf8"));
});

// === safe: constant path joined, request only logged
import express from "express";
import fs from "fs";
import path from "path";

const app = express();
const INDEX = path.join(__dirname, "public", "index.html");

app.get("*", (req, res) => {
  console.log("serving index for", req.path);
  fs.createReadStream(INDEX).pipe(res);
});

// === safe: express.static
import express from "express";
import path from "path";

const app = express();
app.use("/static", express.static(path.join(__dirname, "public")));
app.get("/hello", (req, res) => {
  res.json({ hello: String(req.query.name) });
});

// === vulnerable: the check looks at another variable than the one read
import express from "express";
import fs from "fs";
import path from "path";

const app = express();
const BASE = path.resolve("/srv/reports");

app.get("/report", (req, res) => {
  const folder = path.resolve(BASE, String(req.query.folder));
  if (!folder.startsWith(BASE + path.sep)) return res.sendStatus(403);
  res.send(fs.readFileSync(path.join(BASE, String(req.query.name)), "utf8"));
});

// === vulnerable: the failed check only logs
import express from "express";
import fs from "fs";
import path from "path";

const app = express();
const ROOT = path.resolve("/srv/notes");

app.get("/notes", (req, res) => {
  const target = path.resolve(ROOT, String(req.query.name));
  if (!target.startsWith(ROOT + path.sep)) {
    console.warn("outside of root", target);
  }
  fs.createReadStream(target).pipe(res);
});

// === vulnerable: prefix tested on the unresolved string
import express from "express";
import fs from "fs";

const app = express();

app.get("/doc", (req, res) => {
  const file = "/srv/docs/" + req.query.name;
  if (!file.startsWith("/srv/docs/")) {
    res.sendStatus(403);
    return;
  }
  fs.readFile(file, (err, data) => (err ? res.sendStatus(404) : res.send(data)));
});

// === vulnerable: class service called from a next handler with destructured query
import type { NextApiRequest, NextApiResponse } from "next";
import { readFileSync } from "fs";
import { join } from "path";

class Snippets {
  constructor(private folder: string) {}
  load(key: string): string {
    return readFileSync(join(this.folder, key), "utf8");
  }
}

const snippets = new Snippets("/srv/snippets");

export default function handler({ query: { key } }: NextApiRequest, res: NextApiResponse) {
  res.status(200).send(snippets.load(key as string));
}

// === vulnerable: readdir of a requested directory
import Koa from "koa";
import Router from "@koa/router";
import fs from "fs/promises";

const router = new Router();

router.get("/browse/:dir", async (ctx) => {
  const where = `/srv/public/${ctx.params.dir}`;
  ctx.body = await fs.readdir(where);
});

export const app = new Koa().use(router.routes());

// === safe: request value only decides the download name
import express from "express";

const app = express();

app.get("/statement", (req, res) => {
  res.download("/srv/static/statement.pdf", `${req.query.title}.pdf`);
});

// === safe: switch picks a constant
import express from "express";
import fs from "fs";

const app = express();

app.get("/page", (req, res) => {
  let file: string;
  switch (req.query.p) {
    case "about":
      file = "/srv/pages/about.html";
      break;
    case "faq":
      file = "/srv/pages/faq.html";
      break;
    default:
      res.sendStatus(404);
      return;
  }
  fs.createReadStream(file).pipe(res);
});

// === safe: hashed key as the file name
import express from "express";
import { createHash } from "crypto";
import { readFile } from "fs/promises";

const app = express();

app.get("/thumb", async (req, res) => {
  const digest = createHash("sha256").update(String(req.query.url)).digest("hex");
  res.type("png").send(await readFile(`/srv/cache/${digest}.png`));
});

// === safe: tainted name overwritten before use
import express from "express";
import fs from "fs";

const app = express();

app.get("/banner", (req, res) => {
  let name = String(req.query.name);
  console.log("requested", name);
  name = "default.txt";
  res.send(fs.readFileSync("/srv/banners/" + name, "utf8"));
});
