import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { buildDesign } from '../support/random-design.js';

const design = buildDesign({
  rows: 12,
  tasks: 300,
  clusters: 300,
  strata: 3,
  chance: true,
  largest: 10_000,
  degenerate: false,
  negative: false,
  seed: 8,
});
const random = { kind: 'philox', seed: 4n, stream: 1 } as const;
const workerFile = (name: string) => pathToFileURL(join('fixtures/workers', name));
const folder = mkdtempSync(join(tmpdir(), 'flavourbench-pool-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Threads of this process, as the system counts them. */
const workersAlive = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

describe('a backend whose worker threads fail', () => {
  it('runs the range of a dead worker again, says so, and gives the same digits', async () => {
    process.env.FLAVOURBENCH_TEST_MARK = join(folder, 'died');
    const worker = workerFile('dies-once.mjs');
    const pool = await createEngine({ backend: 'pool', threads: 2, worker });
    const wasm = await createEngine({ backend: 'wasm' });
    const { warnings, ...counts } = await pool.flips(design, { draws: 20_000, random, maxT: true });
    expect(counts).toEqual(await wasm.flips(design, { draws: 20_000, random, maxT: true }));
    expect(warnings).toHaveLength(1);
    expect(warnings![0]).toMatch(/a worker died .*its range was run again/);
    const again = await pool.flips(design, { draws: 100, random });
    expect(again.warnings).toBeUndefined();
    await Promise.all([pool.close(), wasm.close()]);
  });

  it('gives up with a clear error when a range kills two workers', async () => {
    const worker = workerFile('dies-always.mjs');
    const pool = await createEngine({ backend: 'pool', threads: 2, worker });
    await expect(pool.flips(design, { draws: 1000, random })).rejects.toMatchObject({
      code: 'WORKER_DIED',
      hint: expect.stringContaining('--backend wasm'),
    });
    await pool.close();
  });

  it('passes the error of a job on to the caller', async () => {
    const crowded = {
      ...design,
      clusters: 40,
      strata: 40,
      partCluster: Int32Array.from({ length: 40 }, (_, p) => p),
      partStratum: Int32Array.from({ length: 40 }, (_, p) => p),
      partTasks: new Int32Array(40).fill(1),
      partTotals: new Float64Array(40 * design.rows),
    };
    const pool = await createEngine({ backend: 'pool', threads: 2 });
    const request = { draws: 50, random, scheme: 'joint', probabilities: [] } as const;
    await expect(pool.bootstrap(crowded, request)).rejects.toMatchObject({
      code: 'STRATUM_EMPTY',
      hint: expect.stringContaining('--scheme stratified'),
    });
    await pool.close();
  });
});

describe('an inference that is stopped', () => {
  it.each(['wasm', 'pool'] as const)('ends on %s with ABORTED and leaves no worker behind', async (backend) => {
    const before = workersAlive();
    const engine = await createEngine({ backend, threads: 2 });
    await engine.flips(design, { draws: 10, random });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const run = engine.flips(design, { draws: 2 ** 30, random, maxT: true, signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED', exit: 5 });
    expect(workersAlive()).toBe(before);
    const after = await engine.flips(design, { draws: 10, random });
    expect(after.draws).toBe(10);
    await engine.close();
    expect(workersAlive()).toBe(before);
  });

  it('does not begin when its signal was raised before', async () => {
    const engine = await createEngine({ backend: 'wasm' });
    const run = engine.flips(design, { draws: 10, random, signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    await engine.close();
  });
});
