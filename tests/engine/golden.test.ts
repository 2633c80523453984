import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { flipSigns } from '../../src/engine/reference/signflip.js';
import { numpyCounts } from '../../src/engine/reference/weights.js';
import { goldenDesign } from '../support/golden-design.js';
import { noShared, shared } from '../support/shared.js';

// biome-ignore lint/suspicious/noExplicitAny: golden documents are read as they are
const read = (path: string): any => JSON.parse(readFileSync(shared(`golden/${path}`), 'utf8'));

const SUFFIX = { family: '', 'panel-family': '_six_strata' } as const;

/** Digest of all count rows as uint16, little endian, and the number of redrawn rows. */
function countDigest(
  design: ReturnType<typeof goldenDesign>,
  seed: bigint,
  draws: number,
): { sha256: string; redraws: number } {
  const hash = createHash('sha256');
  let redraws = 0;
  for (const drawn of numpyCounts(design, seed, 250, draws)) {
    hash.update(Uint8Array.from(new Uint8Array(Uint16Array.from(drawn.counts).buffer)));
    redraws += drawn.redraws;
  }
  return { sha256: hash.digest('hex'), redraws };
}

function signDigest(clusters: number, seed: bigint, draws: number): string {
  const hash = createHash('sha256');
  const random = { kind: 'numpy', seed, batch: 1000 } as const;
  for (const signs of flipSigns(clusters, { draws, random }))
    hash.update(Uint8Array.from(signs, (sign) => (sign + 1) / 2));
  return hash.digest('hex');
}

describe.skipIf(noShared)('golden/c on the reference backend', () => {
  it.each(['family', 'panel-family'] as const)('replays counts and signs, strata %s', (strata) => {
    const expected = read(`c/intermediate${SUFFIX[strata]}.json`);
    const design = goldenDesign('c', strata);
    expect(countDigest(design, 1n, 1000)).toEqual({
      sha256: expected.score_bootstrap_counts_sha256_u16le,
      redraws: expected.redrawn_rows.score_bootstrap,
    });
    expect(countDigest(design, 4n, 1000)).toEqual({
      sha256: expected.pair_bootstrap_counts_sha256_u16le,
      redraws: expected.redrawn_rows.pair_bootstrap,
    });
    expect(signDigest(11, 2n, 2000)).toBe(expected.chance_sign_bits_sha256_u8);
    expect(signDigest(11, 3n, 2000)).toBe(expected.pair_sign_bits_sha256_u8);
  });

  it.each(['family', 'panel-family'] as const)('reaches the published integers, strata %s', async (strata) => {
    const expected = read(`c/intermediate${SUFFIX[strata]}.json`);
    const design = goldenDesign('c', strata);
    const engine = await createEngine({ backend: 'reference' });
    const random = { kind: 'numpy', seed: 1n, batch: 250 } as const;
    const request = {
      draws: 1000,
      random,
      scheme: 'joint',
      probabilities: [0.025, 0.975],
    } as const;
    const { values } = await engine.bootstrapValues(design, request);
    expected.bootstrap_head10.flat().forEach((value: number, at: number) => {
      expect(values[Math.floor(at / 3) * 4 + (at % 3)]).toBeCloseTo(value, 9);
    });
    expected.chance_bootstrap_head10.forEach((value: number, draw: number) => {
      expect(values[draw * 4 + 3]).toBeCloseTo(value, 9);
    });
    const summary = await engine.bootstrap(design, { ...request, bandProbability: 0.95 });
    expect(summary.redraws).toBe(expected.redrawn_rows.score_bootstrap);
    expect(summary.bandCritical).toBeCloseTo(expected.max_t_critical, 9);
    expected.standard_errors.forEach((value: number, m: number) => {
      expect(summary.standardErrors[m]).toBeCloseTo(value, 9);
    });
    const pairs = await engine.flips(design, {
      draws: 2000,
      random: { kind: 'numpy', seed: 3n, batch: 1000 },
    });
    expect([pairs.pairs[0], pairs.pairs[1], pairs.pairs[3]]).toEqual(expected.pair_exceed_counts);
    const chance = await engine.flips(design, {
      draws: 2000,
      random: { kind: 'numpy', seed: 2n, batch: 1000 },
    });
    expect([chance.pairs[2], chance.pairs[4], chance.pairs[5]]).toEqual(expected.chance_exceed_counts);
  });
});
