import { afterAll, beforeAll } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/index.js';

/** The plain oracle and the kernels that are held against it. */
export interface BothEngines {
  reference: Engine;
  wasm: Engine;
}

/** Both engines for the tests of a file or a `describe`, open from its first test to its last. */
export function bothEngines(): BothEngines {
  const both = {} as BothEngines;
  beforeAll(async () => {
    both.reference = await createEngine({ backend: 'reference' });
    both.wasm = await createEngine({ backend: 'wasm' });
  });
  afterAll(() => Promise.all([both.reference.close(), both.wasm.close()]));
  return both;
}
