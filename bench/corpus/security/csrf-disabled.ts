// === vulnerable: csurf ignoring every writing method
import express from "express";
import csurf from "csurf";
import cookieParser from "cookie-parser";

const app = express();
app.use(cookieParser());
app.use(csurf({ cookie: true, ignoreMethods: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"] }));

// === vulnerable: lusca with csrf off
import express from "express";
import session from "express-session";
import lusca from "lusca";

const app = express();
app.use(session({ secret: process.env.SESSION_SECRET!, resave: false, saveUninitialized: false }));
app.use(lusca({ csrf: false, xframe: "SAMEORIGIN", xssProtection: true }));

// === vulnerable: apollo server csrfPrevention off
import { ApolloServer } from "@apollo/server";

const typeDefs = `type Query { me: String }`;

export const server = new ApolloServer({
  typeDefs,
  resolvers: { Query: { me: () => "me" } },
  csrfPrevention: false,
});

// === vulnerable: angular withNoXsrfProtection
import { ApplicationConfig } from "@angular/core";
import { provideHttpClient, withNoXsrfProtection } from "@angular/common/http";

export const appConfig: ApplicationConfig = {
  providers: [provideHttpClient(withNoXsrfProtection())],
};

// === vulnerable: angular HttpClientXsrfModule.disable
import { NgModule } from "@angular/core";
import { HttpClientModule, HttpClientXsrfModule } from "@angular/common/http";

@NgModule({
  imports: [HttpClientModule, HttpClientXsrfModule.disable()],
})
export class ApiModule {}

// === vulnerable (js): sveltekit checkOrigin false
import adapter from "@sveltejs/adapter-node";

/** @type {import('@sveltejs/kit').Config} */
const config = {
  kit: {
    adapter: adapter(),
    csrf: { checkOrigin: false },
  },
};

export default config;

// === vulnerable (js): sails security config
module.exports.security = {
  cors: {
    allRoutes: false,
  },
  csrf: false,
};

// === vulnerable: csrf-csrf with POST ignored
import express from "express";
import cookieParser from "cookie-parser";
import { doubleCsrf } from "csrf-csrf";

const app = express();
const { doubleCsrfProtection } = doubleCsrf({
  getSecret: () => process.env.CSRF_SECRET!,
  getSessionIdentifier: (req) => req.cookies.sid,
  ignoredMethods: ["GET", "HEAD", "OPTIONS", "POST", "PATCH"],
});

app.use(cookieParser());
app.use(doubleCsrfProtection);

// === vulnerable: koa-csrf excluding POST
import Koa from "koa";
import session from "koa-session";
import CSRF from "koa-csrf";

const app = new Koa();
app.keys = [process.env.APP_KEY!];
app.use(session({}, app));
app.use(new CSRF({ excludedMethods: ["GET", "HEAD", "OPTIONS", "POST"] }));

// === vulnerable (js): astro checkOrigin off
import { defineConfig } from "astro/config";
import node from "@astrojs/node";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  security: { checkOrigin: false },
});

// === vulnerable: hono csrf accepting every origin
import { Hono } from "hono";
import { csrf } from "hono/csrf";

const app = new Hono();
app.use(csrf({ origin: () => true }));
app.post("/transfer", async (c) => c.json(await c.req.parseBody()));

export default app;

// === vulnerable: auth.js skipCSRFCheck
import NextAuth from "next-auth";
import { skipCSRFCheck } from "@auth/core";
import GitHub from "next-auth/providers/github";

export const { handlers, auth } = NextAuth({
  providers: [GitHub],
  skipCSRFCheck: skipCSRFCheck,
});

// === safe: csurf with defaults
import express from "express";
import csurf from "csurf";
import cookieParser from "cookie-parser";

const app = express();
app.use(cookieParser());
app.use(csurf({ cookie: { httpOnly: true, secure: true, sameSite: "strict" } }));

// === safe: lusca csrf on
import express from "express";
import session from "express-session";
import lusca from "lusca";

const app = express();
app.use(session({ secret: process.env.SESSION_SECRET!, resave: false, saveUninitialized: false }));
app.use(lusca({ csrf: true, xframe: "SAMEORIGIN" }));

// === safe: apollo server csrfPrevention on
import { ApolloServer } from "@apollo/server";

const typeDefs = `type Query { me: String }`;

export const server = new ApolloServer({
  typeDefs,
  resolvers: { Query: { me: () => "me" } },
  csrfPrevention: true,
});

// === safe: angular custom xsrf names
import { ApplicationConfig } from "@angular/core";
import { provideHttpClient, withXsrfConfiguration } from "@angular/common/http";

export const appConfig: ApplicationConfig = {
  providers: [
    provideHttpClient(withXsrfConfiguration({ cookieName: "XSRF-APP", headerName: "X-XSRF-APP" })),
  ],
};

// === safe (js): sveltekit with defaults
import adapter from "@sveltejs/adapter-node";

const config = {
  kit: {
    adapter: adapter(),
    csrf: { checkOrigin: true },
  },
};

export default config;

// === safe: csrf-csrf with reading methods ignored
import express from "express";
import cookieParser from "cookie-parser";
import { doubleCsrf } from "csrf-csrf";

const app = express();
const { doubleCsrfProtection } = doubleCsrf({
  getSecret: () => process.env.CSRF_SECRET!,
  getSessionIdentifier: (req) => req.cookies.sid,
  ignoredMethods: ["GET", "HEAD", "OPTIONS"],
});

app.use(cookieParser());
app.use(doubleCsrfProtection);

// === safe: hono csrf with the own origin
import { Hono } from "hono";
import { csrf } from "hono/csrf";

const app = new Hono();
app.use(csrf({ origin: "https://app.example.com" }));
app.post("/transfer", async (c) => c.json(await c.req.parseBody()));

export default app;

// === safe: fastify csrf protection on a route
import Fastify from "fastify";
import cookie from "@fastify/cookie";
import csrf from "@fastify/csrf-protection";

const server = Fastify();
await server.register(cookie);
await server.register(csrf);

server.post("/transfer", { onRequest: server.csrfProtection }, async () => ({ ok: true }));

// === safe: a csrf member of a status report
export function describe(headers: Record<string, string>) {
  const report = { csrf: false, hsts: false };
  report.csrf = "x-csrf-token" in headers;
  report.hsts = "strict-transport-security" in headers;
  return report;
}
