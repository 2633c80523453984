/** Which cells of a table are there. */
export interface PresentCells {
  readonly models: number;
  readonly tasks: number;
  /** models x tasks: 1 where a value is missing. */
  readonly absent: Uint8Array;
}

/** Rows, and how much of the table is complete over them. */
export interface CompleteRoster {
  /** Ascending. */
  readonly rows: readonly number[];
  /** Tasks that all of them have. */
  readonly tasks: number;
  /** Whether every roster was compared. */
  readonly exact: boolean;
}

/** Rosters that the search compares at most. */
const MOST_ROSTERS = 10_000;

/** Intersections that the search may form: fewer where a set of models is long. */
const mostSteps = (models: number) => Math.floor(4_000_000 / Math.ceil(models / 64));

/** Sets of models that have a task, as bits, and how many tasks each set has. */
type Patterns = ReadonlyMap<bigint, number>;

/**
 * Finds two or more rows that keep most cells, rows x tasks that all of them have (decisions 4.2). Only sets that are intersections of
 * "the models that have task t" can be best; they are formed one by one, up to 10,000 of them, and compared with the roster that drops the
 * costliest model again and again. Of equal ones the larger roster is taken, then the one with the earlier rows.
 */
export function fullestRoster(cells: PresentCells): CompleteRoster | null {
  if (cells.models < 2) return null;
  const patterns = patternsOf(cells);
  const all = (1n << BigInt(cells.models)) - 1n;
  const steps = mostSteps(cells.models);
  const most = Math.max(100, Math.min(MOST_ROSTERS, Math.floor(steps / patterns.size)));
  const { rosters, exact } = intersections(all, patterns, { most, steps });
  for (const roster of droppedOneByOne(cells)) rosters.add(roster);
  let best: { readonly bits: bigint; readonly size: number; readonly tasks: number } | undefined;
  for (const bits of rosters) {
    const size = bitCount(bits);
    let tasks = 0;
    for (const [pattern, count] of patterns) if ((pattern & bits) === bits) tasks += count;
    const gain = best === undefined ? 1 : size * tasks - best.size * best.tasks;
    if (gain > 0 || (gain === 0 && (size > best!.size || (size === best!.size && earlier(bits, best!.bits)))))
      best = { bits, size, tasks };
  }
  if (best === undefined) return null;
  const { bits, tasks } = best;
  return { rows: rowsOf(bits, cells.models), tasks, exact };
}

function patternsOf({ models, tasks, absent }: PresentCells): Patterns {
  const patterns = new Map<bigint, number>();
  const digits = new Array<string>(models);
  for (let t = 0; t < tasks; t += 1) {
    for (let m = 0; m < models; m += 1) digits[models - 1 - m] = absent[m * tasks + t] === 1 ? '0' : '1';
    const bits = BigInt(`0b${digits.join('')}`);
    patterns.set(bits, (patterns.get(bits) ?? 0) + 1);
  }
  return patterns;
}

/** Forms intersections of patterns, those of most tasks first; `exact` where there are no more of them. */
function intersections(
  all: bigint,
  patterns: Patterns,
  { most, steps: limit }: { readonly most: number; readonly steps: number },
) {
  const rosters = new Set([all]);
  const ordered = [...patterns].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  let steps = 0;
  for (const [pattern] of ordered)
    for (const roster of [...rosters]) {
      const both = roster & pattern;
      steps += 1;
      if (steps > limit || rosters.size >= most) return { rosters, exact: false };
      if (bitCount(both) >= 2) rosters.add(both);
    }
  return { rosters, exact: true };
}

/** Drops again and again the model whose absence completes most tasks, of equal ones the model that lacks most. */
function droppedOneByOne({ models, tasks, absent }: PresentCells): bigint[] {
  const lacking = Array.from({ length: tasks }, () => 0);
  const lacks = new Int32Array(models);
  for (let m = 0; m < models; m += 1)
    for (let t = 0; t < tasks; t += 1)
      if (absent[m * tasks + t] === 1) {
        lacking[t]! += 1;
        lacks[m]! += 1;
      }
  const kept = new Set(Array.from({ length: models }, (_, m) => m));
  const found: bigint[] = [];
  while (kept.size > 2) {
    const gain = new Int32Array(models);
    for (const m of kept) for (let t = 0; t < tasks; t += 1) if (lacking[t] === 1) gain[m]! += absent[m * tasks + t]!;
    const costliest = [...kept].reduce((a, b) => ((gain[b]! - gain[a]! || lacks[b]! - lacks[a]!) > 0 ? b : a));
    if (lacks[costliest] === 0) break;
    kept.delete(costliest);
    for (let t = 0; t < tasks; t += 1) lacking[t]! -= absent[costliest * tasks + t]!;
    found.push([...kept].reduce((bits, m) => bits | (1n << BigInt(m)), 0n));
  }
  return found;
}

function bitCount(bits: bigint): number {
  let count = 0;
  for (let rest = bits; rest > 0n; rest >>= 32n) {
    let word = Number(rest & 0xffffffffn);
    for (; word !== 0; word = (word & (word - 1)) >>> 0) count += 1;
  }
  return count;
}

/** Whether the first row in which two rosters differ is in the first of them. */
function earlier(a: bigint, b: bigint): boolean {
  const differing = a ^ b;
  return (a & differing & -differing) !== 0n;
}

function rowsOf(bits: bigint, models: number): number[] {
  return Array.from({ length: models }, (_, m) => m).filter((m) => ((bits >> BigInt(m)) & 1n) === 1n);
}
