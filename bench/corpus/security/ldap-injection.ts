// === vulnerable: ldapjs search filter concatenation
import express from "express";
import ldap from "ldapjs";

const app = express();
const client = ldap.createClient({ url: "ldap://directory.example.com" });

app.get("/person", (req, res) => {
  const options = { scope: "sub" as const, filter: "(uid=" + req.query.uid + ")" };
  client.search("ou=people,dc=example,dc=com", options, (err, result) => {
    if (err) return res.sendStatus(500);
    result.on("end", () => res.end());
  });
});

// === vulnerable: ldapts async search with a template literal
import Fastify from "fastify";
import { Client } from "ldapts";

const fastify = Fastify();
const client = new Client({ url: "ldaps://directory.example.com" });

fastify.get("/people/:cn", async (request) => {
  const { cn } = request.params as { cn: string };
  const { searchEntries } = await client.search("dc=example,dc=com", {
    scope: "sub",
    filter: `(&(objectClass=person)(cn=${cn}))`,
  });
  return searchEntries;
});

// === vulnerable: ldapjs bind dn from the body
import express from "express";
import { createClient } from "ldapjs";

const router = express.Router();

router.post("/login", (req, res) => {
  const { username, password } = req.body;
  const client = createClient({ url: ["ldaps://directory.example.com"] });
  const dn = `uid=${username},ou=people,dc=example,dc=com`;
  client.bind(dn, password, (err) => res.sendStatus(err ? 401 : 200));
});

export default router;

// === vulnerable: filter text passed to ldapjs parseFilter
import Koa from "koa";
import ldap from "ldapjs";

const app = new Koa();
const client = ldap.createClient({ url: "ldap://dir" });

app.use(async (ctx) => {
  const text = "(mail=" + ctx.query.mail + ")";
  const filter = ldap.parseFilter(text);
  await new Promise<void>((resolve) => client.search("dc=example,dc=com", { filter }, () => resolve()));
  ctx.status = 204;
});

// === vulnerable: helper function joins conditions
import express from "express";
import { Client } from "ldapts";

const client = new Client({ url: "ldap://dir" });
const app = express();

function and(...conditions: string[]): string {
  return "(&" + conditions.join("") + ")";
}

app.get("/staff", async (req, res) => {
  const byDepartment = "(department=" + req.query.department + ")";
  const found = await client.search("dc=example,dc=com", { filter: and("(objectClass=user)", byDepartment) });
  res.json(found.searchEntries);
});

// === vulnerable: nest service class with search base from the parameter
import { Controller, Get, Injectable, Param } from "@nestjs/common";
import { Client } from "ldapts";

@Injectable()
export class DirectoryService {
  private readonly client = new Client({ url: "ldap://dir" });
  async unit(name: string) {
    const base = "ou=" + name + ",dc=example,dc=com";
    return this.client.search(base, { filter: "(objectClass=*)" });
  }
}

@Controller("units")
export class UnitsController {
  constructor(private readonly directory: DirectoryService) {}
  @Get(":name")
  find(@Param("name") name: string) {
    return this.directory.unit(name);
  }
}

// === vulnerable: activedirectory2 query with a next handler value
import type { NextApiRequest, NextApiResponse } from "next";
import ActiveDirectory from "activedirectory2";

const ad = new ActiveDirectory({ url: "ldap://dc", baseDN: "dc=example,dc=com", username: "svc", password: process.env.AD_PW! });

export default function handler(req: NextApiRequest, res: NextApiResponse) {
  const { group } = req.query;
  const query = `cn=*${group}*`;
  ad.findGroups(query, (err: unknown, groups: unknown) => {
    res.status(err ? 500 : 200).json(groups ?? []);
  });
}

// === vulnerable (js): ldapjs options object mutated later
const http = require("http");
const ldap = require("ldapjs");

const client = ldap.createClient({ url: "ldap://dir" });

