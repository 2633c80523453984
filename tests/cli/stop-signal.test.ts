import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endOnSignal, stoppable } from '../../src/cli/stop-signal.js';
import { createEngine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/index.js';
import { smallMatrix } from '../support/small-matrix.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let ended: string[];
let detach: () => void;
beforeEach(() => {
  ended = [];
  detach = endOnSignal((signal) => ended.push(signal));
});
afterEach(() => detach());

/** Calls what `endOnSignal` has put on a signal. */
function raise(name: (typeof SIGNALS)[number]): void {
  (process.listeners(name).at(-1) as (signal: string) => void)(name);
}

describe('a signal to a command', () => {
  it.each(SIGNALS)('ends the process when nothing else was asked for: %s', (name) => {
    const count = process.listenerCount(name);
    raise(name);
    expect(ended).toEqual([name]);
    detach();
    expect(process.listenerCount(name)).toBe(count - 1);
  });

  it.each(SIGNALS)('stops work that can be stopped, with exit code 5: %s', async (name) => {
    const engine = await createEngine({ backend: 'wasm' });
    const matrix = smallMatrix({ rows: [Array.from({ length: 50 }, (_, t) => t)] });
    let told = 0;
    const run = stoppable(
      (signal) => {
        const done = runInference({ matrix, engine, plan: { draws: 2_000_000 }, signal });
        raise(name);
        return done;
      },
      () => {
        told += 1;
      },
    );
    await expect(run).rejects.toMatchObject({ exit: 5 });
    expect([told, ended]).toEqual([1, []]);
    await engine.close();
  });

  it('ends the process at once when it comes again, and after the work', async () => {
    await stoppable(async () => {
      raise('SIGINT');
      raise('SIGTERM');
    });
    expect(ended).toEqual(['SIGTERM']);
    expect(await stoppable(async (signal) => signal.aborted)).toBe(false);
    raise('SIGHUP');
    expect(ended).toEqual(['SIGTERM', 'SIGHUP']);
  });
});
