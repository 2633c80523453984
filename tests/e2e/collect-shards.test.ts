import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecordFile, viewLedger } from '../../src/ledger/ledger-view.js';
import type { ResponseRecord } from '../../src/ledger/record.js';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import type { Fault } from '../support/fault-reply.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

const TASKS = 24;
const CELLS = 2 * TASKS;
const SHARDS = [1, 2, 3];

let folder: string;
let server: FaultServer;
let fault: (nth: number) => Fault = () => 'correct';
let plan: string;
const at = (...names: string[]) => join(folder, ...names);
const shardAt = (index: number) => at(`shard-${index}`);

async function json(...args: string[]) {
  const { code, stdout, stderr } = await cliInline([...args, '--json']);
  return { code, stderr, ...(code === 2 || code === 4 ? {} : JSON.parse(stdout)) };
}

const collect = (file: string, index: number, ...more: string[]) =>
  json('collect', file, '--ledger', shardAt(index), '--shard', `${index}/${SHARDS.length}`, '--yes', ...more);

/** What a ledger holds of every cell: how it ended, and its answer. */
function cellsOf(dir: string) {
  const view = viewLedger(dir);
  const rows = [...view.state.cells.values()].flatMap(({ head }) => {
    if (head === undefined) return [];
    const record: ResponseRecord = readRecordFile(view.files.get(head.record_sha256)!);
    const { cell, status, outcome, task_id, manifest_sha256, generation, parse } = record;
    return [
      { cell, status, outcome, task_id, manifest_sha256, answer: generation?.answer, selection: parse?.selection },
    ];
  });
  return rows.sort((a, b) => (a.cell < b.cell ? -1 : 1));
}

