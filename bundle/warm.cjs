'use strict';
/* Runs the bundled program with the arguments of this call and keeps the code that V8 made of its files, but for those that were kept before, for bundle/run.cjs. */
const { existsSync, writeFileSync } = require('node:fs');
const { kept, scripts } = require('../dist/bundle/run.cjs');

process.on('exit', () => {
  for (const [name, script] of scripts)
    if (!existsSync(kept(name))) writeFileSync(kept(name), script.createCachedData());
});
