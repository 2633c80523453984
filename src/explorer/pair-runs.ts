import { pairIndex } from '../engine/design.js';
import { type ModelResult, PAIR_DECISIONS, type PairDecision, type PairTable } from '../inference/result.js';

/** Steps of the colour of pairs that are told apart. */
const SHADES = 8;

/** Neighbouring pairs of one row that look alike. */
export interface PairRun {
  /** Index of the lower model in the order. */
  readonly row: number;
  /** Indices of the upper models in the order: the first, and the one past the last. */
  readonly from: number;
  readonly to: number;
}

/** All runs of one look: told apart by about so much, or not told apart for one reason. */
export interface PairLook {
  readonly decision: PairDecision;
  /** Of pairs told apart the middle of the step, a part of the largest difference; 0 for others. */
  readonly part: number;
  readonly runs: PairRun[];
}

/** Pairs of many models as runs, so that half a million of them are a picture of some thousand marks. */
export function pairRuns(
  table: Pick<PairTable, 'difference' | 'decision'>,
  order: readonly Pick<ModelResult, 'index'>[],
): { readonly looks: readonly PairLook[]; readonly most: number } {
  const models = order.length;
  const pairOf = (i: number, j: number) => {
    const [a, b] = [order[i]!.index, order[j]!.index];
    return a < b ? pairIndex(a, b, models) : pairIndex(b, a, models);
  };
  const apart = PAIR_DECISIONS.map((decision) => decision === 'higher' || decision === 'lower');
  let most = 0;
  for (let pair = 0; pair < table.decision.length; pair += 1)
    if (apart[table.decision[pair]!]) most = Math.max(most, Math.abs(table.difference[pair]!));
  const looks = new Map<number, PairLook>();
  /** A number for each look: of pairs told apart by their step, of others by the decision. */
  const lookOf = (pair: number): number => {
    const decision = table.decision[pair]!;
    if (!apart[decision]) return -1 - decision;
    return Math.min(Math.floor((Math.abs(table.difference[pair]!) / most) * SHADES), SHADES - 1);
  };
  const keep = (look: number, run: PairRun) => {
    const decision = look < 0 ? PAIR_DECISIONS[-1 - look]! : 'higher';
    if (!looks.has(look)) looks.set(look, { decision, part: look < 0 ? 0 : (look + 0.5) / SHADES, runs: [] });
    looks.get(look)!.runs.push(run);
  };
  for (let row = 1; row < models; row += 1) {
    let from = 0;
    let look = lookOf(pairOf(0, row));
    for (let to = 1; to <= row; to += 1) {
      const next = to < row ? lookOf(pairOf(to, row)) : Number.NaN;
      if (next === look) continue;
      keep(look, { row, from, to });
      [from, look] = [to, next];
    }
  }
  return { looks: [...looks.values()], most };
}
