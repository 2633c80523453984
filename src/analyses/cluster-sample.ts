import type { ClusterDesign } from '../engine/design.js';
import { philoxDraw } from '../engine/philox.js';
import { fail } from '../util/error.js';

/** How clusters stand to strata: what a sample of them has to keep. */
interface ClusterFrame {
  /** Per cluster: its parts. */
  readonly parts: readonly Int32Array[];
  /** Per stratum: its clusters, where every cluster lies in one stratum; else null and clusters are drawn over the whole set. */
  readonly byStratum: readonly Int32Array[] | null;
}

/** Finds out how the clusters of a design stand to its strata. */
export function clusterFrame(design: ClusterDesign): ClusterFrame {
  const lists = Array.from({ length: design.clusters }, (): number[] => []);
  const strata = Array.from({ length: design.strata }, (): number[] => []);
  design.partCluster.forEach((cluster, p) => {
    lists[cluster]?.push(p);
    strata[design.partStratum[p]!]?.push(cluster);
  });
  const nested = lists.every((parts) => parts.length === 1);
  return {
    parts: lists.map((parts) => Int32Array.from(parts)),
    byStratum: nested ? strata.map((clusters) => Int32Array.from(clusters)) : null,
  };
}

interface SampleOptions {
  readonly frame: ClusterFrame;
  readonly design: ClusterDesign;
  readonly seed: bigint;
  readonly stream: number;
  readonly draw: number;
  /** Size of the sample as a multiple of the frame; 1 unless given. */
  readonly factor?: number;
}

const ATTEMPTS = 100;

/**
 * Draws clusters with replacement: inside each stratum where clusters are nested in strata, else over the whole set and anew
 * while a stratum stays empty. Errors: STRATUM_EMPTY.
 */
export function sampleClusters(options: SampleOptions): Int32Array {
  const { frame, design, seed, stream, draw, factor = 1 } = options;
  /** Strata are rounded at their running total, so that together they have the size asked for. */
  const upTo = (n: number) => Math.round(n * factor);
  for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1) {
    const words = philoxDraw({ seed, stream, draw, offset: attempt * 2 ** 24 });
    if (frame.byStratum !== null) {
      let before = 0;
      return Int32Array.from(
        frame.byStratum.flatMap((clusters) => {
          const drawn = Math.max(1, upTo(before + clusters.length) - upTo(before));
          before += clusters.length;
          return Array.from(words.indices(clusters.length, drawn), (i) => clusters[i]!);
        }),
      );
    }
    const sample = words.indices(design.clusters, Math.max(1, upTo(design.clusters)));
    const reached = new Set<number>();
    for (const cluster of sample) for (const p of frame.parts[cluster]!) reached.add(design.partStratum[p]!);
    if (reached.size === design.strata) return sample;
  }
  fail(
    'STRATUM_EMPTY',
    null,
    `${ATTEMPTS} samples in a row left a stratum empty`,
    'Use more clusters, or coarser strata.',
  );
}

/** Makes the design of a sample: each drawn cluster is a cluster of its own. */
export function sampledDesign(design: ClusterDesign, frame: ClusterFrame, sample: Int32Array): ClusterDesign {
  const { rows } = design;
  const chosen = Array.from(sample, (cluster, slot) => Array.from(frame.parts[cluster]!, (part) => ({ part, slot })))
    .flat()
    .sort((a, b) => design.partStratum[a.part]! - design.partStratum[b.part]! || a.slot - b.slot);
  const partTotals = new Float64Array(chosen.length * rows);
  chosen.forEach(({ part }, p) => {
    partTotals.set(design.partTotals.subarray(part * rows, (part + 1) * rows), p * rows);
  });
  return {
    ...design,
    clusters: sample.length,
    partCluster: Int32Array.from(chosen, ({ slot }) => slot),
    partStratum: Int32Array.from(chosen, ({ part }) => design.partStratum[part]!),
    partTasks: Int32Array.from(chosen, ({ part }) => design.partTasks[part]!),
    partTotals,
  };
}