beforeAll(async () => {
  process.env.TEST_KEY = SECRET;
  folder = temporaryFolder();
  writeTasks(folder, TASKS);
  server = await startFaultServer({
    seed: 'shards',
    prices: { prompt: 2, completion: 6 },
    choose: ({ nth, draw }) => (nth === 0 && draw < 0.05 ? 'rate' : fault(nth)),
  });
  const models = [
    faultModel(server.url, 'openai', 't/a', { concurrency: 4 }),
    faultModel(server.url, 'openrouter', 't/b', { concurrency: 4 }),
  ];
  plan = writePlan(folder, {
    task_sets: [{ path: 'panel_1.jsonl' }],
    budget: { usd: '1.000001', tokens: 100_000 },
    models,
  });
});
afterAll(async () => {
  delete process.env.TEST_KEY;
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Collects a shard in a process of its own, which is killed once it has some answers. */
async function killedShard(index: number): Promise<void> {
  const args = ['collect', plan, '--ledger', shardAt(index), '--shard', `${index}/3`, '--yes'];
  const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { stdio: 'ignore' });
  let accepted = 0;
  server.onAccepted = () => {
    accepted += 1;
    if (accepted === 4) child.kill('SIGKILL');
  };
  const signal = await new Promise((done) => child.on('close', (_, name) => done(name)));
  server.onAccepted = undefined;
  expect(signal).toBe('SIGKILL');
}

describe('a plan collected in shards', () => {
  it('is asked once a cell, shard by shard, through kills and retries, each within its share of the budget', async () => {
    fault = (nth) => (nth === 0 ? 'trickle' : 'correct');
    await killedShard(2);
    fault = () => 'correct';
    const dry = await collect(plan, 1, '--dry-run');
    expect(dry).toMatchObject({ shard: { index: 1, count: 3 }, largest_cost: { room_micros: 333_334 } });
    const sessions = [];
    for (const index of SHARDS) sessions.push(await collect(plan, index));
    expect(sessions.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
    expect(sessions.map(({ cap_micros }) => cap_micros)).toEqual([333_334, 333_334, 333_333]);
    expect(sessions.reduce((sum, { scheduled_cells: cells }) => sum + cells, 0)).toBe(CELLS);
    const sealed = sessions[1]!.sealed_ambiguous;
    expect(sealed).toBeGreaterThan(0);
    const { stdout } = await cliInline(['ledger', 'failures', shardAt(2)]);
    writeFileSync(at('again.jsonl'), stdout);
    expect((await collect(plan, 1, '--retry', at('again.jsonl'))).stderr).toContain('is of another shard');
    expect(await collect(plan, 2, '--retry', at('again.jsonl'))).toMatchObject({ completed: sealed, pending: 0 });
    expect(server.accepted.size).toBe(CELLS);
    expect([...server.accepted.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(sealed);
  });

  it('has a ledger of its own for every shard, which takes nothing else', async () => {
    const other = await json('collect', plan, '--ledger', shardAt(1), '--shard', '2/3', '--yes');
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/SHARDS_DIFFER.*holds shard 1\/3 .* shard 2\/3/),
    });
    const count = await json('collect', plan, '--ledger', shardAt(1), '--shard', '1/4', '--dry-run');
    expect(count.stderr).toMatch(/SHARDS_DIFFER.*holds shard 1\/3 .* shard 1\/4/);
    const whole = await json('collect', plan, '--ledger', shardAt(1), '--yes');
    expect(whole.stderr).toMatch(/SHARDS_DIFFER.*holds shard 1\/3 .*whole plan/);
    const status = await cliInline(['ledger', 'status', shardAt(1)]);
    expect(status.stdout).toMatch(/^shard 1\/3 of plan [0-9a-f]{64}: 0\.333334 of 1\.000001 USD$/m);
    const foreign = cellsOf(shardAt(2))[0]!;
    const why = ['ledger', 'explain', shardAt(1), foreign.cell, '--plan', plan];
    expect(await json(...why)).toMatchObject({ verdict: 'other_shard', will_be_asked: false });
    expect(server.accepted.size).toBe(CELLS);
  });

  it('is joined into the ledger that one machine would have filled, and released like it', async () => {
    expect(await json('collect', plan, '--ledger', at('one'), '--yes')).toMatchObject({ status: 'complete' });
    const merged = await cliInline(['ledger', 'merge', ...SHARDS.map(shardAt), '--out', at('merged')]);
    expect(merged.stderr).toBe('');
    expect(merged.stdout).toMatch(
      /3 of 3 shards of plan [0-9a-f]{64}\n48 cells planned in them, cap of the plan 1\.000001 USD\n$/,
    );
    const spent = async (dir: string) => (await json('ledger', 'status', dir)).spending;
    const sums = [];
    for (const index of SHARDS) sums.push(await spent(shardAt(index)));
    const { spent_micros, uncertain_micros } = await spent(at('merged'));
    expect(spent_micros).toBe(sums.reduce((sum, part) => sum + part.spent_micros, 0));
    expect(uncertain_micros).toBe(sums.reduce((sum, part) => sum + part.uncertain_micros, 0));
    expect(uncertain_micros).toBeGreaterThan(0);
    const cells = cellsOf(at('merged'));
    expect(cells).toHaveLength(CELLS);
    expect(cells).toEqual(cellsOf(at('one')));
    const tasks = ['--tasks', at('panel_1.jsonl')];
    expect(await json('ledger', 'verify', at('merged'), ...tasks)).toMatchObject({
      code: 0,
      problems: [],
      repairable: [],
    });
    const results = [];
    for (const name of ['one', 'merged']) {
      const from = ['--ledger', at(name), ...tasks];
      const core = at(`${name}-core.json`);
      const freeze = ['core', 'freeze', ...from, '--seed', 'shards', '--per-stratum', '6', '--out', core];
      expect(await cliInline(freeze)).toMatchObject({ code: 0, stderr: '' });
      const scores = at(`${name}.arrow`);
      expect((await cliInline(['core', 'matrix', ...from, '--core', core, '--out', scores])).code).toBe(0);
      const draws = ['--draws', '200', '--flips', '300', '--quiet'];
      const infer = ['infer', '--scores', scores, ...draws, '--out', at(`${name}-inference`)];
      expect(await cliInline(infer)).toMatchObject({ code: 0 });
      // The records themselves state when they were made.
      const frozen = JSON.parse(readFileSync(core, 'utf8'), (key, value) =>
        key === 'response_artifact_set_sha256' ? undefined : value,
      );
      const inference = JSON.parse(readFileSync(at(`${name}-inference`, 'inference.json'), 'utf8'));
      results.push([frozen.common_core, inference.results]);
    }
    expect(results[1]).toEqual(results[0]);
    const from = ['--ledger', at('merged'), ...tasks, '--core', at('merged-core.json')];
    const inference = ['--inference', at('merged-inference', 'inference.json')];
    const release = ['release', 'build', ...from, ...inference, '--no-figures', '--out', at('release')];
    expect(await cliInline(release)).toMatchObject({ code: 0 });
    expect(await cliInline(['release', 'verify', at('release')])).toMatchObject({ code: 0 });
    // Whoever goes on goes on with the whole plan.
    expect(await json('collect', plan, '--ledger', at('merged'), '--yes')).toMatchObject({
      asked: 0,
      cap_micros: 1_000_001,
    });
    expect((await json('collect', plan, '--ledger', at('merged'), '--shard', '1/3', '--yes')).stderr).toContain(
      'SHARDS_DIFFER',
    );
  });

  it('stops every shard at its share of the cap, and goes on under a larger one once all of them do', async () => {
    const models = [faultModel(server.url, 'openai', 't/c', { concurrency: 4 })];
    const capped = (usd: string, name: string) =>
      writePlan(folder, { task_sets: [{ path: 'panel_1.jsonl' }], budget: { usd }, models }, name);
    const [small, large] = [capped('0.006001', 'small.json'), capped('0.5', 'large.json')];
    const dirs = [1, 2].map((index) => at(`capped-${index}`));
    const run = (file: string, index: number) =>
      json('collect', file, '--ledger', dirs[index - 1]!, '--shard', `${index}/2`, '--yes');
    const join = (...more: string[]) => cliInline(['ledger', 'merge', ...dirs, '--out', at('capped'), ...more]);
    let spent = 0;
    for (const [i, share] of [3001, 3000].entries()) {
      const session = await run(small, i + 1);
      expect(session).toMatchObject({ code: 5, status: 'stopped_by_budget', cap_micros: share });
      expect(session.spent_micros).toBeLessThanOrEqual(share);
      spent += session.spent_micros;
    }
    expect(spent).toBeGreaterThan(0);
    expect((await run(large, 1)).status).toBe('complete');
    expect(await join()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/SHARDS_DIFFER.*was collected under plan/),
    });
    expect((await run(large, 2)).status).toBe('complete');
    expect((await join()).code).toBe(0);
    expect(cellsOf(at('capped'))).toHaveLength(TASKS);
  });

  it('of formulas alone gives the records of one ledger, byte for byte, with pilot and repeats', async () => {
    const models = ['s/a', 's/b'].map((id) => ({ id, transport: 'simulated', skill: 0.5, refusal_rate: 0.1 }));
    const phases = { pilot: { per_family: 2 }, primary: { samples: 2 }, repeat: { per_family: 2 } };
    const simulated = writePlan(
      folder,
      { task_sets: [{ path: 'panel_1.jsonl' }], budget: { usd: '0' }, models, phases },
      'simulated.json',
    );
    const all = [1, 2].map((index) => at(`formula-${index}`));
    for (const [i, dir] of all.entries())
      expect((await json('collect', simulated, '--ledger', dir, '--shard', `${i + 1}/2`)).code).toBe(0);
    expect((await json('collect', simulated, '--ledger', at('formula'))).code).toBe(0);
    expect((await cliInline(['ledger', 'merge', ...all, '--out', at('formulas')])).code).toBe(0);
    const files = (dir: string) =>
      new Map(
        readdirSync(join(dir, 'records'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
          .map((path) => [relative(dir, path), readFileSync(path, 'utf8')]),
      );
    expect(files(at('formulas')).size).toBe(2 * (2 * 4 + 2 * TASKS + 2 * 4));
    expect(files(at('formulas'))).toEqual(files(at('formula')));
    const rows = async (dir: string) => (await json('ledger', 'status', dir)).rows;
    expect(await rows(at('formulas'))).toEqual(await rows(at('formula')));
    expect(existsSync(at('formulas', 'lock'))).toBe(false);
  });
});
