import { describe, expect, it } from 'vitest';
import { followEngine } from '../../src/engine/follow.js';
import { createEngine } from '../../src/engine/node.js';
import { clusterDesign } from '../../src/inference/cluster-design.js';
import { strataOf } from '../../src/inference/strata.js';
import { smallMatrix } from '../support/small-matrix.js';

describe('an engine that is followed', () => {
  it('tells how many draws and flips are done, to the last, and gives the same numbers', async () => {
    const rows = Array.from({ length: 4 }, (_, m) =>
      Array.from({ length: 40 }, (_, t) => (t * 37 + m * (t % 5)) % 101),
    );
    const matrix = smallMatrix({ rows });
    const design = clusterDesign(matrix, strataOf(matrix, 'panel-family'));
    const engine = await createEngine({ backend: 'wasm' });
    const heard: [string, number, number][] = [];
    const followed = followEngine(engine, (...how) => heard.push(how));
    const random = { kind: 'philox', seed: 5n, stream: 0 } as const;
    const boot = { draws: 3000, random, scheme: 'joint', probabilities: [0.5] } as const;
    const flips = { draws: 200_000, random };
    expect(await followed.bootstrap(design, boot)).toEqual(await engine.bootstrap(design, boot));
    expect(await followed.flips(design, flips)).toEqual(await engine.flips(design, flips));
    await followed.close();
    const of = (stage: string) => heard.filter(([name]) => name === stage);
    expect(of('bootstrap draws').at(-1)).toEqual(['bootstrap draws', 3000, 3000]);
    expect(of('sign flips').at(-1)).toEqual(['sign flips', 200_000, 200_000]);
    const done = of('sign flips').map(([, flips]) => flips);
    expect(done).toEqual([...done].sort((a, b) => a - b));
  });
});
