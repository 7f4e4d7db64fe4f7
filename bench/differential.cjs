// Reads paths from standard input, one a line; prints one JSON line a file: every function with the values that
// ESLint's `complexity` and sonarjs's `cognitive-complexity` give it. Run in a folder where both are installed.
"use strict";
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const load = createRequire(path.join(process.cwd(), "package.json"));
const { Linter } = load("eslint");
const sonarjs = load("eslint-plugin-sonarjs");
const typescript = load("@typescript-eslint/parser");
const heads = require(path.join(path.dirname(load.resolve("eslint/package.json")), "lib/rules/utils/ast-utils.js"));

const linter = new Linter({ configType: "flat" });
let found = [];

// Where each of the two rules points to when it reports the function.
function places(node, source) {
  const complexity = node.type.includes("Function") ? heads.getFunctionHeadLoc(node, source).start
    : node.type === "StaticBlock" ? source.getFirstToken(node).loc.start : node.loc.start;
  let cognitive = node.loc.start;
  if (node.type === "ArrowFunctionExpression") {
    cognitive = source.getTokenBefore(node.body, (token) => token.value === "=>").loc.start;
  } else if (node.type === "FunctionDeclaration") {
    cognitive = (node.id || source.getFirstToken(node, (token) => token.value === "function")).loc.start;
  } else if (node.type === "FunctionExpression") {
    const holder = node.parent;
    const named = holder && (holder.type === "MethodDefinition" || holder.type === "Property");
    cognitive = named ? holder.key.loc.start : source.getFirstToken(node, (token) => token.value === "function").loc.start;
  }
  return { complexity, cognitive };
}

const spy = {
  create(context) {
    const source = context.sourceCode;
    const note = (node) => found.push({ range: node.range, ...places(node, source), type: node.type });
    return {
      FunctionDeclaration: note, FunctionExpression: note, ArrowFunctionExpression: note, StaticBlock: note,
      PropertyDefinition: (node) => node.value && note(node.value),
      AccessorProperty: (node) => node.value && note(node.value),
    };
  },
};

function configuration(file, sourceType) {
  const typed = /\.[mc]?tsx?$/.test(file);
  const jsx = /x$|\.js$/.test(file);
  return [{
    files: ["**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}"],
    plugins: { sonarjs, spy: { rules: { functions: spy } } },
    languageOptions: {
      ecmaVersion: "latest", sourceType,
      ...(typed ? { parser: typescript } : {}),
      parserOptions: { ecmaFeatures: { jsx } },
    },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
    rules: { complexity: ["error", 0], "sonarjs/cognitive-complexity": ["error", 0], "spy/functions": "error" },
  }];
}

function measured(file) {
  const text = fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  for (const sourceType of ["module", "commonjs"]) {
    found = [];
    const messages = linter.verify(text, configuration(file, sourceType), { filename: path.basename(file) });
    if (!messages.some((message) => message.fatal)) return { text, messages };
  }
  return null;
}

function bytesOf(text) {
  if (Buffer.byteLength(text) === text.length) return (offset) => offset;
  const table = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const low = code >= 0xdc00 && code <= 0xdfff;
    const high = code >= 0xd800 && code <= 0xdbff;
    table[i + 1] = table[i] + (code < 0x80 ? 1 : code < 0x800 || low ? 2 : high ? 2 : 3);
  }
  return (offset) => table[offset];
}

for (const file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const result = measured(file);
  if (!result) {
    console.log(JSON.stringify({ file, error: "does not parse" }));
    continue;
  }
  const values = { complexity: new Map(), "sonarjs/cognitive-complexity": new Map() };
  for (const message of result.messages) {
    const key = `${message.line}:${message.column - 1}`;
    const value = Number((/complexity of (\d+)/.exec(message.message) || /from (\d+)/.exec(message.message) || [])[1]);
    if (values[message.ruleId]) values[message.ruleId].set(key, value);
  }
  const at = bytesOf(result.text);
  console.log(JSON.stringify({
    file,
    functions: found.map((one) => ({
      start: at(one.range[0]), end: at(one.range[1]), type: one.type,
      cyclomatic: values.complexity.get(`${one.complexity.line}:${one.complexity.column}`) ?? 1,
      cognitive: values["sonarjs/cognitive-complexity"].get(`${one.cognitive.line}:${one.cognitive.column}`) ?? 0,
    })),
  }));
}
