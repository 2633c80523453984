import { describe, expect, it } from 'vitest';
import { stoppable } from '../../src/cli/stop-signal.js';
import { createEngine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { smallMatrix } from '../support/small-matrix.js';

/** The listener that `stoppable` has put on a signal. */
function added(signal: 'SIGINT' | 'SIGTERM', before: readonly unknown[]): () => void {
  const listener = process.listeners(signal).find((one) => !before.includes(one));
  return listener as () => void;
}

describe('work that a signal stops', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends with exit code 5 after %s', async (name) => {
    const before = process.listeners(name);
    const engine = await createEngine({ backend: 'wasm' });
    const matrix = smallMatrix({ rows: [Array.from({ length: 50 }, (_, t) => t)] });
    const run = stoppable((signal) => {
      const done = runInference({ matrix, engine, plan: { draws: 2_000_000 }, signal });
      added(name, before)();
      return done;
    });
    await expect(run).rejects.toMatchObject({ exit: 5 });
    expect(process.listeners(name)).toEqual(before);
    await engine.close();
  });

  it('returns what the work returns', async () => {
    const before = process.listeners('SIGINT').length;
    expect(await stoppable(async (signal) => signal.aborted)).toBe(false);
    expect(process.listeners('SIGINT')).toHaveLength(before);
  });
});
