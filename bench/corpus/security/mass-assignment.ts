// === vulnerable: mongoose create with the body
import express from "express";
import { User } from "./models/user";

const app = express();
app.use(express.json());

app.post("/users", async (req, res) => {
  const user = await User.create(req.body);
  res.status(201).json({ id: user.id });
});

// === vulnerable: Object.assign onto a loaded entity
import express from "express";
import { Account } from "./models/account";

const app = express();
app.use(express.json());

app.patch("/accounts/:id", async (req, res) => {
  const account = await Account.findByPk(Number(req.params.id));
  if (!account) return res.sendStatus(404);
  Object.assign(account, req.body);
  await account.save();
  return res.sendStatus(204);
});

// === vulnerable: findByIdAndUpdate with the body
import { Router } from "express";
import { Member } from "../models/member";

export const members = Router();

members.put("/:id", async (req, res) => {
  const changes = req.body;
  const member = await Member.findByIdAndUpdate(String(req.params.id), changes, { new: true });
  res.json(member);
});

// === vulnerable: prisma update data from the next request
import { NextResponse } from "next/server";
import { prisma } from "@/lib/prisma";

export async function PATCH(request: Request, { params }: { params: { id: string } }) {
  const data = await request.json();
  const user = await prisma.user.update({ where: { id: Number(params.id) }, data });
  return NextResponse.json({ id: user.id });
}

// === vulnerable: sequelize update with a spread of the body
import Koa from "koa";
import bodyParser from "koa-bodyparser";
import { Employee } from "./models/employee";

const app = new Koa();
app.use(bodyParser());

app.use(async (ctx) => {
  const values = { ...(ctx.request.body as object), updatedAt: new Date() };
  await Employee.update(values, { where: { id: Number(ctx.query.id) } });
  ctx.status = 204;
});

// === vulnerable: typeorm save of a merged body in nest
import { Body, Controller, Param, ParseIntPipe, Patch } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { User } from "./user.entity";

@Controller("users")
export class UsersController {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  @Patch(":id")
  async update(@Param("id", ParseIntPipe) id: number, @Body() body: any) {
    const user = await this.users.findOneByOrFail({ id });
    return this.users.save({ ...user, ...body });
  }
}

// === vulnerable: knex insert of a fastify body
import Fastify from "fastify";
import knexFactory from "knex";

const knex = knexFactory({ client: "pg" });
const fastify = Fastify();

fastify.post("/customers", async (request, reply) => {
  const row = request.body as Record<string, unknown>;
  await knex("customers").insert(row);
  return reply.code(201).send();
});

// === vulnerable: for of loop copies every key
import express from "express";
import { Profile } from "./models/profile";

const app = express();
app.use(express.json());

function assignAll(target: any, source: Record<string, unknown>) {
  for (const [key, value] of Object.entries(source)) {
    target[key] = value;
  }
}

app.put("/profile/:id", async (req, res) => {
  const profile = await Profile.findById(String(req.params.id));
  assignAll(profile, req.body);
  await profile!.save();
  res.end();
});

// === vulnerable (js): new model from the body
const express = require("express");
const Order = require("./models/order");

const app = express();
app.use(express.urlencoded({ extended: false }));

app.post("/orders", async (req, res) => {
  const order = new Order(req.body);
  await order.save();
  res.redirect("/orders");
});

// === vulnerable: mongodb driver $set with the body
import express from "express";
import { MongoClient, ObjectId } from "mongodb";

const users = new MongoClient("mongodb://db").db("app").collection("users");
const app = express();
app.use(express.json());

app.patch("/users/:id", async (req, res) => {
  await users.updateOne({ _id: new ObjectId(req.params.id) }, { $set: req.body });
  res.sendStatus(204);
});

// === safe: named fields in create
import express from "express";
import { User } from "./models/user";

const app = express();
app.use(express.json());

app.post("/users", async (req, res) => {
  const { name, email } = req.body;
  const user = await User.create({ name: String(name), email: String(email) });
  res.status(201).json({ id: user.id });
});

// === safe: lodash pick
import express from "express";
import pick from "lodash/pick";
import { Account } from "./models/account";

const app = express();
app.use(express.json());

app.patch("/accounts/:id", async (req, res) => {
  const account = await Account.findByPk(Number(req.params.id));
  if (!account) return res.sendStatus(404);
  Object.assign(account, pick(req.body, ["displayName", "timezone"]));
  await account.save();
  return res.sendStatus(204);
});

// === safe: sequelize fields option
import { Router } from "express";
import { Member } from "../models/member";

export const members = Router();

members.put("/:id", async (req, res) => {
  await Member.update(req.body, { where: { id: Number(req.params.id) }, fields: ["name", "city"] });
  res.sendStatus(204);
});

// === safe: zod schema strips unknown keys
import { NextResponse } from "next/server";
import { z } from "zod";
import { prisma } from "@/lib/prisma";

const Change = z.object({ name: z.string().max(80), city: z.string().optional() });

export async function PATCH(request: Request, { params }: { params: { id: string } }) {
  const data = Change.parse(await request.json());
  const user = await prisma.user.update({ where: { id: Number(params.id) }, data });
  return NextResponse.json({ id: user.id });
}

// === safe: Object.assign onto a fresh options object
import Koa from "koa";

const app = new Koa();
const DEFAULTS = { page: 1, size: 20 };

app.use(async (ctx) => {
  const options = Object.assign({}, DEFAULTS, { page: Number(ctx.query.page) || 1 });
  ctx.body = { options };
});

// === safe: loop over allowed keys
import express from "express";
import { Profile } from "./models/profile";

const EDITABLE = ["bio", "city"] as const;
const app = express();
app.use(express.json());

app.put("/profile/:id", async (req, res) => {
  const profile: any = await Profile.findById(String(req.params.id));
  for (const key of EDITABLE) {
    if (key in req.body) profile[key] = String(req.body[key]);
  }
  await profile.save();
  res.end();
});

// === safe: create method of a constant record
import express from "express";
import { Visit } from "./models/visit";

const app = express();

app.post("/visits", async (req, res) => {
  await Visit.create({ page: "/home", at: new Date(), length: Number(req.query.length) });
  res.sendStatus(201);
});

// === safe: Object.create and document.create look-alikes
import express from "express";

const shape = {
  area(this: { w: number; h: number }) {
    return this.w * this.h;
  },
};
const app = express();
app.use(express.json());

app.post("/area", (req, res) => {
  const box = Object.create(shape);
  box.w = Number(req.body.w);
  box.h = Number(req.body.h);
  res.json({ area: box.area() });
});

// === safe: knex insert of named columns
import Fastify from "fastify";
import knexFactory from "knex";

const knex = knexFactory({ client: "pg" });
const fastify = Fastify();

fastify.post("/customers", async (request, reply) => {
  const body = request.body as Record<string, unknown>;
  await knex("customers").insert({ name: String(body.name), phone: String(body.phone) });
  return reply.code(201).send();
});

// === safe: nest validation pipe with whitelist on the handler
import { Body, Controller, Post, ValidationPipe } from "@nestjs/common";
import { IsString } from "class-validator";
import { UsersRepository } from "./users.repository";

class CreateUserDto {
  @IsString()
  name!: string;
}

@Controller("users")
export class UsersController {
  constructor(private readonly users: UsersRepository) {}

  @Post()
  create(@Body(new ValidationPipe({ whitelist: true })) body: CreateUserDto) {
    return this.users.create(body);
  }
}
