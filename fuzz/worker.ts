import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FlavourError } from '../src/util/error.js';
import { type FuzzCase, fuzzCase } from './case.js';
import { inputOf, TARGETS } from './targets.js';

/*
 * Runs cases FROM, FROM + 1, ... of a seed one after another and writes the number of the one at work into OUT/at before it begins, so that
 * who watches knows it. A line of JSON on standard output for each case that is not held, and one at the end. With --sound the files of the
 * seeds are read as they are, and each that is refused is named.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    to: { type: 'string', default: '1000' },
    until: { type: 'string', default: 'Infinity' },
    only: { type: 'string' },
    out: { type: 'string', default: '.' },
    save: { type: 'boolean', default: false },
    sound: { type: 'boolean', default: false },
  },
});
const seed = BigInt(values.seed);
const folder = join(values.out, 'files');
mkdirSync(folder, { recursive: true });
const targets = TARGETS.filter(({ name }) => values.only === undefined || name === values.only);

const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

/** Why an error is no answer to a damaged file; undefined where it is one. */
function wrongWith(error: unknown): string | undefined {
  if (!(error instanceof FlavourError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.message === '' || error.message.length > 20_000) return `a message of ${error.message.length} letters`;
  return undefined;
}

function named({ target, seed: { name }, bytes, how }: FuzzCase, index: number) {
  return { case: index, target: target.name, file: name, bytes: bytes.length, how };
}

if (values.sound) {
  for (const target of targets) {
    const refused: Record<string, string> = {};
    for (const file of target.seeds)
      try {
        await target.run(inputOf(folder, file, file.bytes));
      } catch (error) {
        refused[file.name] = String(error);
      }
    say({ target: target.name, seeds: target.seeds.length, refused });
  }
} else if (values.save) {
  const index = Number(values.from);
  const made = fuzzCase(targets, seed, index);
  const path = join(values.out, `case-${index}-${made.seed.name.split('/').at(-1)}`);
  writeFileSync(path, made.bytes);
  say({ ...named(made, index), path });
} else {
  const at = openSync(join(values.out, 'at'), 'w');
  const counts: Record<string, { cases: number; refused: number; ms: number }> = {};
  let index = Number(values.from);
  let slowest = { ms: 0, case: -1, of: '' };
  for (; index < Number(values.to) && Date.now() < Number(values.until); index += 1) {
    writeSync(at, String(index).padEnd(16), 0);
    const made = fuzzCase(targets, seed, index);
    const count = (counts[made.target.name] ??= { cases: 0, refused: 0, ms: 0 });
    count.cases += 1;
    const began = performance.now();
    try {
      await made.target.run(inputOf(folder, made.seed, made.bytes));
    } catch (error) {
      count.refused += 1;
      const wrong = wrongWith(error);
      if (wrong !== undefined) say({ ...named(made, index), wrong });
    }
    if (Reflect.has(Object.prototype, 'polluted'))
      say({ ...named(made, index), wrong: 'Object.prototype was changed' });
    const ms = performance.now() - began;
    count.ms += ms;
    if (ms > slowest.ms) slowest = { ms, case: index, of: made.target.name };
  }
  closeSync(at);
  say({ done: index, counts, slowest, memory: process.resourceUsage().maxRSS * 1024 });
}
