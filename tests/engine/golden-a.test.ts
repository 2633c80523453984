import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine, pairIndex, pcg64, signBits } from '../../src/engine/index.js';
import { layoutOf } from '../../src/engine/layout.js';
import { openArena } from '../../src/engine/wasm/arena.js';
import { putBootstrapTables } from '../../src/engine/wasm/bootstrap-tables.js';
import { kernelModule } from '../../src/engine/wasm/module.js';
import { openReplay } from '../../src/engine/wasm/numpy.js';
import { goldenDesign } from '../support/golden-design.js';
import { noShared, shared } from '../support/shared.js';

// biome-ignore lint/suspicious/noExplicitAny: golden documents are read as they are
const read = (name: string): any => JSON.parse(readFileSync(shared(`golden/a/${name}`), 'utf8'));
const MODELS = 27;

/** Digest of all 50,000 count rows of the kernels' replay. */
function countDigest(seed: bigint): string {
  const design = goldenDesign('a', 'family');
  const arena = openArena(kernelModule());
  const rows = Array.from({ length: design.rows }, (_, m) => m);
  const tables = putBootstrapTables(arena, design, layoutOf(design), rows);
  const replay = openReplay(arena, tables, seed, 250);
  const hash = createHash('sha256');
  for (let batch = 0; batch < 200; batch++) {
    expect(replay.batch(250)).toBe(0);
    hash.update(arena.get(replay.counts, new Uint8Array(250 * 534 * 2)));
  }
  return hash.digest('hex');
}

describe.skipIf(noShared)('golden/a on the kernels', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ backend: 'pool', threads: 2 });
  });
  afterAll(() => engine.close());

  it('replays every count row of both bootstraps', () => {
    const expected = read('intermediate.json');
    expect(countDigest(20260820n)).toBe(expected.score_bootstrap_counts_sha256_u16le);
    expect(countDigest(20260823n)).toBe(expected.pair_bootstrap_counts_sha256_u16le);
  });

  it('replays every sign of the chance and the pair tests', () => {
    const expected = read('intermediate.json');
    for (const [seed, sha256] of [
      [20260821n, expected.chance_sign_bits_sha256_u8],
      [20260822n, expected.pair_sign_bits_sha256_u8],
    ]) {
      const source = pcg64(seed);
      const hash = createHash('sha256');
      for (let batch = 0; batch < 100; batch++) hash.update(signBits(source, 534_000));
      expect(hash.digest('hex')).toBe(sha256);
    }
  });

  it.each([
    ['family', 'intermediate.json'],
    ['panel-family', 'intermediate_six_strata.json'],
  ] as const)('reaches every published integer and interval, strata %s', async (strata, name) => {
    const expected = read(name);
    const design = goldenDesign('a', strata);
    const numpy = (seed: bigint, batch: number) => ({ kind: 'numpy', seed, batch }) as const;
    const summary = await engine.bootstrap(design, {
      draws: 50_000,
      random: numpy(20260820n, 250),
      scheme: 'joint',
      probabilities: [0.025, 0.975],
      bandProbability: 0.95,
    });
    expect(summary.bandCritical).toBeCloseTo(expected.max_t_critical, 9);
    expected.standard_errors.forEach((value: number, m: number) => {
      expect(summary.standardErrors[m]).toBeCloseTo(value, 9);
    });
    const flips = { draws: 100_000 };
    const pairs = await engine.flips(design, { ...flips, random: numpy(20260822n, 1000) });
    const chance = await engine.flips(design, { ...flips, random: numpy(20260821n, 1000) });
    const counted: number[] = [];
    for (let i = 0; i < MODELS; i++)
      for (let j = i + 1; j < MODELS; j++) counted.push(pairs.pairs[pairIndex(i, j, MODELS + 1)]!);
    expect(counted).toEqual(expected.pair_exceed_counts);
    expect(Array.from({ length: MODELS }, (_, m) => chance.pairs[pairIndex(m, MODELS, MODELS + 1)])).toEqual(
      expected.chance_exceed_counts,
    );
  });
});
