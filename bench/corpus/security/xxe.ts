// === vulnerable: libxmljs noent on a body
import express from "express";
import libxmljs from "libxmljs";

const app = express();
app.use(express.text({ type: "application/xml" }));

app.post("/orders", (req, res) => {
  const doc = libxmljs.parseXml(req.body, { noent: true });
  res.json({ id: doc.get("//id")?.text() });
});

// === vulnerable (js): libxmljs2 commonjs with parseXmlString
const express = require("express");
const { parseXmlString } = require("libxmljs2");
const app = express();
app.use(express.text({ type: "*/xml" }));

app.post("/feed", (req, res) => {
  const document = parseXmlString(req.body, { noent: true, noblanks: true });
  res.send(document.root().name());
});

// === vulnerable: options object defined earlier
import Koa from "koa";
import rawBody from "raw-body";
import * as libxml from "libxmljs2";

const app = new Koa();
const parseOptions = { noblanks: true, noent: true, dtdload: true };

app.use(async (ctx) => {
  const body = await rawBody(ctx.req, { encoding: "utf-8" });
  ctx.body = libxml.parseXml(body, parseOptions).toString();
});

// === vulnerable: multer upload through a helper
import express from "express";
import multer from "multer";
import libxmljs from "libxmljs";

const app = express();
const upload = multer();

function readTitle(xml: string): string | undefined {
  const doc = libxmljs.parseXml(xml, { noent: true, nonet: false });
  return doc.get("//title")?.text();
}

app.post("/import", upload.single("file"), (req, res) => {
  res.json({ title: readTitle(req.file!.buffer.toString("utf8")) });
});

// === vulnerable: fastify with dtdload and network
import Fastify from "fastify";
import libxmljs from "libxmljs2";

const server = Fastify();
server.addContentTypeParser("application/xml", { parseAs: "string" }, (req, body, done) => done(null, body));

server.post("/soap", async (request) => {
  const xml = request.body as string;
  const doc = libxmljs.parseXml(xml, { dtdload: true, dtdvalid: true, noent: true, nonet: false });
  return { operation: doc.root()?.name() };
});

// === vulnerable: replaceEntities in the newer libxmljs
import type { NextApiRequest, NextApiResponse } from "next";
import { parseXml } from "libxmljs";

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const doc = parseXml(req.body, { replaceEntities: true });
  res.status(200).json({ root: doc.root()?.name() });
}

// === vulnerable: nest controller with parseXmlAsync
import { Body, Controller, Post } from "@nestjs/common";
import { parseXmlAsync } from "libxmljs";

@Controller("catalog")
export class CatalogController {
  @Post()
  async load(@Body() xml: string) {
    const doc = await parseXmlAsync(xml, { noent: true });
    return { products: doc.find("//product").length };
  }
}

// === vulnerable: libxml2-wasm with NOENT and file access registered
import express from "express";
import { XmlDocument, ParseOption } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";

xmlRegisterFsInputProviders();
const app = express();

app.post("/convert", express.text({ type: "*/*" }), (req, res) => {
  const doc = XmlDocument.fromString(req.body, {
    option: ParseOption.XML_PARSE_NOENT | ParseOption.XML_PARSE_DTDLOAD,
  });
  res.send(doc.toString());
  doc.dispose();
});

// === vulnerable: http server collecting chunks
import http from "http";
import libxmljs from "libxmljs";

http
  .createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (c) => chunks.push(c));
    req.on("end", () => {
      const xml = Buffer.concat(chunks).toString();
      const options = Object.assign({ noblanks: true }, { noent: true });
      res.end(libxmljs.parseXmlString(xml, options).toString());
    });
  })
  .listen(8080);

// === safe: libxmljs with its defaults
import express from "express";
import libxmljs from "libxmljs";

const app = express();
app.use(express.text({ type: "application/xml" }));

app.post("/orders", (req, res) => {
  const doc = libxmljs.parseXml(req.body);
  res.json({ id: doc.get("//id")?.text() });
});

// === safe: noent false and nonet true
import Koa from "koa";
import rawBody from "raw-body";
import * as libxml from "libxmljs2";

const app = new Koa();

app.use(async (ctx) => {
  const body = await rawBody(ctx.req, { encoding: "utf-8" });
  ctx.body = libxml.parseXml(body, { noent: false, nonet: true, noblanks: true }).toString();
});

// === safe: xml2js
import express from "express";
import { parseStringPromise } from "xml2js";

const app = express();

app.post("/feed", express.text({ type: "*/xml" }), async (req, res) => {
  res.json(await parseStringPromise(req.body, { explicitArray: false }));
});

// === safe: fast-xml-parser with entities off
import Fastify from "fastify";
import { XMLParser } from "fast-xml-parser";

const server = Fastify();
const parser = new XMLParser({ processEntities: false, ignoreAttributes: false });

server.post("/catalog", async (request) => {
  return parser.parse(request.body as string);
});

// === safe: constant document with noent
import libxmljs from "libxmljs";

const TEMPLATE = '<!DOCTYPE p [<!ENTITY co "Example Ltd">]><p>&co;</p>';
const doc = libxmljs.parseXml(TEMPLATE, { noent: true });
console.log(doc.root()?.text());

// === safe: browser DOMParser
const input = document.querySelector<HTMLTextAreaElement>("#svg")!;

input.addEventListener("change", () => {
  const doc = new DOMParser().parseFromString(input.value, "image/svg+xml");
  console.log(doc.documentElement.getAttribute("viewBox"));
});

// === safe: sax event parser
import http from "http";
import sax from "sax";

http
  .createServer((req, res) => {
    const stream = sax.createStream(true, { trim: true });
    let count = 0;
    stream.on("opentag", () => count++);
    stream.on("end", () => res.end(String(count)));
    req.pipe(stream);
  })
  .listen(8080);

// === safe: option named noent of another library
import express from "express";

const app = express();
const formatter = {
  parseXml(text: string, options: { noent: boolean }) {
    return options.noent ? text.replace(/&/g, "&amp;") : text;
  },
};

app.post("/escape", express.text(), (req, res) => {
  res.type("text/plain").send(formatter.parseXml(req.body, { noent: true }));
});

// === safe: building xml with xmlbuilder
import express from "express";
import { create } from "xmlbuilder2";

const app = express();

app.get("/feed", (req, res) => {
  const root = create({ version: "1.0" }).ele("feed").ele("title").txt(String(req.query.title)).up();
  res.type("application/xml").send(root.end({ prettyPrint: true }));
});
