import { afterEach, describe, expect, it } from 'vitest';
import { createReferenceEngine } from '../../src/engine/reference/engine.js';
import { createKernelEngine } from '../../src/engine/wasm/engine.js';
import { kernelModule } from '../../src/engine/wasm/module.js';
import { companionRunner } from '../../src/engine/workers/companion.js';
import { buildDesign } from '../support/random-design.js';

const design = buildDesign({
  rows: 9,
  tasks: 60,
  clusters: 20,
  strata: 3,
  chance: true,
  largest: 10_000,
  degenerate: false,
  negative: false,
  seed: 5,
});
const random = { kind: 'philox', seed: 7n, stream: 3 } as const;
const excluded = new Uint8Array((design.ranked * (design.ranked - 1)) / 2);
const rankSets = { alpha: 0.05, excluded };
const bootstrap = {
  draws: 900,
  random,
  scheme: 'joint',
  probabilities: [0.025, 0.975],
  ranks: 'shared',
  pairs: true,
  rankSets,
} as const;
const flips = { draws: 900, random, maxT: true, stepDown: { alpha: 0.05 } } as const;
const module = kernelModule();

/** A thread's script in place of the project's. */
const script = (text: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${text}`)}`);

const opened: { close(): Promise<void> }[] = [];
const open = (of?: URL) => {
  const engine = createKernelEngine({
    module,
    backend: 'pool',
    threads: 2,
    runner: (arena) => companionRunner(arena, module, of),
  });
  opened.push(engine);
  return engine;
};
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

const alone = createReferenceEngine();
const expected = Promise.all([alone.bootstrap(design, bootstrap), alone.flips(design, flips)]);

/** What both engines found, but for warnings. */
async function results(engine: ReturnType<typeof open>) {
  const found = [await engine.bootstrap(design, bootstrap), await engine.flips(design, flips)];
  const warnings = found.flatMap((result) => ('warnings' in result ? (result.warnings as string[]) : []));
  return { found: found.map((result) => ({ ...result, warnings: undefined })), warnings };
}
const wanted = async () => (await expected).map((result) => ({ ...result, warnings: undefined }));

describe('a thread that was started before there was work', () => {
  it('gives the digits of the reference, whether it is ready or not', async () => {
    const engine = open();
    expect(await results(engine)).toEqual({ found: await wanted(), warnings: [] });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await results(engine)).toEqual({ found: await wanted(), warnings: [] });
  });

  it('is not waited for when it never gets ready, or cannot start', async () => {
    expect(await results(open(script('setInterval(() => {}, 1000)')))).toEqual({ found: await wanted(), warnings: [] });
    expect(await results(open(script('throw new Error("broken")')))).toEqual({ found: await wanted(), warnings: [] });
    expect(await results(open(new URL('file:///nowhere/at/all.cjs')))).toEqual({ found: await wanted(), warnings: [] });
  });

  it('has its jobs taken back when it dies over them', async () => {
    const engine = open(script(`parentPort.on('message', () => process.exit(3)); parentPort.postMessage('ready');`));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { found, warnings } = await results(engine);
    expect(found).toEqual(await wanted());
    expect(warnings).toEqual(['a worker died (exit code 3); its range was run again']);
  });

  it('says an error of a job, ends with a raised signal, and goes on alone afterwards', async () => {
    const wrong = open(
      script(`
        parentPort.on('message', () => parentPort.postMessage({ error: { code: 'BOUND_EXCEEDED', message: 'too large' } }));
        parentPort.postMessage('ready');`),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect(wrong.bootstrap(design, bootstrap)).rejects.toMatchObject({ code: 'BOUND_EXCEEDED' });
    expect((await results(wrong)).found).toEqual(await wanted());

    const silent = open(script(`parentPort.on('message', () => {}); parentPort.postMessage('ready');`));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const stop = new AbortController();
    const stopped = silent.bootstrap(design, { ...bootstrap, signal: stop.signal });
    setTimeout(() => stop.abort(), 300);
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await results(silent)).found).toEqual(await wanted());
  });
});
