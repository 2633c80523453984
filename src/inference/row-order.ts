import type { ScoreMatrix } from '../core/matrix.js';
import { pairIndex } from '../engine/design.js';
import {
  type Inference,
  type Interval,
  type ModelResult,
  PAIR_DECISIONS,
  type PairDecision,
  type PairResult,
  type PairTable,
} from './result.js';

/** Finds the rows of a matrix in order of model id, by UTF-16 code units: entry k is the row that comes k-th. */
export function rowsByModelId(models: readonly string[]): Int32Array {
  return Int32Array.from(models, (_, row) => row).sort((a, b) =>
    models[a]! < models[b]! ? -1 : models[a]! > models[b]! ? 1 : a - b,
  );
}

/** Takes rows of a matrix in an order of their own: all of them, or some. */
export function orderedMatrix(matrix: ScoreMatrix, rows: ArrayLike<number> & Iterable<number>): ScoreMatrix {
  const width = matrix.tasks.length;
  const values = new Float64Array(rows.length * width);
  const models = Array.from(rows, (row, k) => {
    values.set(matrix.values.subarray(row * width, (row + 1) * width), k * width);
    return matrix.models[row]!;
  });
  return { ...matrix, models, values };
}

/** Takes columns of a matrix. */
export function chosenTasks(matrix: ScoreMatrix, columns: readonly number[]): ScoreMatrix {
  const width = matrix.tasks.length;
  if (columns.length === width) return matrix;
  const of = (list: readonly string[]) => columns.map((t) => list[t]!);
  return {
    models: matrix.models,
    tasks: of(matrix.tasks),
    panels: of(matrix.panels),
    families: of(matrix.families),
    clusters: of(matrix.clusters),
    values: Float64Array.from(matrix.models.flatMap((_, m) => columns.map((t) => matrix.values[m * width + t]!))),
    scale: matrix.scale,
    ...(matrix.chance ? { chance: Float64Array.from(columns, (t) => matrix.chance![t]!) } : {}),
  };
}

const opposite = (interval: Interval): Interval => [0 - interval[1], 0 - interval[0]];

const OPPOSITE_DIRECTION = { left_higher: 'right_higher', right_higher: 'left_higher', tie: 'tie' } as const;

/** Every decision as the other model has it. */
export const OPPOSITE_DECISION: Readonly<Record<PairDecision, PairDecision>> = {
  higher: 'lower',
  lower: 'higher',
  open: 'open',
  identical: 'identical',
  untestable: 'untestable',
  untested: 'untested',
};

const OPPOSITE_CODE = PAIR_DECISIONS.map((decision) => PAIR_DECISIONS.indexOf(OPPOSITE_DECISION[decision]));

/** The same pair with its sides changed. */
function turned(pair: PairResult): PairResult {
  const { verdict } = pair;
  return {
    ...pair,
    left: pair.right,
    right: pair.left,
    meanDifference: 0 - pair.meanDifference,
    interval: opposite(pair.interval),
    dz: pair.dz === null ? null : 0 - pair.dz,
    direction: OPPOSITE_DIRECTION[pair.direction],
    verdict: verdict && { ...verdict, decision: OPPOSITE_DECISION[verdict.decision] },
  };
}

/**
 * Puts an inference over ordered rows back into the order in which they were given, so that the order of a file decides where a
 * result stands and no digit of it (decisions 1.5). A pair that is printed the other way round is negated.
 */
export function inGivenOrder(inference: Inference, rows: Int32Array): Inference {
  if (rows.every((row, k) => row === k)) return inference;
  const place = new Int32Array(rows.length);
  rows.forEach((row, k) => {
    place[row] = k;
  });
  const given = (k: number): number => rows[k]!;
  const inRowOrder = rowSorter(rows);
  const models = Array.from(place, (k, row): ModelResult => {
    const model = inference.models[k]!;
    return {
      ...model,
      index: row,
      openWith: model.openWith && inRowOrder(model.openWith),
    };
  });
  const pairs = inference.pairs
    .map((pair) => {
      const [left, right] = [given(pair.left), given(pair.right)];
      return left < right ? { ...pair, left, right } : { ...turned(pair), left: right, right: left };
    })
    .sort((a, b) => a.left - b.left || a.right - b.right);
  const { replication } = inference;
  return {
    ...inference,
    models,
    pairs,
    pairTable: inference.pairTable && givenTable(inference.pairTable, place),
    pairSummary: inference.pairSummary && {
      ...inference.pairSummary,
      identical: inference.pairSummary.identical && [
        given(inference.pairSummary.identical[0]),
        given(inference.pairSummary.identical[1]),
      ],
    },
    replication: replication && { ...replication, scores: Array.from(place, (k) => replication.scores[k]!) },
    neighbours: inference.neighbours.map((two) => ({ ...two, higher: given(two.higher), lower: given(two.lower) })),
    top: inference.top === null ? null : given(inference.top),
  };
}

/** Opens a function that names models by the rows that were given, ascending. */
function rowSorter(rows: Int32Array): (models: readonly number[]) => number[] {
  const marks = new Uint8Array(rows.length);
  return (models) => {
    marks.fill(0);
    for (let k = 0; k < models.length; k += 1) marks[rows[models[k]!]!] = 1;
    const sorted = new Array<number>(models.length);
    for (let row = 0, at = 0; at < models.length; row += 1) if (marks[row]) sorted[at++] = row;
    return sorted;
  };
}

/** The columns of all pairs in the order of the given rows; `place[row]` is where a row stood. */
function givenTable(table: PairTable, place: Int32Array): PairTable {
  const models = place.length;
  const { left, right, p, holm } = table;
  const from = new Int32Array(p.length);
  const difference = new Float64Array(p.length);
  const decision = new Uint8Array(p.length);
  for (let at = 0; at < from.length; at += 1) {
    const a = place[left[at]!]!;
    const b = place[right[at]!]!;
    const pair = a < b ? pairIndex(a, b, models) : pairIndex(b, a, models);
    from[at] = pair;
    difference[at] = a < b ? table.difference[pair]! : 0 - table.difference[pair]!;
    const code = table.decision[pair]!;
    decision[at] = a < b ? code : OPPOSITE_CODE[code]!;
  }
  const given = (values: Float64Array): Float64Array => {
    const out = new Float64Array(values.length);
    for (let at = 0; at < out.length; at += 1) out[at] = values[from[at]!]!;
    return out;
  };
  const adjusted = given(table.adjusted);
  return {
    left,
    right,
    difference,
    p: given(p),
    holm: holm === table.adjusted ? adjusted : given(holm),
    adjusted,
    decision,
  };
}
