import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { canMount, diskCases } from './disks.js';
import { folderCases } from './folders.js';
import { partCases } from './parts.js';
import { placeCases } from './places.js';
import { CALLS, collection, MERGES, SHARED, writeInputs } from './world.js';

/*
 * npm run attacks -- [--seed S] [--rounds N] [--group disks|parts|folders|places] [--call NAME] [--every N] [--json] [--report]
 *
 * Calls of the built command whose disk fills up or whose place takes nothing, parts of a result and shards of rescored answers that are poisoned.
 * What a case does follows from the seed and its name; `--every N` runs each N-th of them only. Exit 1 where anything was not held.
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '4' },
    group: { type: 'string' },
    call: { type: 'string' },
    every: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const { seed } = options;
const asked = (group) => options.group === undefined || options.group === group;
const named = (calls) =>
  options.call === undefined
    ? calls
    : Object.fromEntries(Object.entries(calls).filter(([name]) => name === options.call));
const cwd = mkdtempSync(join(tmpdir(), 'attacks-'));
chmodSync(cwd, 0o755);
writeInputs(cwd);

function* allCases() {
  const calls = { ...CALLS, ...MERGES, collect: collection };
  if (asked('disks') && canMount())
    yield* diskCases({ seed, calls: named(calls), cwd, rounds: Number(options.rounds) });
  else if (asked('disks')) process.stderr.write('SKIPPED: no file system can be mounted here\n');
  const shared = Object.fromEntries(SHARED.map((name) => [name, CALLS[name]]));
  if (asked('parts')) yield* partCases({ seed, calls: named(shared), other: CALLS.power, cwd });
  if (asked('folders')) yield* folderCases({ seed, cwd });
  if (asked('places')) yield* placeCases({ calls: named({ ...CALLS, collect: collection }), cwd });
}

const groups = {};
const notHeld = [];
try {
  let reached = 0;
  for (const one of allCases()) {
    reached += 1;
    if (reached % Number(options.every) !== 0) continue;
    const done = one.run();
    // A change that this part has no place for.
    if (done === null) continue;
    const sum = (groups[one.group] ??= { cases: 0, refused: 0, not_held: 0 });
    sum.cases += 1;
    if (done.met) sum.refused += 1;
    if (done.wrong.length === 0) continue;
    sum.not_held += 1;
    notHeld.push({ group: one.group, name: one.name, at: one.at, wrong: done.wrong });
    if (!options.json)
      process.stdout.write(`not held: ${one.group}: ${one.name} ${one.at}\n  ${done.wrong.join('\n  ')}\n`);
  }
} finally {
  rmSync(cwd, { recursive: true });
}

const total = (name) => Object.values(groups).reduce((sum, group) => sum + group[name], 0);
const words = `Seed ${seed}, ${total('cases')} cases: ${total('not_held')} not held.`;
if (options.json) process.stdout.write(`${JSON.stringify({ seed, groups, not_held: notHeld })}\n`);
else process.stdout.write(`${words}\n`);
if (options.report) {
  const page = new URL('../../docs/reliability.md', import.meta.url);
  const [before, rest] = readFileSync(page, 'utf8').split('<!-- attacks -->');
  const [standing, after] = rest.split('<!-- end of attacks -->');
  // Rows of attacks that this run left out stay.
  const rows = new Map(
    Array.from(standing.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm), ([, name, ...counts]) => [
      name,
      counts.map(Number),
    ]),
  );
  for (const [name, of] of Object.entries(groups)) rows.set(name, [of.cases, of.refused, of.not_held]);
  const sum = (at) => [...rows.values()].reduce((all, counts) => all + counts[at], 0);
  const table = [
    `Seed ${seed}, ${sum(0)} cases: ${sum(2)} not held.`,
    '',
    '| attack | cases | refused | not held |',
    '|---|---:|---:|---:|',
    ...[...rows].map(([name, counts]) => `| ${name} | ${counts.join(' | ')} |`),
  ].join('\n');
  writeFileSync(page, `${before}<!-- attacks -->\n${table}\n<!-- end of attacks -->${after}`);
}
process.exitCode = notHeld.length === 0 ? 0 : 1;
