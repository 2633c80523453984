import * as fc from 'fast-check';
import type {
  BootstrapRequest,
  BootstrapSummary,
  BootstrapValues,
  ClusterDesign,
  Engine,
  FlipCounts,
  RankSetRequest,
} from '../../src/engine/index.js';
import { pairCount, philoxDraw } from '../../src/engine/index.js';
import { designOf } from './golden-design.js';

/** How a random design looks; the cells follow from `seed`. */
export interface DesignShape {
  readonly rows: number;
  readonly tasks: number;
  readonly clusters: number;
  readonly strata: number;
  readonly chance: boolean;
  /** Largest score; small values give ties. */
  readonly largest: number;
  /** Every third row copies the first, every fourth is constant. */
  readonly degenerate: boolean;
  readonly negative: boolean;
  readonly seed: number;
}

export const designShape = (largestTasks: number): fc.Arbitrary<DesignShape> =>
  fc
    .record({
      rows: fc.integer({ min: 2, max: 64 }),
      tasks: fc.integer({ min: 1, max: largestTasks }),
      clusterShare: fc.double({ min: 0.05, max: 1, noNaN: true }),
      strata: fc.integer({ min: 1, max: 6 }),
      chance: fc.boolean(),
      largest: fc.constantFrom(1, 3, 100, 10_000, 30_000, 1_000_000, 2 ** 40),
      degenerate: fc.boolean(),
      negative: fc.boolean(),
      seed: fc.nat(),
    })
    .map(({ clusterShare, strata, tasks, ...rest }) => ({
      ...rest,
      tasks,
      clusters: Math.max(1, Math.round(tasks * clusterShare)),
      strata: Math.min(strata, tasks),
    }));

/** Builds the design of a shape: strata of unequal size, clusters that may span them. */
export function buildDesign(shape: DesignShape): ClusterDesign {
  const { rows, tasks, clusters, strata, largest, degenerate, negative } = shape;
  const random = philoxDraw({ seed: BigInt(shape.seed), stream: 99, draw: 0 });
  const integer = (n: number) => Math.floor((random.word() / 2 ** 32) * n);
  const stratum = Array.from({ length: tasks }, (_, t) => (t < strata ? t : integer(strata)));
  const cluster = Array.from({ length: tasks }, (_, t) => (t < clusters ? t : integer(clusters)));
  const first = Array.from({ length: tasks }, () => integer(largest + 1));
  const table = Array.from({ length: rows }, (_, m) => {
    if (degenerate && m % 4 === 3) return first.map(() => largest);
    if (degenerate && m % 3 === 2) return first;
    return first.map(() => integer(largest + 1) - (negative ? Math.floor(largest / 2) : 0));
  });
  return designOf({ table, stratum, cluster, ranked: shape.chance ? rows - 1 : rows });
}

/** A request for rank sets in which every seventh pair is left out. */
export function rankSetRequest({ ranked }: ClusterDesign, alpha: number): RankSetRequest {
  return { alpha, excluded: Uint8Array.from({ length: pairCount(ranked) }, (_, pair) => (pair % 7 === 6 ? 1 : 0)) };
}

export interface Everything {
  readonly bootstrap: BootstrapSummary | string;
  readonly stratified: BootstrapSummary;
  readonly values: BootstrapValues | string;
  readonly flips: FlipCounts;
}

const said = async <T>(work: Promise<T>): Promise<T | string> => {
  try {
    return await work;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Every call of an engine on one design. An error of the joint scheme (an empty stratum) is part of the result. */
export async function everything(
  engine: Engine,
  design: ClusterDesign,
  draws: number,
  seed: bigint,
): Promise<Everything> {
  const random = { kind: 'philox', seed, stream: 3 } as const;
  const request: BootstrapRequest = {
    draws,
    random,
    scheme: 'joint',
    probabilities: [0.025, 0.5, 0.975],
    bandProbability: 0.95,
    ranks: 'shared',
    pairs: true,
  };
  const without = <T extends object>(result: T | string): T | string => {
    if (typeof result === 'string') return result;
    const { warnings: _, ...rest } = result as T & { warnings?: unknown };
    return rest as T;
  };
  return {
    bootstrap: without(await said(engine.bootstrap(design, request))),
    stratified: without(
      await engine.bootstrap(design, { ...request, scheme: 'stratified', probabilities: [0.1], ranks: 'ordinal' }),
    ) as BootstrapSummary,
    values: without(await said(engine.bootstrapValues(design, request))),
    flips: without(await engine.flips(design, { draws, random, maxT: true })) as FlipCounts,
  };
}
