// ESLint's configuration for one plugin. BENCH_NODE is the folder it is installed in, BENCH_PLUGIN what to run,
// BENCH_RULES the rules (comma-separated) where the plugin's own choice holds more than security.
"use strict";
const path = require("path");
const { createRequire } = require("module");

const load = createRequire(path.join(process.env.BENCH_NODE, "package.json"));
const name = process.env.BENCH_PLUGIN;
const plugin = load(`eslint-plugin-${name}`);
const chosen = (process.env.BENCH_RULES || "").split(",").filter(Boolean);
const rules = chosen.length
  ? Object.fromEntries(chosen.map((rule) => [`${name}/${rule}`, "error"]))
  : plugin.configs.recommended.rules;
// Some rules of sonarjs stay silent without types; the other plugin has no use for them, and they take time.
const types = name === "sonarjs" ? { project: "./tsconfig.json", tsconfigRootDir: process.cwd() } : {};

module.exports = [{
  files: ["**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}"],
  plugins: { [name]: plugin },
  languageOptions: {
    ecmaVersion: "latest",
    parser: load("@typescript-eslint/parser"),
    parserOptions: { ecmaFeatures: { jsx: true }, ...types },
  },
  linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
  rules,
}];
