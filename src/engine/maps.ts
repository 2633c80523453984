import { pairCount } from './design.js';

/** Rows named by two lists, every left one with every right one. */
export interface GramRequest {
  /** R x dims, row after row. */
  readonly rows: Float64Array;
  readonly dims: number;
  /** Row numbers. */
  readonly left: Uint32Array;
  readonly right: Uint32Array;
}

/** The similarities a batch of tasks needs. */
export interface TaskSimilarityRequest {
  readonly rows: Float64Array;
  readonly dims: number;
  /** Choices of a task, n. */
  readonly choices: number;
  /** tasks x (1 + n) row numbers: anchor or direction, then choices in label order. */
  readonly members: Uint32Array;
}

export interface TaskSimilarities {
  /** tasks x n: anchor (or direction) with each choice. */
  readonly singles: Float64Array;
  /** tasks x n(n-1)/2: every two choices, (0,1), (0,2), ... (1,2), ... */
  readonly pairs: Float64Array;
}

/** A batch of tasks whose similarities are known; every array is tasks x something, task after task. */
export interface PortfolioRequest {
  /** n, choices of a task; at most 16. */
  readonly choices: number;
  /** k, members of a portfolio. */
  readonly select: number;
  /** n a task. */
  readonly singles: Float64Array;
  /** n(n-1)/2 a task, `pairIndex` order. */
  readonly pairs: Float64Array;
  /** 2 a task: weight of the mean single, weight of the mean pair. */
  readonly weights: Float64Array;
  /** 1 a task: bit i is set when choice i may be used. */
  readonly allowed: Uint32Array;
  /** ceil(n(n-1)/2 / 32) words a task: the bit of a pair is set when the two exclude each other. */
  readonly conflicts: Uint32Array;
  /** Fewer feasible portfolios than this: no map (compiler b.5: 4). */
  readonly leastFeasible: number;
  /** A smaller range of utilities than this: no map (compiler b.5: 1e-6). */
  readonly leastRange: number;
}

/** Why a task has no usable map; `TIED` maps are complete but have several optima. */
export const MAP_STATUS = { OK: 0, FEW_FEASIBLE: 1, FLAT: 2, TIED: 3 } as const;

/** Reward maps and what follows from each. */
export interface PortfolioMaps {
  /** Portfolios of a task, C(n,k). */
  readonly keys: number;
  /** tasks x keys basis points, lexicographic keys; all 0 for FEW_FEASIBLE and FLAT. */
  readonly scores: Uint16Array;
  /** MAP_STATUS a task. */
  readonly status: Uint8Array;
  /** First key that scores 10000. */
  readonly optimal: Uint16Array;
  /** How many keys score 10000. */
  readonly optima: Uint16Array;
  /** Mean of the scores, half to even. */
  readonly chance: Uint16Array;
  /** Best minus second best; 0 when the optimum is shared. */
  readonly margin: Uint16Array;
  readonly feasible: Uint16Array;
}

/** Counts the k-subsets of n. */
export function choose(n: number, k: number): number {
  let count = 1;
  for (let i = 0; i < k; i += 1) count = (count * (n - i)) / (i + 1);
  return count;
}

/** Lists the ascending k-subsets of 0..n-1 in lexicographic order. */
export function subsets(n: number, k: number): number[][] {
  const out: number[][] = [];
  const walk = (from: number, taken: number[]): void => {
    if (taken.length === k) out.push(taken);
    else for (let i = from; i < n; i += 1) walk(i + 1, [...taken, i]);
  };
  walk(0, []);
  return out;
}

/**
 * Similarities and reward maps over typed arrays. The WASM kernels and the TypeScript reference give the same bits:
 * float64 throughout, every sum in one fixed order.
 */
export interface MapKernels {
  readonly backend: 'wasm' | 'reference';
  /** Dot products left x right, row-major; terms of a sum in column order. */
  gram(request: GramRequest): Float64Array;
  taskSimilarities(request: TaskSimilarityRequest): TaskSimilarities;
  /** Maps by min-max over feasible portfolios, in basis points, half to even (compiler b.5). */
  portfolioMaps(request: PortfolioRequest): PortfolioMaps;
}

/** Makes the empty result of a batch. */
export function emptyMaps(tasks: number, keys: number): PortfolioMaps {
  return {
    keys,
    scores: new Uint16Array(tasks * keys),
    status: new Uint8Array(tasks),
    optimal: new Uint16Array(tasks),
    optima: new Uint16Array(tasks),
    chance: new Uint16Array(tasks),
    margin: new Uint16Array(tasks),
    feasible: new Uint16Array(tasks),
  };
}

/**
 * Forms the factors of the sums: utility = a * (sum of singles) + b * (sum of pairs), a = w1 / k, b = w2 / C(k,2).
 * Both backends multiply first and add afterwards.
 */
export function utilityFactors(weights: Float64Array, select: number): Float64Array {
  const inner = Math.max(1, pairCount(select));
  return weights.map((w, i) => w / (i % 2 === 0 ? select : inner));
}
