import { pairCount } from '../engine/design.js';
import type { MapKernels, PortfolioMaps } from '../engine/maps.js';

/** Rows and rules of one task, enough to score all its portfolios. */
export interface MapTask {
  /** Row of the anchor, or of the direction that takes its place. */
  readonly anchorRow: number;
  /** Rows of the choices in label order. */
  readonly choiceRows: readonly number[];
  /** Weight of the mean single and of the mean pair. */
  readonly weights: { readonly single: number; readonly pair: number };
  /** Bit i: choice i may be used. */
  readonly allowed: number;
  /** Bits of the pairs that exclude each other, `pairIndex` order; none when left out. */
  readonly conflicts?: Uint32Array;
  /** What singles and pairs are made of beside similarities; nothing when left out. */
  readonly stated?: StatedUtility;
}

/** A single is similarity x cosine + singles[i]; a pair is coherence x cosine + pairs[p]. */
interface StatedUtility {
  readonly similarity: number;
  /** n numbers, choices in order. */
  readonly singles: Float64Array;
  readonly coherence: number;
  /** n(n-1)/2 numbers, `pairIndex` order. */
  readonly pairs: Float64Array;
}

export interface MapBatch {
  readonly kernels: MapKernels;
  /** Unit rows the tasks refer to. */
  readonly rows: Float64Array;
  readonly dims: number;
  /** Choices of every task, and members of a portfolio. */
  readonly choices: number;
  readonly select: number;
  readonly leastFeasible: number;
  readonly leastRange: number;
  readonly tasks: readonly MapTask[];
}

/** Scores every portfolio of every task: similarities of the rows at hand, then the maps (compiler b.4, b.5). */
export function scoreMaps(batch: MapBatch): PortfolioMaps {
  const { kernels, rows, dims, choices, select, leastFeasible, leastRange, tasks } = batch;
  const members = new Uint32Array(tasks.length * (choices + 1));
  const weights = new Float64Array(tasks.length * 2);
  const allowed = new Uint32Array(tasks.length);
  const words = Math.ceil(pairCount(choices) / 32);
  const conflicts = new Uint32Array(tasks.length * words);
  tasks.forEach((task, t) => {
    members[t * (choices + 1)] = task.anchorRow;
    members.set(task.choiceRows, t * (choices + 1) + 1);
    weights[2 * t] = task.weights.single;
    weights[2 * t + 1] = task.weights.pair;
    allowed[t] = task.allowed;
    if (task.conflicts) conflicts.set(task.conflicts, t * words);
  });
  const { singles, pairs } = kernels.taskSimilarities({ rows, dims, choices, members });
  tasks.forEach(({ stated }, t) => {
    if (!stated) return;
    addStated(singles, t * choices, stated.similarity, stated.singles);
    addStated(pairs, t * stated.pairs.length, stated.coherence, stated.pairs);
  });
  return kernels.portfolioMaps({
    choices,
    select,
    singles,
    pairs,
    weights,
    allowed,
    conflicts,
    leastFeasible,
    leastRange,
  });
}

/** Turns the cosines from place `from` on into weight x cosine + what is stated. */
function addStated(cosines: Float64Array, from: number, weight: number, stated: Float64Array): void {
  for (let i = 0; i < stated.length; i += 1) cosines[from + i] = weight * cosines[from + i]! + stated[i]!;
}
