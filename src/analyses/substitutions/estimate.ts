import { integers } from '../../engine/numpy.js';
import { philoxDraw } from '../../engine/philox.js';
import { sortedQuantile } from '../../engine/quantile.js';
import { pcgWordSource } from '../../engine/wasm/numpy.js';
import { joined, type Shares, workKey } from '../../shares/ranged-work.js';
import { drawnPieces } from '../shared-work.js';

/** Philox streams of the source bootstrap, all pairs and novel pairs. */
export const SUBSTITUTION_STREAMS = { all: 5, novel: 6 } as const;

/** Draws the published stream makes at once. */
const CHUNK = 2000;

export interface SubstitutionEstimate {
  readonly pairs: number;
  readonly sources: number;
  /** Mean over sources of the mean percentile of their observed targets; chance is one half. */
  readonly percentile: number;
  readonly interval: readonly [number, number];
  readonly exceedances: number;
  /** One-sided. */
  readonly p: number;
}

export interface SourceDraws {
  readonly draws: number;
  /** Replayed seeds step by 10 a space and by 1 for novel pairs. */
  readonly random: { readonly kind: 'philox' | 'numpy'; readonly seed: bigint };
  readonly kind: keyof typeof SUBSTITUTION_STREAMS;
  /** Position of the space. */
  readonly space: number;
  readonly shares?: Shares | undefined;
}

/** Estimates the mean over sources of their pairs' mean percentile, with a bootstrap of sources and a one-sided test (analyses 8). */
export function sourceEstimate(
  pairs: { readonly sources: readonly number[]; readonly percentiles: readonly number[] },
  { draws, random, kind, space, shares }: SourceDraws,
): SubstitutionEstimate {
  const sums = new Map<number, { total: number; count: number }>();
  pairs.sources.forEach((source, i) => {
    const entry = sums.get(source) ?? { total: 0, count: 0 };
    entry.total += pairs.percentiles[i]!;
    entry.count += 1;
    sums.set(source, entry);
  });
  const means = Float64Array.from(sums.values(), ({ total, count }) => total / count);
  const S = means.length;
  const percentile = means.reduce((a, b) => a + b, 0) / S;
  const seed = random.seed + 10n * BigInt(space) + (kind === 'novel' ? 1n : 0n);
  const pieces = drawnPieces(shares, random, {
    what: 'bootstrap draws',
    units: draws,
    key: () => workKey({ what: 'substitutions', kind, space, draws, seed: seed.toString() }, [means]),
    lengths: (_, count) => ({ values: count }),
    range: (first, count) => ({ values: sourceMeans(first, count) }),
  });
  const values = joined(pieces, 'values').slice();
  const excess = percentile - 0.5;
  const exceedances = values.filter((value) => value - percentile >= excess).length;
  const sorted = values.sort();
  return {
    pairs: pairs.sources.length,
    sources: S,
    percentile,
    interval: [sortedQuantile(sorted, 0.025), sortedQuantile(sorted, 0.975)],
    exceedances,
    p: (exceedances + 1) / (draws + 1),
  };

  function sourceMeans(first: number, units: number): Float64Array {
    const made = new Float64Array(units);
    const source = random.kind === 'numpy' ? pcgWordSource(seed) : undefined;
    for (let start = 0; start < units; start += CHUNK) {
      const count = Math.min(CHUNK, units - start);
      const chunk = source ? integers(source, S, count * S) : undefined;
      for (let d = 0; d < count; d += 1) {
        const draw = { seed: random.seed, stream: SUBSTITUTION_STREAMS[kind], draw: first + start + d };
        const indices = chunk?.subarray(d * S, (d + 1) * S) ?? philoxDraw(draw).indices(S, S);
        let total = 0;
        for (let i = 0; i < S; i += 1) total += means[indices[i]!]!;
        made[start + d] = total / S;
      }
    }
    return made;
  }
}
