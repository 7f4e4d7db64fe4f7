// === vulnerable: express query concatenated into pg pool.query
import express from "express";
import { Pool } from "pg";

const app = express();
const pool = new Pool();

app.get("/users", async (req, res) => {
  const result = await pool.query("SELECT * FROM users WHERE email = '" + req.query.email + "'");
  res.json(result.rows);
});

// === vulnerable: mysql2 promise execute with a template literal
import express, { Request, Response } from "express";
import mysql from "mysql2/promise";

const router = express.Router();
const db = mysql.createPool({ host: "localhost", database: "shop" });

router.post("/login", async (req: Request, res: Response) => {
  const { username, password } = req.body;
  const sql = `SELECT id FROM users WHERE username = '${username}' AND password = '${password}'`;
  const [rows] = await db.execute(sql);
  res.json({ ok: (rows as unknown[]).length === 1 });
});

export default router;

// === vulnerable: knex.raw with interpolated route parameter
import Koa from "koa";
import Router from "@koa/router";
import knexFactory from "knex";

const knex = knexFactory({ client: "pg", connection: process.env.DATABASE_URL });
const router = new Router();

router.get("/articles/:slug", async (ctx) => {
  const found = await knex.raw(`select * from articles where slug = '${ctx.params.slug}'`);
  ctx.body = found.rows[0];
});

new Koa().use(router.routes()).listen(3000);

// === vulnerable: sequelize.query with string concatenation and QueryTypes
import { Sequelize, QueryTypes } from "sequelize";
import express from "express";

const sequelize = new Sequelize(process.env.DB_URL!);
const app = express();

app.get("/search", async (req, res) => {
  const term = String(req.query.q);
  const rows = await sequelize.query("SELECT * FROM posts WHERE title LIKE '%" + term + "%'", {
    type: QueryTypes.SELECT,
  });
  res.json(rows);
});

// === vulnerable: prisma $queryRawUnsafe in a next route handler
import { NextRequest, NextResponse } from "next/server";
import { PrismaClient } from "@prisma/client";

const prisma = new PrismaClient();

export async function GET(request: NextRequest) {
  const city = request.nextUrl.searchParams.get("city");
  const rows = await prisma.$queryRawUnsafe(`SELECT * FROM "Store" WHERE city = '${city}'`);
  return NextResponse.json(rows);
}

// === vulnerable: typeorm query builder where with nest query parameter
import { Controller, Get, Query } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { Member } from "./member.entity";

@Controller("members")
export class MembersController {
  constructor(@InjectRepository(Member) private readonly members: Repository<Member>) {}

  @Get()
  find(@Query("team") team: string) {
    return this.members.createQueryBuilder("m").where("m.team = '" + team + "'").getMany();
  }
}

// === vulnerable: fastify handler with a where clause joined from body filters
import Fastify from "fastify";
import { Client } from "pg";

const fastify = Fastify();
const client = new Client();

fastify.post("/filter", async (request, reply) => {
  const filters = request.body as Record<string, string>;
  const clauses = Object.entries(filters).map(([column, value]) => `${column} = '${value}'`);
  const text = ["SELECT * FROM devices WHERE", clauses.join(" AND ")].join(" ");
  const { rows } = await client.query({ text });
  return reply.send(rows);
});

// === vulnerable: helper function builds the statement for better-sqlite3
import express from "express";
import Database from "better-sqlite3";

const db = new Database("notes.db");
const app = express();

function ownedBy(owner: string): string {
  return "SELECT * FROM notes WHERE owner = '" + owner + "'";
}

app.get("/notes/:owner", (req, res) => {
  const statement = db.prepare(ownedBy(req.params.owner));
  res.json(statement.all());
});

// === vulnerable: repository class with mysql callback query
import express from "express";
import mysql from "mysql";

class OrderStore {
  private conn = mysql.createConnection({ host: "db", user: "app" });

  byColumn(column: string, done: (err: unknown, rows: unknown) => void) {
    let sql = "SELECT * FROM orders";
    sql += " ORDER BY " + column;
    this.conn.query(sql, done);
  }
}

const store = new OrderStore();
const app = express();
app.get("/orders", (req, res) => {
  const sort = req.query.sort as string;
  store.byColumn(sort, (err, rows) => (err ? res.sendStatus(500) : res.json(rows)));
});

// === vulnerable (js): sqlite3 db.all with a header value
const express = require("express");
const sqlite3 = require("sqlite3").verbose();

const app = express();
const db = new sqlite3.Database("tenants.db");

app.get("/plan", (req, res) => {
  const tenant = req.get("x-tenant");
  db.all("SELECT plan FROM tenants WHERE id = '" + tenant + "'", (err, rows) => {
    if (err) return res.status(500).end();
    res.json(rows);
  });
});

// === vulnerable: sequelize literal in an order clause
import { Router } from "express";
import { literal } from "sequelize";
import { Product } from "../models/product";

export const products = Router();

products.get("/", async (req, res) => {
  const { order = "price" } = req.query;
  const rows = await Product.findAll({ order: literal(`${order} ASC`) });
  res.json(rows);
});

// === vulnerable: sql.unsafe of postgres.js with a searchParams value
import { createServer } from "node:http";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL!);

