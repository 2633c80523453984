import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { inferencePlan } from '../../src/inference/plan.js';
import { buildRelease, type Illustrator, writeRelease } from '../../src/release/build.js';
import { gatherSources } from '../../src/release/gather.js';
import { illustrationData } from '../../src/release/illustration-data.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { textFile } from '../../src/release/release-files.js';
import { verifyRelease } from '../../src/release/verify.js';
import { smallWorld } from './release-world.js';

/** Tables and figure data as they are, and a stand-in for every picture: pictures are slow to draw and only hashed. */
const drawn: Illustrator = async (view) => {
  const data = await illustrationData(view);
  const pictures = data.flatMap(({ name }) =>
    name.startsWith('figures/')
      ? ['', '-dark'].flatMap((theme) =>
          ['svg', 'pdf', 'png'].map((end) => textFile(name.replace('.csv', `${theme}.${end}`), end)),
        )
      : [],
  );
  return [...data, ...pictures];
};

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
  const engine = await createEngine({ backend: 'wasm' });
  const { sources } = await gatherSources({
    tasks: ['fixtures/tasks-small.json'],
    core: join(world.dir, 'core.json'),
    ledgers: [join(world.dir, 'ledger')],
    responses: [],
    plan: inferencePlan({ draws: 200, flips: 300 }),
    title: { benchmark: 'Small', track: 'Tasks', claim: 'Nothing', licence: 'none' },
  });
  const { files } = await buildRelease({ sources, engine, illustrate: drawn });
  writeRelease({ dir: good, files, force: false });
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
