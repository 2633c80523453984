import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { callEngine } from '../../src/cli/call-engine.js';
import { stages } from '../../src/cli/progress.js';

async function collectGarbage(): Promise<void> {
  await setImmediate();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('the engine of a call', () => {
  it.each([
    ['early', { drawn: [] }],
    ['when it is asked for', {}],
  ])('that was opened %s leaves nothing behind when it is closed, while the call goes on', async (_, when) => {
    const call = callEngine({ backend: 'wasm', ...when }, stages(), () => {});
    const held = new WeakRef(await call.open());
    expect(await call.open()).toBe(held.deref());
    await collectGarbage();
    expect(held.deref()).toBeDefined();
    await call.close();
    await collectGarbage();
    expect(held.deref()).toBeUndefined();
    expect(call.ran()).toMatchObject({ backend: 'wasm', threads: 1 });
  });
});
