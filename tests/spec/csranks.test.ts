import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BootstrapRequest, createEngine, type Engine, pairCount, pairIndex } from '../../src/engine/index.js';
import { bootstrapStatistics, orderedStepDown } from '../../src/engine/reference/stepdown.js';
import { csranksDesigns, type RankDesign } from '../support/csranks-designs.js';

const installed = spawnSync('python3', ['--version']).status === 0;
if (!installed) process.stderr.write('skipped: the csranks algorithm in Python needs python3, not found\n');

interface Rounds {
  readonly rounds: readonly { readonly critical: number | null; readonly rejected: readonly [number, number][] }[];
}
interface Expected {
  readonly simultaneous: Rounds & { readonly ranks: readonly [number, number][] };
  readonly marginal: readonly (Rounds & { readonly ranks: readonly [number, number] })[];
}

/** Draws of each design, as the engine makes them, and what the sets are formed with. */
async function made(engine: Engine, { design, draws, alpha, constant }: RankDesign) {
  const { ranked } = design;
  const excluded = new Uint8Array(pairCount(ranked));
  for (const [j, k] of constant) excluded[pairIndex(j, k, ranked)] = 1;
  const request: BootstrapRequest = {
    draws,
    random: { kind: 'philox', seed: 31n, stream: 0 },
    scheme: 'joint',
    probabilities: [],
    rankSets: { alpha, excluded },
  };
  const { values } = await engine.bootstrapValues(design, request);
  const { points, rankSets } = await engine.bootstrap(design, request);
  return { ranked, excluded, values, points, sets: rankSets! };
}

describe('rank sets against the algorithm of csranks, on given draws', () => {
  let engine: Engine;
  let folder = '';
  const expected = JSON.parse(readFileSync('tests/spec/csranks.json', 'utf8')) as Record<string, Expected>;
  beforeAll(async () => {
    engine = await createEngine({ backend: 'wasm' });
    folder = mkdtempSync(join(tmpdir(), 'flavourbench-csranks-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await engine.close();
  });

  it('covers ten designs, several rounds and sets of every width', () => {
    const rounds = Object.values(expected).map(({ simultaneous }) => simultaneous.rounds.length);
    expect(rounds).toHaveLength(10);
    expect(rounds.filter((n) => n >= 3).length).toBeGreaterThanOrEqual(2);
    expect(csranksDesigns.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
  });

  it.skipIf(!installed && process.env.CI !== 'true')('the script in Python says what its fixture says', async () => {
    const file = join(folder, 'draws.json');
    const designs = await Promise.all(
      csranksDesigns.map(async (one) => {
        const { ranked, values, points } = await made(engine, one);
        const { rows } = one.design;
        const draws = Array.from({ length: one.draws }, (_, d) => [...values.subarray(d * rows, d * rows + ranked)]);
        return { ...one, design: undefined, theta: [...points.subarray(0, ranked)], draws };
      }),
    );
    writeFileSync(file, JSON.stringify(designs));
    const run = spawnSync('python3', ['tests/spec/csranks.py', file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    expect(run.stderr).toBe('');
    expect(rounded(run.stdout)).toEqual(expected);
  });

  it.each(csranksDesigns)('every round and every set are the same: $name', async (one) => {
    const { ranked, excluded, values, points, sets } = await made(engine, one);
    const table = { values, draws: one.draws, rows: one.design.rows };
    const statistics = bootstrapStatistics({ table, ranked, points, weights: null, excluded });
    const { simultaneous, marginal } = expected[one.name]!;
    const roundsOf = (model: number | null) => {
      const { ordered, result } = orderedStepDown(statistics, one.alpha, model);
      return result.rounds.map(({ critical, rejected }) => ({
        critical: critical === null ? null : expect.closeTo(critical, 9),
        rejected: rejected.map((h) => [...ordered[h]!]),
      }));
    };
    expect(simultaneous.rounds).toEqual(roundsOf(null));
    for (let j = 0; j < ranked; j++) {
      expect([j, marginal[j]!.rounds]).toEqual([j, roundsOf(j)]);
      const others = Array.from({ length: ranked }, (_, k) => k);
      const count = (of: (k: number) => number) => others.reduce((sum, k) => sum + of(k), 0);
      const all = sets.simultaneous;
      expect([j, simultaneous.ranks[j]]).toEqual([
        j,
        [1 + count((k) => all[k * ranked + j]!), ranked - count((k) => all[j * ranked + k]!)],
      ]);
      expect([j, marginal[j]!.ranks]).toEqual([
        j,
        [
          1 + count((k) => sets.marginalBelow[j * ranked + k]!),
          ranked - count((k) => sets.marginalAbove[j * ranked + k]!),
        ],
      ]);
    }
  });
});

/** Critical values to eleven digits: the last ones depend on the order of sums. */
function rounded(text: string): unknown {
  return JSON.parse(text, (key, x: unknown) =>
    key === 'critical' && typeof x === 'number' ? Number(x.toPrecision(11)) : x,
  );
}
