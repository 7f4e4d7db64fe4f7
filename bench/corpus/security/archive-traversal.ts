// === vulnerable: unzipper entry.path into createWriteStream
import fs from "fs";
import path from "path";
import unzipper from "unzipper";
import express from "express";

const app = express();

app.post("/import", (req, res) => {
  req
    .pipe(unzipper.Parse())
    .on("entry", (entry) => {
      entry.pipe(fs.createWriteStream(path.join("/srv/imports", entry.path)));
    })
    .on("close", () => res.sendStatus(201));
});

// === vulnerable: adm-zip getEntries written by entryName
import AdmZip from "adm-zip";
import fs from "fs";
import path from "path";
import express from "express";

const app = express();
app.use(express.raw({ type: "application/zip" }));

app.post("/theme", (req, res) => {
  const zip = new AdmZip(req.body);
  for (const entry of zip.getEntries()) {
    const out = path.join("/srv/themes", entry.entryName);
    fs.writeFileSync(out, entry.getData());
  }
  res.sendStatus(204);
});

// === vulnerable: tar-stream header.name concatenated
import tar from "tar-stream";
import fs from "fs";
import http from "http";

http
  .createServer((req, res) => {
    const extract = tar.extract();
    extract.on("entry", (header, stream, next) => {
      stream.pipe(fs.createWriteStream("/srv/inbox/" + header.name));
      stream.on("end", next);
    });
    extract.on("finish", () => res.end("ok"));
    req.pipe(extract);
  })
  .listen(8080);

// === vulnerable: node-tar with preservePaths
import * as tar from "tar";
import express from "express";
import multer from "multer";

const app = express();
const upload = multer({ dest: "/srv/tmp" });

app.post("/restore", upload.single("backup"), async (req, res) => {
  await tar.x({ file: req.file!.path, cwd: "/srv/restore", preservePaths: true });
  res.sendStatus(200);
});

// === vulnerable: fflate unzipSync keys
import { unzipSync } from "fflate";
import { writeFileSync } from "node:fs";
import Fastify from "fastify";

const server = Fastify();

server.post("/plugins", async (request) => {
  const files = unzipSync(request.body as Uint8Array);
  for (const [name, data] of Object.entries(files)) {
    writeFileSync(`/srv/plugins/${name}`, data);
  }
  return { ok: true };
});

// === vulnerable: yauzl with decodeStrings off
import yauzl from "yauzl";
import fs from "fs";
import path from "path";

yauzl.open(process.argv[2], { lazyEntries: true, decodeStrings: false }, (err, zip) => {
  if (err) throw err;
  zip.readEntry();
  zip.on("entry", (entry) => {
    const dest = path.join("out", entry.fileName.toString());
    zip.openReadStream(entry, (e, stream) => {
      if (e) throw e;
      stream.pipe(fs.createWriteStream(dest));
      stream.on("end", () => zip.readEntry());
    });
  });
});

// === vulnerable (js): commonjs unzipper with destructured path
const fs = require("fs");
const unzipper = require("unzipper");

fs.createReadStream(process.argv[2])
  .pipe(unzipper.Parse())
  .on("entry", function (entry) {
    const { path: fileName, type } = entry;
    if (type === "File") {
      entry.pipe(fs.createWriteStream("output/" + fileName));
    } else {
      entry.autodrain();
    }
  });

// === vulnerable: JSZip unsafeOriginalName
import JSZip from "jszip";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { NextApiRequest, NextApiResponse } from "next";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const zip = await JSZip.loadAsync(req.body);
  for (const file of Object.values(zip.files)) {
    const name = (file as any).unsafeOriginalName;
    await writeFile(path.resolve("/srv/docs", name), await file.async("nodebuffer"));
  }
  res.status(200).end();
}

// === vulnerable: unzipper Open with helper method
import unzipper from "unzipper";
import fs from "node:fs";
import path from "node:path";

class Installer {
  constructor(private readonly root: string) {}

  private write(name: string, data: Buffer) {
    fs.writeFileSync(path.join(this.root, name), data);
  }

  async install(archive: string) {
    const directory = await unzipper.Open.file(archive);
    for (const file of directory.files) {
      this.write(file.path, await file.buffer());
    }
  }
}

new Installer("/srv/app").install(process.argv[2]);

// === vulnerable: adm-zip entry written through an array of parts
import AdmZip from "adm-zip";
import { promises as fsp } from "fs";
import Koa from "koa";

