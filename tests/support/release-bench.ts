import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createEngine } from '../../src/engine/create.js';
import type { Engine } from '../../src/engine/engine.js';
import { differenceText } from '../../src/release/compare.js';
import { illustrationData } from '../../src/release/illustrate.js';
import { verifyRelease } from '../../src/release/verify.js';
import { buildSmall, smallWorld } from './release-world.js';

/** A small release, and what a verification finds in a copy of it after one change. */
export interface MutationBench {
  readonly good: string;
  readonly dir: string;
  readonly engine: Engine;
  foundIn(change: (copy: string) => void | Promise<void>): Promise<string[]>;
  close(): Promise<void>;
}

export async function mutationBench(): Promise<MutationBench> {
  const world = await smallWorld();
  const good = join(world.dir, 'release');
  await buildSmall(world, good);
  const engine = await createEngine({ backend: 'wasm' });
  const dir = join(world.dir, 'mutated');
  return {
    good,
    dir,
    engine,
    async foundIn(change) {
      const copy = join(dir, 'release');
      rmSync(copy, { recursive: true, force: true });
      cpSync(good, copy, { recursive: true });
      await change(copy);
      const result = await verifyRelease({ dir: copy, engine, illustrate: illustrationData });
      expect(result.status).toBe(result.difference_count === 0 ? 'PASS' : 'FAIL');
      return result.differences.map(differenceText);
    },
    async close() {
      await engine.close();
      rmSync(world.dir, { recursive: true, force: true });
    },
  };
}
