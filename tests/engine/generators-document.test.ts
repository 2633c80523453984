import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { philoxDraw } from '../../src/engine/philox.js';

/** The known answers of docs/generators.md came from another implementation; the engine must give them. */
describe('docs/generators.md', () => {
  const text = readFileSync('docs/generators.md', 'utf8');

  it('states the first words of some draws', () => {
    const rows = [...text.matchAll(/^\| (\d+) \| (\d+) \| (\d+) \| `([0-9a-f ]+)` \|$/gm)];
    expect(rows).toHaveLength(4);
    for (const [, seed, stream, draw, words] of rows as unknown as string[][]) {
      const source = philoxDraw({
        seed: BigInt(seed!),
        stream: Number(stream),
        draw: Number(draw),
      });
      const wanted = words!.split(' ');
      expect(wanted.map(() => source.word().toString(16).padStart(8, '0'))).toEqual(wanted);
    }
  });

  it('states the indices, subsets and signs that are made of these words', () => {
    const made = (what: string) => {
      const row = text.split('\n').find((line) => line.startsWith(`| ${what}, seed 20260820,`));
      return row?.split('`')[1]?.split(' ').map(Number);
    };
    const source = (stream: number, draw: number) => philoxDraw({ seed: 20260820n, stream, draw });
    expect(made('indices below 534')).toEqual([...source(0, 0).indices(534, 8)]);
    expect(made('signs of 12 clusters')).toEqual([...source(1, 0).signs(12)]);
    expect(made('4 of 10 without replacement')).toEqual([...source(3, 7).subset(10, 4)]);
  });
});