createServer(async (req, res) => {
  const url = new URL(req.url ?? "/", "http://localhost");
  const status = url.searchParams.get("status");
  const rows = await sql.unsafe(`select * from jobs where status = '${status}'`);
  res.end(JSON.stringify(rows));
}).listen(8080);

// === safe: pg placeholder with value array
import express from "express";
import { Pool } from "pg";

const app = express();
const pool = new Pool();

app.get("/users", async (req, res) => {
  const result = await pool.query("SELECT * FROM users WHERE email = $1", [req.query.email]);
  res.json(result.rows);
});

// === safe: mysql2 execute with bound username
import express, { Request, Response } from "express";
import mysql from "mysql2/promise";

const router = express.Router();
const db = mysql.createPool({ host: "localhost", database: "shop" });

router.get("/profile", async (req: Request, res: Response) => {
  const username = String(req.query.username);
  const [rows] = await db.execute("SELECT id, bio FROM users WHERE username = ?", [username]);
  res.json(rows);
});

export default router;

// === safe: knex.raw with bindings
import Koa from "koa";
import Router from "@koa/router";
import knexFactory from "knex";

const knex = knexFactory({ client: "pg", connection: process.env.DATABASE_URL });
const router = new Router();

router.get("/articles/:slug", async (ctx) => {
  const found = await knex.raw("select * from articles where slug = ?", [ctx.params.slug]);
  ctx.body = found.rows[0];
});

new Koa().use(router.routes()).listen(3000);

// === safe: knex builder values
import express from "express";
import knexFactory from "knex";

const knex = knexFactory({ client: "pg" });
const app = express();

app.get("/books", async (req, res) => {
  const rows = await knex("books").where({ author: String(req.query.author) }).andWhere("price", "<", Number(req.query.max));
  res.json(rows);
});

// === safe: prisma tagged $queryRaw
import { NextRequest, NextResponse } from "next/server";
import { PrismaClient } from "@prisma/client";

const prisma = new PrismaClient();

export async function GET(request: NextRequest) {
  const city = request.nextUrl.searchParams.get("city");
  const rows = await prisma.$queryRaw`SELECT * FROM "Store" WHERE city = ${city}`;
  return NextResponse.json(rows);
}

// === safe: typeorm where with named parameters
import { Controller, Get, Query } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { Member } from "./member.entity";

@Controller("members")
export class MembersController {
  constructor(@InjectRepository(Member) private readonly members: Repository<Member>) {}

  @Get()
  find(@Query("team") team: string) {
    return this.members.createQueryBuilder("m").where("m.team = :team", { team }).getMany();
  }
}

// === safe: sequelize replacements
import { Sequelize, QueryTypes } from "sequelize";
import express from "express";

const sequelize = new Sequelize(process.env.DB_URL!);
const app = express();

app.get("/search", async (req, res) => {
  const rows = await sequelize.query("SELECT * FROM posts WHERE title LIKE :term", {
    replacements: { term: `%${req.query.q}%` },
    type: QueryTypes.SELECT,
  });
  res.json(rows);
});

// === safe: sort column looked up in a constant map
import express from "express";
import { Pool } from "pg";

const pool = new Pool();
const app = express();
const SORTS = new Map([["name", "name ASC"], ["new", "created_at DESC"]]);

app.get("/devices", async (req, res) => {
  const order = SORTS.get(String(req.query.sort)) ?? "id ASC";
  const { rows } = await pool.query(`SELECT * FROM devices ORDER BY ${order}`);
  res.json(rows);
});

// === safe: numeric conversion before interpolation
import Fastify from "fastify";
import { Pool } from "pg";

const fastify = Fastify();
const pool = new Pool();

fastify.get("/page/:n", async (request) => {
  const { n } = request.params as { n: string };
  const page = Number.parseInt(n, 10) || 0;
  const { rows } = await pool.query(`SELECT id FROM logs ORDER BY id LIMIT 50 OFFSET ${page * 50}`);
  return rows;
});

// === safe: better-sqlite3 prepared statement with a bound value
import express from "express";
import Database from "better-sqlite3";

const db = new Database("notes.db");
const app = express();
const byOwner = db.prepare("SELECT * FROM notes WHERE owner = ?");

app.get("/notes/:owner", (req, res) => {
  res.json(byOwner.all(req.params.owner));
});

// === safe: query method of an in-memory collection helper
import express from "express";

class TagIndex {
  constructor(private readonly tags: string[]) {}
  query(prefix: string): string[] {
    return this.tags.filter((tag) => tag.startsWith(prefix));
  }
}

const app = express();
const index = new TagIndex(["select", "update", "delete"]);

app.get("/tags", (req, res) => {
  res.json(index.query("select " + req.query.prefix));
});

// === safe: postgres.js tagged template
import { createServer } from "node:http";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL!);

createServer(async (req, res) => {
  const url = new URL(req.url ?? "/", "http://localhost");
  const status = url.searchParams.get("status");
  const rows = await sql`select * from jobs where status = ${status}`;
  res.end(JSON.stringify(rows));
}).listen(8080);

// === safe: placeholders generated from the array length
import express from "express";
import { Pool } from "pg";

const app = express();
const pool = new Pool();

app.post("/bulk", async (req, res) => {
  const ids: string[] = req.body.ids;
  const marks = ids.map((_, i) => `$${i + 1}`).join(", ");
  const { rows } = await pool.query(`SELECT * FROM parts WHERE id IN (${marks})`, ids);
  res.json(rows);
});
