import { describe, expect, it } from 'vitest';
import { createAutoEngine } from '../../src/engine/auto.js';
import { type BackendName, createEngine, type Engine } from '../../src/engine/index.js';
import { buildDesign } from '../support/random-design.js';

const design = buildDesign({
  rows: 28,
  tasks: 534,
  clusters: 534,
  strata: 6,
  chance: true,
  largest: 10_000,
  degenerate: false,
  negative: false,
  seed: 1,
});

/** An engine that runs nothing and remembers what it was asked. */
function fake(backend: BackendName, threads: number, opened: string[]): Engine {
  opened.push(`${backend} ${threads}`);
  const nothing = async () => ({}) as never;
  return {
    backend,
    threads,
    bootstrap: nothing,
    bootstrapValues: nothing,
    studentised: nothing,
    flips: nothing,
    exactFlips: nothing,
    close: async () => {
      opened.push(`closed ${backend}`);
    },
  };
}

function auto(processors: number, device: 'hardware' | string = 'no device', early = false) {
  const opened: string[] = [];
  const engine = createAutoEngine({
    processors,
    early: early ? fake('pool', 2, opened) : undefined,
    openWasm: async () => fake('wasm', 1, opened),
    openPool: async (threads) => fake('pool', threads, opened),
    openDevice: async () => (device === 'hardware' ? fake('webgpu', 1, opened) : device),
  });
  const flips = (draws: number) =>
    engine.flips(design, { draws, random: { kind: 'philox', seed: 1n, stream: 1 }, maxT: true });
  return { engine, opened, flips };
}

describe('the choice of a backend by size', () => {
  it('stays on one thread while starting others would cost more', async () => {
    const { engine, opened, flips } = auto(2);
    await flips(10_000);
    expect(opened).toEqual(['wasm 1']);
    expect(engine).toMatchObject({ backend: 'wasm', threads: 1 });
    expect(engine.reason).toMatch(/^auto: about .* ms on one thread, less than threads would save/);
  });

  it('takes a pool for more, and reports the heaviest call', async () => {
    const { engine, opened, flips } = auto(2);
    await flips(1_000_000);
    await flips(10);
    expect(opened).toEqual(['pool 2', 'wasm 1']);
    expect(engine).toMatchObject({ backend: 'pool', threads: 2 });
    expect(engine.reason).toMatch(/2 threads are faster$/);
    await engine.close();
    expect(opened.slice(2).sort()).toEqual(['closed pool', 'closed wasm']);
  });

  it('never takes a pool on one processor', async () => {
    const { engine, flips } = auto(1);
    await flips(1_000_000);
    expect(engine).toMatchObject({ backend: 'wasm' });
    expect(engine.reason).toMatch(/one processor$/);
  });

  it('takes a thread that was started before for whatever it is enough for, and a pool past that', async () => {
    const small = auto(2, 'no device', true);
    await small.flips(10);
    await small.flips(1_000_000);
    expect(small.opened).toEqual(['pool 2']);
    expect(small.engine).toMatchObject({ backend: 'pool', threads: 2 });
    expect(small.engine.reason).toMatch(/a second thread was started before$/);
    const large = auto(8, 'no device', true);
    await large.flips(10);
    expect(large.opened).toEqual(['pool 2']);
    await large.flips(10_000_000);
    expect(large.opened).toEqual(['pool 2', 'pool 8']);
    await large.engine.close();
    expect(large.opened.slice(2)).toEqual(['closed pool', 'closed pool']);
  });

  it('takes a hardware device for very long runs, and says why not otherwise', async () => {
    const there = auto(4, 'hardware');
    await there.flips(2e9);
    expect(there.engine.backend).toBe('webgpu');
    const not = auto(4, 'the only WebGPU adapter is a software one');
    await not.flips(2e9);
    expect(not.engine.backend).toBe('pool');
    expect(not.engine.reason).toMatch(/; the only WebGPU adapter is a software one$/);
    const small = auto(4, 'hardware');
    await small.flips(1_000_000);
    expect(small.engine.backend).toBe('pool');
  });

  it('knows that replayed counts follow from one another', async () => {
    const { engine } = auto(4, 'hardware');
    const random = { kind: 'numpy', seed: 1n, batch: 250 } as const;
    await engine.bootstrap(design, {
      draws: 50_000,
      random,
      scheme: 'joint',
      probabilities: [0.5],
    });
    expect(engine.backend).toBe('wasm');
    expect(engine.reason).toMatch(/a replayed stream runs in sequence$/);
  });

  it('refuses a number of threads and a backend that do not exist', async () => {
    await expect(createEngine({ backend: 'pool', threads: 0 })).rejects.toMatchObject({
      code: 'USAGE',
    });
    await expect(createEngine({ backend: 'cuda' as never })).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'One of auto, reference, wasm, pool, webgpu.',
    });
  });
});

describe('threads of this process', () => {
  it.each([
    [2, 1],
    [3, 3],
  ])('of %i that work, %i are started', async (threads, started) => {
    const workers: unknown[] = [];
    const note = (worker: unknown) => workers.push(worker);
    process.on('worker', note);
    const engine = await createEngine({ threads });
    const wasm = await createEngine({ backend: 'wasm' });
    try {
      const request = { draws: 1_000_000, random: { kind: 'philox', seed: 1n, stream: 1 }, maxT: true } as const;
      const counts = await engine.flips(design, request);
      expect(engine).toMatchObject({ backend: 'pool', threads });
      expect(workers).toHaveLength(started);
      expect(counts).toEqual(await wasm.flips(design, request));
    } finally {
      process.off('worker', note);
      await Promise.all([engine.close(), wasm.close()]);
    }
  });
});
