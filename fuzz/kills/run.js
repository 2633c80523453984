import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startProvider } from './provider.js';
import { CEILING, draw, pick, writeWorld } from './world.js';

/*
 * npm run kills -- [--rounds N] [--seed S] [--from I] [--report]
 *
 * Collections of the built command from a provider of this machine that loses replies, killed with SIGKILL at random moments and resumed until
 * nothing is pending, in shares too, under caps that are met and caps that are not. What the provider's own books say is then held against the
 * ledger. A round follows from the seed and its number, but for the moments at which the system runs what. Exit 1 where anything was not held.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    report: { type: 'boolean', default: false },
  },
});
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const KEY = 'sk-test-0123456789-very-secret';

/** Runs the command; ends it with SIGKILL after so many milliseconds, or before so many further acceptances are answered. */
function collect(folder, args, books, { ms = null, accepted = null } = {}) {
  const child = spawn(process.execPath, [CLI, 'collect', ...args, '--json', '--yes'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TEST_KEY: KEY },
  });
  let said = '';
  child.stdout.on('data', () => {});
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  const timer = ms === null ? undefined : setTimeout(() => child.kill('SIGKILL'), ms);
  let left = accepted;
  const count = () => {
    if (left === null) return;
    left -= 1;
    if (left === 0) child.kill('SIGKILL');
  };
  books.watchers.add(count);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer);
      books.watchers.delete(count);
      resolve({ code, said });
    }),
  );
}

const cli = (folder, args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, stdout, stderr };
};

/** Sums of a ledger, and what is wrong with it. */
function readLedger(folder, ledger) {
  const status = cli(folder, ['ledger', 'status', ledger, '--json']);
  const verified = cli(folder, ['ledger', 'verify', ledger, '--json']);
  const { spending, total } = JSON.parse(status.stdout);
  return { ...spending, tokens: total.tokens, wrong: verified.code === 0 ? [] : [`${ledger}: ${verified.stdout}`] };
}

/** What a round draws: a world, its caps, its shares, how often it is killed. */
function settings(seed) {
  const tasks = 12 + Math.floor(draw(seed, 'tasks') * 30);
  const models = 1 + Math.floor(draw(seed, 'models') * 3);
  const shards = pick([1, 1, 2, 3], seed, 'shards');
  const cells = tasks * models;
  const free = draw(seed, 'free') < 0.25;
  const share = pick([0.3, 0.6, 5], seed, 'cap');
  /** About what one cell reserves: its prompt in bytes with its frame, and the ceiling of its reply. */
  const reserved = { tokens: 600 + CEILING, micros: 2 * 600 + 6 * CEILING };
  return {
    ...{ tasks, shards, free, cells },
    transports: Array.from({ length: models }, (_, i) =>
      pick(['openrouter', 'openai', 'anthropic'], seed, `transport ${i}`),
    ),
    micros: Math.max(1, Math.round(free ? 1e6 : share * cells * reserved.micros)),
    tokens: draw(seed, 'capped') < 0.5 ? Math.round(share * cells * reserved.tokens) : null,
    faults: pick([0, 0.15, 0.4], seed, 'faults'),
    kills: 1 + Math.floor(draw(seed, 'kills') * 4),
    retried: draw(seed, 'retried') < 0.4,
  };
}

/** Holds the books of the provider against the ledgers, and these against the caps; `again` cells were asked again by a list. */
function compared(folder, of, books, again) {
  const wrong = [];
  const repeats = [...books.accepted.values()].reduce((sum, times) => sum + times - 1, 0);
  const most = Math.max(0, ...books.accepted.values());
  if (repeats > again || most > (again > 0 ? 2 : 1))
    wrong.push(`${repeats} cells were paid again, ${again} were to be asked again`);
  const names = of.shards === 1 ? ['ledger'] : Array.from({ length: of.shards }, (_, i) => `shard-${i + 1}`);
  const ledgers = names.map((name) => readLedger(folder, name));
  wrong.push(...ledgers.flatMap((ledger) => ledger.wrong));
  const sum = (name) => ledgers.reduce((total, ledger) => total + ledger[name], 0);
  const booked = { low: sum('spent_micros'), high: sum('spent_micros') + sum('uncertain_micros') };
  if (books.micros > booked.high)
    wrong.push(`${books.micros} micro-USD were charged, ${booked.high} are booked or uncertain`);
  if (booked.low > books.micros + 10 * of.cells) wrong.push(`${booked.low} are booked, ${books.micros} were charged`);
  if (booked.high > of.micros)
    wrong.push(`${booked.high} micro-USD are booked or uncertain under a cap of ${of.micros}`);
  if (books.micros > of.micros) wrong.push(`${books.micros} micro-USD were charged under a cap of ${of.micros}`);
  if (of.tokens !== null && books.tokens > of.tokens)
    wrong.push(`${books.tokens} tokens were used under a cap of ${of.tokens}`);
  if (of.shards > 1) {
    const merged = cli(folder, ['ledger', 'merge', ...names, '--out', 'merged', '--json']);
    if (merged.code === 3) for (const name of names) cli(folder, ['ledger', 'seal', name]);
    const joined = merged.code === 3 ? cli(folder, ['ledger', 'merge', ...names, '--out', 'merged', '--json']) : merged;
    if (joined.code !== 0) wrong.push(`merge: exit ${joined.code}: ${joined.stderr.slice(-400)}`);
    else {
      const whole = readLedger(folder, 'merged');
      wrong.push(...whole.wrong);
      if (whole.spent_micros !== booked.low) wrong.push(`${whole.spent_micros} joined, ${booked.low} in the shards`);
    }
  }
  return wrong;
}

