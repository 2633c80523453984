import { expect, it } from 'vitest';
import type { Throughput } from '../../src/cli/throughput.js';
import { drawThroughput } from '../../src/cli/throughput-figure.js';
import { labelFaults } from '../support/label-boxes.js';

const BACKENDS = ['reference', 'wasm', 'pool', 'webgpu'];

function runs(draws: readonly number[], models: readonly number[]): Throughput[] {
  return BACKENDS.flatMap((backend, k) =>
    (['bootstrap', 'flips'] as const).flatMap((work) =>
      draws.flatMap((d) =>
        models.map((m) => ({
          ...{ work, backend, threads: backend === 'pool' ? 64 : 1, draws: d, models: m },
          ...{ clusters: 534, repeats: 1, milliseconds: 1 },
          draws_per_second: 10 ** (k + 2) / m,
        })),
      ),
    ),
  );
}

it.each(['screen', 'column'] as const)(
  'throughput, %s: every series has a colour and a line of its own, and no label touches another',
  (size) => {
    const svg = drawThroughput(
      {
        byDraws: runs([1000, 10_000, 100_000], [27]),
        byModels: runs([10_000], [8, 27, 64, 128, 256]),
        machine: 'A processor of some name, 64 processors, Node v20.20.2; 534 clusters.',
      },
      { theme: 'light', size },
    );
    expect(labelFaults(svg)).toEqual([]);
    const legend = [...svg.matchAll(/<path d="M\d[^"]*h14" ([^>]*)\/>/g)].map(([, look]) => look);
    expect(legend).toHaveLength(8);
    expect(new Set(legend).size).toBe(8);
  },
);
