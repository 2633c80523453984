import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEngine, type FlipCounts } from '../../src/engine/index.js';
import type { DeviceEngine } from '../../src/engine/webgpu/engine.js';
import { assertVulkan } from '../../src/engine/webgpu/node.js';
import { hasAdapter, noAdapterReason } from '../support/adapter.js';
import { buildDesign } from '../support/random-design.js';

const design = buildDesign({
  rows: 10,
  tasks: 200,
  clusters: 200,
  strata: 2,
  chance: true,
  largest: 10_000,
  degenerate: false,
  negative: false,
  seed: 6,
});
const random = { kind: 'philox', seed: 2n, stream: 1 } as const;

async function onWasm(draws: number): Promise<FlipCounts> {
  const wasm = await createEngine({ backend: 'wasm' });
  return wasm.flips(design, { draws, random, maxT: true }).finally(() => wasm.close());
}

/** Runs a module in a fresh Node, in this folder. */
function fresh(code: string, ...flags: string[]) {
  const run = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', code], {
    encoding: 'utf8',
    timeout: 150_000,
  });
  return { status: run.status, text: run.stdout, errors: run.stderr };
}

const engineUrl = pathToFileURL('dist/engine/index.js').href;

describe('a machine without Vulkan', () => {
  it('is recognised before the graphics library prints lines of its own', () => {
    const absent = 'libno-such-library.so.9';
    if (process.platform !== 'linux') return expect(() => assertVulkan(absent)).not.toThrow();
    expect(() => assertVulkan(absent)).toThrow(
      expect.objectContaining({
        code: 'BACKEND_UNAVAILABLE',
        message: expect.stringContaining(`Vulkan (${absent}) is not installed`),
      }),
    );
    expect(() => assertVulkan('libc.so.6')).not.toThrow();
  });
});

describe.skipIf(!hasAdapter)(`a graphics device that fails${noAdapterReason}`, () => {
  // ALaggyDev/CoordsFinder#14: one long dispatch loses the device.
  it('falls back to the pool when it is lost mid-run, with a warning and the same digits', async () => {
    const options = { backend: 'webgpu', threads: 2, bufferBytes: 2 ** 16 } as const;
    const engine = (await createEngine(options)) as DeviceEngine;
    await engine.flips(design, { draws: 10, random });
    const run = engine.flips(design, { draws: 40_000, random, maxT: true });
    setTimeout(() => engine.device.destroy(), 20);
    const { warnings, ...counts } = await run;
    expect(warnings).toEqual([expect.stringMatching(/^webgpu: the device failed .*ran on pool$/)]);
    expect(counts).toEqual(await onWasm(40_000));
    const later = await engine.bootstrap(design, {
      draws: 20,
      random,
      scheme: 'joint',
      probabilities: [0.5],
    });
    expect(later.warnings).toHaveLength(1);
    await engine.close();
  });

  it('falls back to the pool when it cannot give 3 GB of buffers', async () => {
    const engine = await createEngine({ backend: 'webgpu', threads: 2, bufferBytes: 3 * 2 ** 30 });
    const request = { draws: 50, random, scheme: 'joint', probabilities: [0.5] } as const;
    const { warnings, ...summary } = await engine.bootstrap(design, request);
    expect(warnings).toEqual([expect.stringMatching(/3221225472 bytes.*ran on pool$/)]);
    const wasm = await createEngine({ backend: 'wasm' });
    expect(summary).toEqual(await wasm.bootstrap(design, request));
    await Promise.all([engine.close(), wasm.close()]);
  });

  it('lets the process end after close', () => {
    const { status, text, errors } = fresh(`
      import { createEngine } from '${engineUrl}';
      const engine = await createEngine({ backend: 'webgpu' });
      await engine.close();
      console.log('closed');
    `);
    expect({ status, text, errors }).toMatchObject({ status: 0, text: 'closed\n' });
  });

  it('is never chosen by auto on a software adapter', async () => {
    const engine = await createEngine({ backend: 'auto', threads: 1 });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const run = engine.flips(design, { draws: 2 ** 31 - 1, random, signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(engine.backend).toBe('wasm');
    expect(engine.reason).toMatch(/the only WebGPU adapter is a software one/);
    await engine.close();
  });
});

describe('an installation without the package webgpu', () => {
  const hook = `data:text/javascript,${encodeURIComponent(
    "export const resolve = (name, context, next) => { if (name === 'webgpu') throw new Error('not found'); return next(name, context); };",
  )}`;
  const flag = `--import=data:text/javascript,${encodeURIComponent(
    `import { register } from 'node:module'; register(${JSON.stringify(hook)});`,
  )}`;

  it('says how to add it, and everything else works', () => {
    const { status, text } = fresh(
      `
      import { createEngine } from '${engineUrl}';
      const wasm = await createEngine({ backend: 'wasm' });
      await wasm.close();
      await createEngine({ backend: 'webgpu' }).catch(({ code, hint }) => console.log(code, hint));
    `,
      flag,
    );
    expect(status).toBe(0);
    expect(text).toMatch(/^BACKEND_UNAVAILABLE .*npm install webgpu/);
  });
});
