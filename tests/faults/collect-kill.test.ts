import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { philoxDraw } from '../../src/engine/philox.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import type { Fault } from '../support/fault-reply.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

const CLI = resolve('dist/cli/main.js');
const TASKS = 240;
const MODELS = 9;
const CELLS = TASKS * MODELS;
const PROXY_SECRET = 'proxy-password-4711';

/** Share of each fault; the rest is answered correctly. Stalls are rare because each takes a whole timeout. */
const RATES: readonly (readonly [Fault, number])[] = [
  ['rate', 0.03],
  ['rate_after', 0.03],
  ['envelope_502', 0.03],
  ['bad_request', 0.01],
  ['trickle', 0.02],
  ['status_500', 0.01],
  ['stall', 0.003],
  ['reset', 0.01],
  ['malformed', 0.01],
  ['wrong_model', 0.01],
  ['wrong_provider', 0.01],
  ['cache_hit', 0.01],
  ['length', 0.02],
  ['content_filter', 0.01],
  ['refusal', 0.01],
  ['empty', 0.01],
  ['huge', 0.005],
  ['not_chat', 0.005],
];

function faultOf(draw: number): Fault {
  let rest = draw;
  for (const [fault, rate] of RATES) {
    if (rest < rate) return fault;
    rest -= rate;
  }
  return 'correct';
}

let folder: string;
let server: FaultServer;
let output = '';

beforeAll(async () => {
  folder = temporaryFolder();
  server = await startFaultServer({
    seed: 'kill',
    prices: { prompt: 2, completion: 6 },
    choose: ({ draw }) => faultOf(draw),
    accountingMisses: 1,
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the real command; ends it with SIGKILL after so many further acceptances. Returns the exit code, null when killed. */
function collect(plan: string, killAfter: number | null): Promise<number | null> {
  const child: ChildProcess = spawn(
    process.execPath,
    [CLI, 'collect', plan, '--ledger', join(folder, 'ledger'), '--json', '--yes'],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        TEST_KEY: SECRET,
        HTTPS_PROXY: `http://someone:${PROXY_SECRET}@127.0.0.1:9`,
        NO_PROXY: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let left = killAfter;
  server.onAccepted = () => {
    if (left === null) return;
    left -= 1;
    if (left === 0) child.kill('SIGKILL');
  };
  return new Promise((done) => child.on('close', (code) => done(code)));
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

// UKGovernmentBEIS/inspect_ai#4933, UKGovernmentBEIS/inspect_ai#5343: after a kill or an error, finished samples were asked
// and paid again.
it(`a collection survives kill -9 over ${CELLS} cells: each accepted at most once, costs booked, nothing leaked`, async () => {
  const transports = ['openrouter', 'openai', 'anthropic'] as const;
  const plan = writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, TASKS) }],
    budget: { usd: '1000' },
    concurrency: { global: 48 },
    max_attempts: 4,
    suspend_after: 1000,
    accounting: { attempts: 4, delay_s: 0.01 },
    max_reply_bytes: 65_536,
    models: Array.from({ length: MODELS }, (_, i) =>
      faultModel(server.url, transports[i % 3] as 'openai', `test/model-${i}`, {
        timeout_s: 1,
        concurrency: 8,
      }),
    ),
  });
  const random = philoxDraw({ seed: 20260820n, stream: 0, draw: 0 });
  let kills = 0;
  let code: number | null = null;
  for (let run = 0; run < 40 && code !== 0; run += 1) {
    const killAfter = run < 12 ? 1 + (random.word() % 260) : null;
    code = await collect(plan, killAfter);
    if (code === null) kills += 1;
    else expect([0, 3]).toContain(code);
  }
  expect(code).toBe(0);
  expect(kills).toBeGreaterThanOrEqual(8);

  const twice = [...server.accepted].filter(([, n]) => n > 1);
  expect(twice).toEqual([]);
  for (const [fault] of RATES) expect([fault, server.seen.has(fault)]).toEqual([fault, true]);

  const calls = server.calls;
  expect(await collect(plan, null)).toBe(0);
  expect(server.calls).toBe(calls);

  const view = viewLedger(join(folder, 'ledger'));
  expect(view.scan.tail.length).toBe(0);
  const heads = [...view.state.cells.values()].flatMap((cell) => cell.head ?? []);
  expect(heads).toHaveLength(CELLS);
  expect(view.files.size).toBe(CELLS);
  const report = verifyLedger(join(folder, 'ledger'));
  expect(report).toMatchObject({ problems: [], repairable: [], records: CELLS });
  const { cost_micros, uncertain_micros } = view.state.totals;
  expect(cost_micros).toBeLessThanOrEqual(server.costMicros);
  expect(server.costMicros).toBeLessThanOrEqual(cost_micros + uncertain_micros);
  const interrupted = heads.filter((h) => h.source === 'sealed').length;
  expect(interrupted).toBeGreaterThan(0);
  expect(interrupted).toBeLessThan(kills * 48);
  const completed = heads.filter((h) => h.status === 'completed').length;
  expect(completed).toBeGreaterThan(CELLS * 0.5);

  for (const path of filesBelow(folder)) {
    const text = readFileSync(path, 'utf8');
    expect(text.includes(SECRET) || text.includes(PROXY_SECRET) ? path : '').toBe('');
  }
  expect(output).not.toContain(SECRET);
  expect(output).not.toContain(PROXY_SECRET);
  expect(output).not.toContain('    at ');
}, 240_000);
