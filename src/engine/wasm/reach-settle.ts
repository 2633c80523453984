import { type PairFamily, placeOf, type ReachFamilies, type ReachFamily, type ReachSweep } from './reach-families.js';

/** Fronts of draws as kernels leave them, 16 bytes an entry: statistic f64, class i32, length of the front at its first i32 (assembly/reaching.ts). */
export type Fronts = readonly Uint8Array[];

/** Step-down in rounds that is under way: exceedances of what was rejected are those of its round. */
export interface Rounds {
  /** By size rejected: draws that reach it in its round, or more of one rejected earlier. */
  readonly exceedances: Map<number, number>;
  /** Exceedances of the last that was rejected. */
  last: number;
}

/** How far a threshold that turned out too high is lowered at least. */
const LOWER = 0.85;

/** One in so many pairs: where no more are left that matter where they reach their own size, one more sweep goes through all of them. */
const FEW = 16;

/** The threshold of the next sweep: for the few pairs that are left the least of their sizes, else somewhat less. */
function lowered({ attained, sizes, threshold, ceiling }: PairFamily): number {
  if (!attained) return threshold * LOWER;
  let left = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const size of sizes) {
    if (!(size > 0 && size < ceiling)) continue;
    left++;
    least = Math.min(least, size);
  }
  return left * FEW <= sizes.length ? least : threshold * LOWER;
}

/** Tells whether the classes of a sweep were all there are. */
const whole = ({ sizes, threshold }: ReachFamily, ceiling: number): boolean =>
  !sizes.some((size) => size > 0 && size < threshold && size < ceiling);

/** Reads how many classes are gone when one is not rejected; null where all of the sweep are, and draws that were passed over may matter. */
function firstKept(classes: number, counts: Int32Array, most: number): number | null {
  let reached = 0;
  for (let gone = 0; gone <= classes; gone++) {
    reached += counts[gone]!;
    if (reached > most) return gone;
  }
  return null;
}

function settleRow(family: ReachFamily, classes: Float64Array, counts: Int32Array): void {
  const kept =
    firstKept(classes.length, counts, family.most) ?? (whole(family, Number.POSITIVE_INFINITY) ? classes.length : null);
  if (kept === null) family.threshold *= LOWER;
  else family.least = kept > 0 ? classes[kept - 1]! : Number.POSITIVE_INFINITY;
}

function settlePairs(family: PairFamily, classes: Float64Array, counts: Int32Array): void {
  const found = firstKept(classes.length, counts, family.most);
  if (found === null && !whole(family, family.ceiling)) {
    if (!family.ordered && classes.length > 0) family.ceiling = classes.at(-1)!;
    family.threshold = lowered(family);
    return;
  }
  const kept = found ?? classes.length;
  family.least = kept > 0 ? classes[kept - 1]! : family.ceiling;
}

/** Statistics and classes of all fronts. */
function readFronts(fronts: Fronts) {
  const entries = fronts.reduce((sum, { byteLength }) => sum + byteLength / 16, 0);
  const statistics = new Float64Array(entries);
  const classes = new Int32Array(entries);
  const lengths = new Int32Array(entries);
  let at = 0;
  for (const bytes of fronts) {
    const values = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    for (let e = 0; e < bytes.byteLength / 16; e++, at++) {
      statistics[at] = values[2 * e]!;
      classes[at] = words[4 * e + 2]!;
      lengths[at] = words[4 * e + 3]!;
    }
  }
  return { statistics, classes, lengths };
}

/**
 * Tests a family in rounds (decisions 3.1): in each, draws are counted by the largest class that their maximum over what has not left reaches;
 * classes that no more than `most` draws reach are rejected together.
 */
function settleRounds(family: PairFamily, classes: Float64Array, fronts: Fronts, rounds: Rounds): void {
  const { statistics, classes: places, lengths } = readFronts(fronts);
  const n = classes.length;
  let start = 0;
  for (;;) {
    const counts = new Int32Array(n + 1);
    for (let e = 0; e < lengths.length; ) {
      const end = e + lengths[e]!;
      let best = -1;
      for (; e < end && places[e]! >= start; e++) best = e;
      if (best >= 0) counts[Math.max(start, placeOf(classes, statistics[best]!))]!++;
      e = end;
    }
    let reached = 0;
    let next = start;
    let last = rounds.last;
    const found = new Map<number, number>();
    for (; next < n && reached + counts[next]! <= family.most; next++) {
      reached += counts[next]!;
      last = Math.max(rounds.last, reached);
      found.set(classes[next]!, last);
    }
    const all = next === n && whole(family, family.ceiling);
    if (next === n && !all && reached + counts[n]! <= family.most) {
      // The draws that were passed over may matter to this round: it begins again with a lower threshold.
      if (start > 0) family.ceiling = classes[start - 1]!;
      family.threshold *= LOWER;
      return;
    }
    for (const [size, count] of found) rounds.exceedances.set(size, count);
    rounds.last = last;
    if (next === start || all) {
      family.least = next > 0 ? classes[next - 1]! : family.ceiling;
      return;
    }
    start = next;
  }
}

/** Reads the counts and fronts of a sweep: families become known, or their thresholds are lowered. */
export function settleFamilies(
  families: ReachFamilies,
  { tables, rowClasses, pairClasses }: ReachSweep,
  counts: Int32Array,
  fronts: Fronts,
  rounds: Rounds,
): void {
  const cells = tables.countStride / 4;
  families.rows.forEach((family, j) => {
    if (family.least === null) settleRow(family, rowClasses[j]!, counts.subarray(j * cells));
  });
  let at = tables.rowCells;
  families.pairs.forEach((family, f) => {
    if (family.least !== null) return;
    const classes = pairClasses[f]!;
    if (family.fronts) settleRounds(family, classes, fronts, rounds);
    else settlePairs(family, classes, counts.subarray(at));
    at += classes.length + 2;
  });
}
