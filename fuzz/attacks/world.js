import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draw } from '../kills/world.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const fixture = (name) => join(root, 'fixtures', name);
export const CLI = join(root, 'dist/cli/main.js');

/** Runs the built command in a folder; `as` is a user without rights, where one is asked for. */
export function run(args, { cwd, as = null, shell = null }) {
  const program = [process.execPath, CLI, ...args];
  const [first, ...rest] =
    shell !== null
      ? ['bash', '-c', shell, 'bash', ...program]
      : as === null
        ? program
        : ['setpriv', `--reuid=${as}`, `--regid=${as}`, '--clear-groups', ...program];
  const done = spawnSync(first, rest, { cwd, encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28 });
  return { code: done.status, said: done.stderr, printed: done.stdout };
}

/** Every file below a folder by its path, as Base64 of its bytes; what a lock or a start of the program leaves is no result. */
export function filesIn(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return {};
  if (!stat.isDirectory()) return { '': readFileSync(path, 'base64') };
  return Object.fromEntries(
    readdirSync(path, { recursive: true })
      .sort()
      .filter((name) => statSync(join(path, name)).isFile() && !/(^|\/)\.?lock$/.test(name))
      .map((name) => [name, readFileSync(join(path, name), 'base64')]),
  );
}

/** Writes what the calls of the attacks read. */
export function writeInputs(folder) {
  const tasks = Array.from({ length: 24 }, (_, t) => t);
  const value = (m, t) => Math.floor(draw('scores', m, t) * 61) + 3 * m;
  const rows = Array.from({ length: 5 }, (_, m) => [`m${m}`, ...tasks.map((t) => value(m, t))].join(','));
  writeFileSync(join(folder, 'scores.csv'), [['model', ...tasks.map((t) => `t${t}`)].join(','), ...rows].join('\n'));
  const lines = readFileSync(fixture('responses-small.jsonl'), 'utf8').trim().split('\n');
  mkdirSync(join(folder, 'answers'));
  for (const k of [0, 1, 2])
    writeFileSync(join(folder, `answers/${k}.jsonl`), `${lines.filter((_, i) => i % 3 === k).join('\n')}\n`);
  writeFileSync(
    join(folder, 'plan.yaml'),
    readFileSync(fixture('plans/demo.yaml'), 'utf8')
      .replace('path: panel-1.json', `path: ${fixture('tasks-small.json')}`)
      .replace(/.*panel-2.json.*\n/, ''),
  );
}

const TASKS = fixture('tasks-small.json');

/** A folder that is not done may hold rows of another batch, but then no summary of either. */
function summaryFaults(before, now, whole) {
  const rows = (files) => JSON.stringify(Object.entries(files).filter(([name]) => name.startsWith('rows/')));
  const names = ['summary.json', 'summary.csv', 'near-misses.json'].filter(
    (name) => name in now && now[name] !== whole[name],
  );
  return names.length > 0 && rows(now) !== rows(before) ? [`${names.join(', ')} beside rows of another batch`] : [];
}

/** Calls that write a result, and what their `--out` is; `other` makes another result in the same place. */
export const CALLS = {
  infer: {
    args: ['infer', 'scores.csv', '--draws', '200', '--flips', '400', '--quiet'],
    other: ['--seed', '7'],
    out: '',
  },
  'rank-audit': { args: ['rank-audit', 'scores.csv', '--flips', '400'], other: ['--seed', '7'], out: '' },
  'rank-audit, a page': {
    args: ['rank-audit', 'scores.csv', '--flips', '400'],
    other: ['--seed', '7', '--force'],
    out: '.html',
  },
  power: {
    args: ['power', 'scores.csv', '--datasets', '5', '--flips', '200'],
    other: ['--seed', '7', '--force'],
    out: '.json',
  },
  coverage: {
    args: ['coverage', 'scores.csv', '--datasets', '4', '--draws', '50', '--flips', '200'],
    other: ['--seed', '7'],
    out: '',
  },
  sensitivity: {
    args: [
      ...['sensitivity', 'precision', '--responses', fixture('responses-small.jsonl'), '--tasks', TASKS],
      ...['--draws', '40', '--sizes', '6', '12'],
    ],
    other: ['--seed', '7'],
    out: '',
  },
  maps: {
    args: ['maps', TASKS, '--env', 'pantry', '--quiet'],
    other: ['--families', 'pairing', '--force'],
    out: '.jsonl',
  },
  explore: { args: ['explore', 'scores.csv'], other: ['--force'], out: '.html' },
  'rescore, a document': {
    args: ['rescore', 'answers', '--tasks', TASKS],
    other: ['--parser', 'v3', '--force'],
    out: '.json',
  },
  'rescore, rows': {
    args: ['rescore', 'answers', '--tasks', TASKS, '--threads', '1'],
    other: ['--parser', 'v3', '--force'],
    out: '',
    goesOn: true,
    left: summaryFaults,
  },
};

/** Calls whose work is shared by parts. */
export const SHARED = ['infer', 'rank-audit', 'power', 'coverage', 'sensitivity', 'maps'];

/** Does what has to go well before an attack. */
function must(args, cwd) {
  const { code, said } = run(args, { cwd });
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}: ${said}`);
}

/** Calls that put shares together; each makes its shares first. */
export const MERGES = Object.fromEntries(
  [
    ['infer', []],
    ['maps', ['--force']],
    ['rescore, rows', ['--force']],
  ].map(([name, other]) => {
    const shares = [1, 2].map((index) => `${name.replaceAll(/\W+/g, '-')}-${index}-of-2`);
    const before = (cwd) =>
      shares.map((share, k) => must([...CALLS[name].args, '--shard', `${k + 1}/2`, '--out', share], cwd));
    return [`merge of ${name}`, { ...CALLS[name], args: ['merge', ...shares], other, before }];
  }),
);

/** A collection, whose ledger goes on where it stood: what it has to be in the end is proved and not compared. */
export const collection = {
  args: ['collect', 'plan.yaml', '--shard', '1/2', '--yes'],
  other: [],
  to: '--ledger',
  out: '',
  goesOn: true,
  holds: (ledger, cwd) => run(['ledger', 'verify', ledger], { cwd }).code === 0,
};
