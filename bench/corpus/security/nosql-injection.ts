// === vulnerable: mongoose findOne with body values
import express from "express";
import { User } from "./models/user";

const app = express();
app.use(express.json());

app.post("/login", async (req, res) => {
  const user = await User.findOne({ username: req.body.username, password: req.body.password });
  res.status(user ? 200 : 401).end();
});

// === vulnerable: mongodb driver find with destructured body
import express from "express";
import { MongoClient } from "mongodb";

const client = new MongoClient("mongodb://localhost:27017");
const router = express.Router();

router.post("/reset", async (req, res) => {
  const { email, resetToken } = req.body;
  const account = await client.db("app").collection("accounts").findOne({ email, resetToken });
  res.json({ found: account !== null });
});

export default router;

// === vulnerable: whole koa body as filter
import Koa from "koa";
import bodyParser from "koa-bodyparser";
import { MongoClient } from "mongodb";

const db = new MongoClient("mongodb://db").db("crm");
const app = new Koa();
app.use(bodyParser());

app.use(async (ctx) => {
  const filter = ctx.request.body as object;
  ctx.body = await db.collection("contacts").find(filter).toArray();
});

// === vulnerable: $where with a template literal
import express from "express";
import mongoose from "mongoose";

const Post = mongoose.model("Post", new mongoose.Schema({ author: String, title: String }));
const app = express();

app.get("/posts", async (req, res) => {
  const posts = await Post.find({ $where: `this.author === '${req.query.author}'` });
  res.json(posts);
});

// === vulnerable: JSON.parse of the query string in a next route handler
import { NextRequest, NextResponse } from "next/server";
import { getDb } from "@/lib/mongo";

export async function GET(request: NextRequest) {
  const db = await getDb();
  const raw = request.nextUrl.searchParams.get("filter") ?? "{}";
  const filter = JSON.parse(raw);
  const docs = await db.collection("products").find(filter).limit(50).toArray();
  return NextResponse.json(docs);
}

// === vulnerable: express query value may be an operator object
import express from "express";
import { Order } from "./models/order";

const app = express();
app.set("query parser", "extended");

app.delete("/orders", async (req, res) => {
  const query: Record<string, unknown> = {};
  query.customer = req.query.customer;
  const result = await Order.deleteMany(query);
  res.json({ deleted: result.deletedCount });
});

// === vulnerable: fastify body through a service class
import Fastify from "fastify";
import { Collection, MongoClient } from "mongodb";

class DeviceService {
  constructor(private readonly devices: Collection) {}
  unlock(serial: any, pin: any) {
    return this.devices.updateOne({ serial, pin }, { $set: { locked: false } });
  }
}

const service = new DeviceService(new MongoClient("mongodb://db").db("iot").collection("devices"));
const fastify = Fastify();

fastify.post("/unlock", async (request) => {
  const body = request.body as any;
  const result = await service.unlock(body.serial, body.pin);
  return { ok: result.modifiedCount === 1 };
});

// === vulnerable: aggregate match stage spread from the body
import express from "express";
import { Sale } from "./models/sale";

const app = express();
app.use(express.json());

app.post("/stats", async (req, res) => {
  const match = { archived: false, ...req.body.match };
  const rows = await Sale.aggregate([{ $match: match }, { $group: { _id: "$region", n: { $sum: 1 } } }]);
  res.json(rows);
});

// === vulnerable (js): mongoose Query where $where concatenation
const express = require("express");
const { Ticket } = require("./models");

const app = express();

app.get("/tickets", (req, res, next) => {
  const minimum = req.query.min;
  Ticket.find()
    .$where("this.votes > " + minimum)
    .then((tickets) => res.json(tickets))
    .catch(next);
});

// === safe: String conversion of body values
import express from "express";
import { User } from "./models/user";

const app = express();
app.use(express.json());

app.post("/login", async (req, res) => {
  const user = await User.findOne({ username: String(req.body.username), token: String(req.body.token) });
  res.status(user ? 200 : 401).end();
});

// === safe: $eq around each destructured value
import express from "express";
import { MongoClient } from "mongodb";

const client = new MongoClient("mongodb://localhost:27017");
const router = express.Router();

router.post("/reset", async (req, res) => {
  const { email, resetToken } = req.body;
  const account = await client
    .db("app")
    .collection("accounts")
    .findOne({ email: { $eq: email }, resetToken: { $eq: resetToken } });
  res.json({ found: account !== null });
});

// === safe: typeof guard returns early
import express from "express";
import { Account } from "./models/account";

const app = express();
app.use(express.json());

app.post("/verify", async (req, res) => {
  const { code } = req.body;
  if (typeof code !== "string") {
    return res.status(400).json({ error: "code must be a string" });
  }
  const account = await Account.findOne({ code });
  return res.json({ ok: Boolean(account) });
});

// === safe: zod schema parse
import express from "express";
import { z } from "zod";
import { Contact } from "./models/contact";

const Search = z.object({ city: z.string(), limit: z.number().int().max(100) });
const app = express();
app.use(express.json());

app.post("/contacts", async (req, res) => {
  const { city, limit } = Search.parse(req.body);
  res.json(await Contact.find({ city }).limit(limit));
});

// === safe: mongo-sanitize on the filter
import express from "express";
import sanitize from "mongo-sanitize";
import { Order } from "./models/order";

const app = express();
app.use(express.json());

app.post("/orders", async (req, res) => {
  const filter = { customer: sanitize(req.body.customer) };
  res.json(await Order.find(filter));
});

// === safe: ObjectId from a route parameter
import express from "express";
import { MongoClient, ObjectId } from "mongodb";

const posts = new MongoClient("mongodb://db").db("blog").collection("posts");
const app = express();

app.get("/posts/:id", async (req, res) => {
  const post = await posts.findOne({ _id: new ObjectId(req.params.id) });
  res.json(post);
});

// === safe: find on an array with a body value
import express from "express";

const plans = [{ name: "free" }, { name: "team" }];
const app = express();
app.use(express.json());

app.post("/plan", (req, res) => {
  const wanted = req.body.plan;
  res.json(plans.find((plan) => plan.name === wanted) ?? null);
});

// === safe: searchParams value is always a string
import { NextRequest, NextResponse } from "next/server";
import { getDb } from "@/lib/mongo";

export async function GET(request: NextRequest) {
  const db = await getDb();
  const sku = request.nextUrl.searchParams.get("sku");
  const doc = await db.collection("products").findOne({ sku });
  return NextResponse.json(doc);
}

// === safe: Number conversion inside a range filter
import { Router } from "express";
import { Sale } from "../models/sale";

export const sales = Router();

sales.get("/", async (req, res) => {
  const minimum = Number(req.query.min ?? 0);
  res.json(await Sale.find({ amount: { $gte: minimum } }).sort({ amount: -1 }));
});
