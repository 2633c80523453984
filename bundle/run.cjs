#!/usr/bin/env node
'use strict';
/*
 * Starts the bundled program. A file of the bundle is compiled from the code that V8 made of it before, where bundle/build.js left that for
 * this very Node; else, or where V8 refuses it, from its text, which is one function of a module in plain ASCII.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/*
 * A call of a second is over before most functions that V8 optimises have run often enough to pay for it, and the threads that optimise take
 * their time from those that work: five times V8's own budget. What runs for long spends it in milliseconds.
 */
setFlagsFromString('--interrupt-budget=660000');

/** Compiled files by name. */
const scripts = new Map();
const loaded = new Map();
const kept = (name) => join(__dirname, `${name}.${process.version}-${process.platform}-${process.arch}.code`);

function codeOf(name) {
  try {
    return readFileSync(kept(name));
  } catch {
    return undefined;
  }
}

function load(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  const filename = join(__dirname, name);
  const module = { exports: {} };
  loaded.set(name, module);
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: codeOf(name) });
  scripts.set(name, script);
  const outside = createRequire(filename);
  const ours = (id) => (id.startsWith('./') ? load(id.slice(2)) : outside(id));
  script.runInThisContext().call(module.exports, module.exports, Object.assign(ours, outside), module, filename, __dirname);
  return module.exports;
}

module.exports = { scripts, kept };
load('program.cjs');
