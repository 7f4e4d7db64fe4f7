// === vulnerable: electron nodeIntegration and no isolation
import { app, BrowserWindow } from "electron";

app.whenReady().then(() => {
  const win = new BrowserWindow({
    webPreferences: { nodeIntegration: true, contextIsolation: false },
  });
  win.loadURL("https://app.example.com");
});

// === vulnerable: electron webSecurity off
import { BrowserWindow } from "electron";

export function openPreview(url: string) {
  const preview = new BrowserWindow({ width: 900, webPreferences: { webSecurity: false } });
  preview.loadURL(url);
}

// === vulnerable: electron preferences in a variable
import electron, { WebPreferences } from "electron";
import path from "path";

const webPreferences: WebPreferences = {
  preload: path.join(__dirname, "preload.js"),
  contextIsolation: false,
  sandbox: false,
};

export const win = new electron.BrowserWindow({ width: 1200, height: 800, webPreferences });

// === vulnerable (js): commonjs electron with insecure content
const { BrowserWindow } = require("electron");

function createWindow() {
  return new BrowserWindow({
    webPreferences: {
      allowRunningInsecureContent: true,
      contextIsolation: true,
    },
  });
}

module.exports = createWindow;

// === vulnerable (js): electron with node in workers and the remote module
const { app, BrowserWindow } = require("electron");

app.on("ready", () => {
  const main = new BrowserWindow({
    webPreferences: { nodeIntegrationInWorker: true, enableRemoteModule: true, nodeIntegration: true },
  });
  main.loadFile("index.html");
});

// === vulnerable: electron certificate errors ignored by switch
import { app } from "electron";

app.commandLine.appendSwitch("ignore-certificate-errors");
app.commandLine.appendSwitch("disable-web-security");

// === vulnerable: electron WebContentsView with node integration
import { BaseWindow, WebContentsView } from "electron";

const win = new BaseWindow({ width: 800, height: 400 });
const view = new WebContentsView({ webPreferences: { nodeIntegration: true } });
win.contentView.addChildView(view);
view.webContents.loadURL("https://news.example.com");

// === vulnerable: electron grants every permission
import { app, session } from "electron";

app.whenReady().then(() => {
  session.defaultSession.setPermissionRequestHandler((webContents, permission, callback) => {
    callback(true);
  });
});

// === vulnerable: express directory listing
import express from "express";
import serveIndex from "serve-index";

const app = express();
app.use("/ftp", express.static("/srv/ftp"), serveIndex("/srv/ftp", { icons: true }));
app.listen(3000);

// === vulnerable: fastify static with list
import Fastify from "fastify";
import fastifyStatic from "@fastify/static";

const server = Fastify();
server.register(fastifyStatic, {
  root: "/srv/files",
  prefix: "/files/",
  list: { format: "json", names: ["index"] },
});

// === vulnerable: express static serves dotfiles of the project
import express from "express";

const app = express();
app.use(express.static(process.cwd(), { dotfiles: "allow" }));
app.listen(80);

// === vulnerable: inspector open on every interface
import inspector from "node:inspector";
import express from "express";

inspector.open(9229, "0.0.0.0");
const app = express();
app.listen(3000);

// === vulnerable: child started with a public inspector
import { spawn } from "child_process";

const worker = spawn("node", ["--inspect=0.0.0.0:9229", "worker.js"], { stdio: "inherit" });
worker.on("exit", (code) => process.exit(code ?? 1));

// === vulnerable: lenient http parser
import http from "http";

const server = http.createServer({ insecureHTTPParser: true }, (req, res) => {
  res.end("ok");
});
server.listen(8080);

// === vulnerable: electron remote debugging port
import { app } from "electron";

app.commandLine.appendSwitch("remote-debugging-port", "9222");
app.commandLine.appendSwitch("remote-debugging-address", "0.0.0.0");

// === safe: electron with the recommended preferences
import { app, BrowserWindow } from "electron";
import path from "path";

app.whenReady().then(() => {
  const win = new BrowserWindow({
    webPreferences: {
      nodeIntegration: false,
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      preload: path.join(__dirname, "preload.js"),
    },
  });
  win.loadURL("https://app.example.com");
});

// === safe: electron with defaults
import { app, BrowserWindow } from "electron";

app.whenReady().then(() => {
  const win = new BrowserWindow({ width: 800, height: 600 });
  win.loadFile("index.html");
});

// === safe: electron permission handler with a list
import { app, session } from "electron";

const GRANTED = ["notifications"];

app.whenReady().then(() => {
  session.defaultSession.setPermissionRequestHandler((webContents, permission, callback) => {
    const ours = new URL(webContents.getURL()).origin === "https://app.example.com";
    callback(ours && GRANTED.includes(permission));
  });
});

// === safe: harmless electron switch
import { app } from "electron";

app.commandLine.appendSwitch("lang", "en-GB");
app.commandLine.appendSwitch("force-color-profile", "srgb");

// === safe: express static of the public directory
import express from "express";
import path from "path";

const app = express();
app.use(express.static(path.join(__dirname, "public"), { dotfiles: "ignore", index: "index.html" }));
app.listen(3000);

// === safe: fastify static without list
import Fastify from "fastify";
import fastifyStatic from "@fastify/static";
import path from "node:path";

const server = Fastify();
server.register(fastifyStatic, { root: path.join(process.cwd(), "public"), list: false });

// === safe: inspector on loopback
import inspector from "node:inspector";

if (process.env.NODE_ENV === "development") {
  inspector.open(9229, "127.0.0.1");
}

// === safe: nodeIntegration in a report about settings
export function audit(preferences: Record<string, boolean>): string[] {
  const expected = { nodeIntegration: false, contextIsolation: true, webSecurity: true };
  return Object.entries(expected)
    .filter(([name, value]) => preferences[name] !== value)
    .map(([name]) => `${name} differs`);
}

// === safe: strict http parser
import http from "http";

const server = http.createServer({ insecureHTTPParser: false }, (req, res) => {
  res.end("ok");
});
server.listen(8080, "127.0.0.1");

// === safe: contextBridge preload
import { contextBridge, ipcRenderer } from "electron";

contextBridge.exposeInMainWorld("api", {
  saveNote: (text: string) => ipcRenderer.invoke("notes:save", text),
});

// === safe: list option of another plugin
import Fastify from "fastify";
import fp from "fastify-plugin";

const catalogue = fp(async (instance, options: { list: boolean; root: string }) => {
  instance.get("/catalogue", async () => ({ list: options.list }));
});

const server = Fastify();
server.register(catalogue, { root: "books", list: true });