const app = new Koa();

app.use(async (ctx: any) => {
  const zip = new AdmZip(ctx.request.files.archive.filepath);
  await Promise.all(
    zip.getEntries().map((item) => {
      const target = ["/srv/gallery", item.entryName].join("/");
      return fsp.writeFile(target, item.getData());
    }),
  );
  ctx.status = 204;
});

// === safe: unzipper entry checked after resolve
import fs from "fs";
import path from "path";
import unzipper from "unzipper";
import express from "express";

const app = express();
const ROOT = path.resolve("/srv/imports");

app.post("/import", (req, res) => {
  req
    .pipe(unzipper.Parse())
    .on("entry", (entry) => {
      const dest = path.resolve(ROOT, entry.path);
      if (!dest.startsWith(ROOT + path.sep)) {
        entry.autodrain();
        return;
      }
      entry.pipe(fs.createWriteStream(dest));
    })
    .on("close", () => res.sendStatus(201));
});

// === safe: adm-zip with basename
import AdmZip from "adm-zip";
import fs from "fs";
import path from "path";
import express from "express";

const app = express();
app.use(express.raw({ type: "application/zip" }));

app.post("/theme", (req, res) => {
  const zip = new AdmZip(req.body);
  for (const entry of zip.getEntries()) {
    const out = path.join("/srv/themes", path.basename(entry.entryName));
    fs.writeFileSync(out, entry.getData());
  }
  res.sendStatus(204);
});

// === safe: tar-stream entry checked with path.relative
import tar from "tar-stream";
import fs from "fs";
import path from "path";
import http from "http";

const ROOT = path.resolve("/srv/inbox");

http
  .createServer((req, res) => {
    const extract = tar.extract();
    extract.on("entry", (header, stream, next) => {
      const full = path.resolve(ROOT, header.name);
      const rel = path.relative(ROOT, full);
      if (rel.startsWith("..") || path.isAbsolute(rel)) {
        extract.destroy(new Error("illegal entry"));
        return;
      }
      stream.pipe(fs.createWriteStream(full));
      stream.on("end", next);
    });
    req.pipe(extract);
    extract.on("finish", () => res.end("ok"));
  })
  .listen(8080);

// === safe: node-tar with its defaults
import * as tar from "tar";
import express from "express";
import multer from "multer";

const app = express();
const upload = multer({ dest: "/srv/tmp" });

app.post("/restore", upload.single("backup"), async (req, res) => {
  await tar.x({ file: req.file!.path, cwd: "/srv/restore", strict: true });
  res.sendStatus(200);
});

// === safe: unzipper Extract
import fs from "fs";
import unzipper from "unzipper";

fs.createReadStream(process.argv[2]).pipe(unzipper.Extract({ path: "/srv/output" }));

// === safe: fflate names replaced by generated ones
import { unzipSync } from "fflate";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import Fastify from "fastify";

const server = Fastify();

server.post("/photos", async (request) => {
  const files = unzipSync(request.body as Uint8Array);
  for (const data of Object.values(files)) {
    writeFileSync(`/srv/photos/${randomUUID()}.jpg`, data);
  }
  return { ok: true };
});

// === safe: archive read in memory only
import JSZip from "jszip";
import type { NextApiRequest, NextApiResponse } from "next";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const zip = await JSZip.loadAsync(req.body);
  const manifest = await zip.file("manifest.json")?.async("string");
  res.status(200).json({ names: Object.keys(zip.files), manifest });
}

// === safe: packing with tar
import * as tar from "tar";
import express from "express";

const app = express();

app.get("/backup", (req, res) => {
  res.type("application/gzip");
  tar.c({ gzip: true, cwd: "/srv/www" }, ["site"]).pipe(res);
});

// === safe: allow-list of entry names
import AdmZip from "adm-zip";
import fs from "fs";

const EXPECTED = new Set(["config.json", "schema.json"]);
const zip = new AdmZip(process.argv[2]);

for (const entry of zip.getEntries()) {
  if (!EXPECTED.has(entry.entryName)) {
    continue;
  }
  fs.writeFileSync(`/srv/config/${entry.entryName}`, entry.getData());
}

// === safe: entry.path of a route table, no archive
import fs from "fs";

const routes = [
  { path: "index.html", title: "Home" },
  { path: "about.html", title: "About" },
];

for (const entry of routes) {
  fs.createWriteStream("dist/" + entry.path).end(`<h1>${entry.title}</h1>`);
}
