'use strict';
/* Runs the bundled program with the arguments of this call and keeps the code that V8 made of it, for bundle/run.cjs. */
const { writeFileSync } = require('node:fs');
const { kept, scripts } = require('../dist/bundle/run.cjs');

process.on('exit', () => {
  for (const [name, script] of scripts) writeFileSync(kept(name), script.createCachedData());
});