async function round(seed) {
  const of = settings(seed);
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  const books = await startProvider({ seed, ...of });
  books.watchers = new Set();
  books.onAccepted = () => {
    for (const count of books.watchers) count();
  };
  const wrong = [];
  let kills = 0;
  let runs = 0;
  let capped = 0;
  let again = 0;
  try {
    const usd = (of.micros / 1e6).toFixed(6);
    const plan = writeWorld(folder, { ...of, url: books.url, usd });
    const oneShard = async (index) => {
      const ledger = of.shards === 1 ? 'ledger' : `shard-${index}`;
      const args = [plan, '--ledger', ledger, ...(of.shards === 1 ? [] : ['--shard', `${index}/${of.shards}`])];
      const through = async (more, name) => {
        for (let turn = 0; turn < 12; turn += 1) {
          const killed = turn < of.kills;
          const at = `${name} ${index} ${turn}`;
          const when = !killed
            ? {}
            : draw(seed, at) < 0.5
              ? { ms: 250 + Math.floor(draw(seed, at, 'ms') * 1500) }
              : { accepted: 1 + Math.floor(draw(seed, at, 'accepted') * of.cells) };
          const { code, said } = await collect(folder, [...args, ...more], books, when);
          runs += 1;
          if (code === null) kills += 1;
          else if (code === 5) capped += 1;
          else if (![0, 3, 5].includes(code)) wrong.push(`exit ${code}: ${said.slice(-400)}`);
          if (code === 0 || code === 5 || (code !== null && !killed && turn > of.kills + 2)) return code;
        }
        return null;
      };
      await through([], 'run');
      if (!of.retried) return;
      const failures = cli(folder, ['ledger', 'failures', ledger]).stdout;
      const cells = failures.split('\n').filter((line) => /^[^#]*[0-9a-f]{64}/.test(line));
      if (cells.length === 0) return;
      writeFileSync(join(folder, `${ledger}.retry`), failures);
      again += cells.length;
      await through(['--retry', `${ledger}.retry`], 'retry');
    };
    await Promise.all(Array.from({ length: of.shards }, (_, i) => oneShard(i + 1)));
    wrong.push(...compared(folder, of, books, again));
  } finally {
    await books.close();
    if (wrong.length === 0) rmSync(folder, { recursive: true, force: true });
  }
  return { ...of, kills, runs, capped, again, wrong, folder };
}

const from = Number(options.from);
const rounds = [];
for (let i = from; i < from + Number(options.rounds); i += 1) {
  const done = await round(`${options.seed} ${i}`);
  rounds.push(done);
  for (const wrong of done.wrong) process.stdout.write(`not held: round ${i} (${done.folder}): ${wrong}\n`);
}
const total = (name) => rounds.reduce((sum, one) => sum + one[name], 0);
const failed = rounds.filter(({ wrong }) => wrong.length > 0).length;
const sharded = rounds.filter(({ shards }) => shards > 1).length;
const words = `Seed ${options.seed}, ${rounds.length} rounds of ${total('cells')} cells, ${sharded} of them in shards: ${total('runs')} runs, ${total('kills')} of them killed and ${total('capped')} stopped by a cap; ${total('again')} cells asked again by list. ${failed} rounds not held.`;
process.stdout.write(`${words}\n`);
if (options.report) {
  const page = new URL('../../docs/reliability.md', import.meta.url);
  const [before, rest] = readFileSync(page, 'utf8').split('<!-- kills -->');
  writeFileSync(
    page,
    `${before}<!-- kills -->\n${words}\n<!-- end of kills -->${rest.split('<!-- end of kills -->')[1]}`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