http
  .createServer((req, res) => {
    const url = new URL(req.url, "http://localhost");
    const opts = { scope: "sub", attributes: ["dn"] };
    opts.filter = "(sn=".concat(url.searchParams.get("sn"), ")");
    client.search("dc=example,dc=com", opts, () => res.end());
  })
  .listen(8080);

// === safe: ldapjs EqualityFilter object
import express from "express";
import ldap from "ldapjs";

const app = express();
const client = ldap.createClient({ url: "ldap://directory.example.com" });

app.get("/person", (req, res) => {
  const filter = new ldap.EqualityFilter({ attribute: "uid", value: String(req.query.uid) });
  client.search("ou=people,dc=example,dc=com", { filter, scope: "sub" }, (err, result) => {
    if (err) return res.sendStatus(500);
    result.on("end", () => res.end());
  });
});

// === safe: ldapts filter objects
import Fastify from "fastify";
import { AndFilter, Client, EqualityFilter } from "ldapts";

const fastify = Fastify();
const client = new Client({ url: "ldaps://directory.example.com" });

fastify.get("/people/:cn", async (request) => {
  const { cn } = request.params as { cn: string };
  const filter = new AndFilter({
    filters: [
      new EqualityFilter({ attribute: "objectClass", value: "person" }),
      new EqualityFilter({ attribute: "cn", value: cn }),
    ],
  });
  return (await client.search("dc=example,dc=com", { filter })).searchEntries;
});

// === safe: ldap-escape tagged filter
import express from "express";
import ldapEscape from "ldap-escape";
import { Client } from "ldapts";

const client = new Client({ url: "ldap://dir" });
const app = express();

app.get("/mail", async (req, res) => {
  const mail = String(req.query.mail);
  const found = await client.search("dc=example,dc=com", { filter: ldapEscape.filter`(mail=${mail})` });
  res.json(found.searchEntries);
});

// === safe: constant filter with a numeric size limit
import Koa from "koa";
import { Client } from "ldapts";

const app = new Koa();
const client = new Client({ url: "ldap://dir" });

app.use(async (ctx) => {
  const sizeLimit = Math.min(Number(ctx.query.limit) || 10, 100);
  const { searchEntries } = await client.search("dc=example,dc=com", { filter: "(objectClass=person)", sizeLimit });
  ctx.body = searchEntries;
});

// === safe: escaping helper of the same file for filter characters
import express from "express";
import { Client } from "ldapts";

const client = new Client({ url: "ldap://dir" });
const app = express();

function escapeFilter(value: string): string {
  return value.replace(/[\\*()\0]/g, (c) => "\\" + c.charCodeAt(0).toString(16).padStart(2, "0"));
}

app.get("/staff", async (req, res) => {
  const department = escapeFilter(String(req.query.department));
  const found = await client.search("dc=example,dc=com", { filter: `(department=${department})` });
  res.json(found.searchEntries);
});

// === safe: allow-listed organisational unit
import { Controller, Get, NotFoundException, Param } from "@nestjs/common";
import { Client } from "ldapts";

const UNITS = ["sales", "it", "finance"];

@Controller("units")
export class UnitsController {
  private readonly client = new Client({ url: "ldap://dir" });
  @Get(":name")
  find(@Param("name") name: string) {
    if (!UNITS.includes(name)) throw new NotFoundException();
    return this.client.search(`ou=${name},dc=example,dc=com`, { filter: "(objectClass=*)" });
  }
}

// === safe: employee number parsed as a number
import express from "express";
import { Client } from "ldapts";

const client = new Client({ url: "ldap://dir" });
const app = express();

app.get("/employee/:number", async (req, res) => {
  const number = parseInt(req.params.number, 10);
  const found = await client.search("dc=example,dc=com", { filter: `(employeeNumber=${number})` });
  res.json(found.searchEntries);
});

// === safe: search method of a client side text index
import express from "express";
import MiniSearch from "minisearch";

const index = new MiniSearch({ fields: ["title"] });
const app = express();

app.get("/find", (req, res) => {
  const text = "(cn=" + String(req.query.q) + ")";
  res.json(index.search(text, { prefix: true }));
});
