import { fail, failure, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import type { CellIndex } from './cell-index.js';
import type { CellTable } from './cell-table.js';
import type { MissingRule } from './gaps.js';
import { type MissingCell, NAMED } from './matrix.js';

/** Every attempt at the cells of a matrix whose cells are sums over equal numbers of attempts (decisions 4.1). */
export interface Attempts {
  /** Attempts a cell, at least two. */
  readonly count: number;
  /** models x tasks x attempts: integers. */
  readonly values: Float64Array;
  /** Integer units in one point of a single attempt; a cell of the matrix has `count` times as many. */
  readonly scale: number;
}

interface AttemptOptions {
  readonly asked?: number;
  /** What becomes of cells that are missing; withheld unless given. */
  readonly rule?: MissingRule;
  readonly withheld?: (missing: readonly MissingCell[]) => void;
}

/**
 * Finds how many attempts a cell has: the number asked for, of which each cell has the first ones, else the number that all cells share.
 * Where most cells have the most and the call says what becomes of missing cells, those with fewer are missing.
 * Errors: USAGE where there are no attempts to choose from; ATTEMPTS_UNEQUAL (exit 3) with the cells that have another number.
 */
export function attemptCount(
  cells: CellTable,
  { models, tasks, starts }: CellIndex,
  { asked, rule = 'withhold', withheld }: AttemptOptions,
): number {
  if (cells.attempt === undefined) {
    if (asked === undefined || asked === 1) return 1;
    return fail(
      'USAGE',
      null,
      `--attempts ${asked} of a table that holds one value a cell`,
      'A column attempt, epoch, trial or repeat numbers the attempts.',
    );
  }
  if (asked !== undefined) return asked;
  const numbers = new Map<number, number>();
  for (let cell = 0; cell + 1 < starts.length; cell += 1) {
    const n = starts[cell + 1]! - starts[cell]!;
    if (n > 0) numbers.set(n, (numbers.get(n) ?? 0) + 1);
  }
  if (numbers.size < 2) return [...numbers.keys()][0] ?? 1;
  const [usual] = [...numbers].sort(([a, n], [b, m]) => m - n || b - a)[0]!;
  if (rule !== 'withhold' && usual === Math.max(...numbers.keys())) return usual;
  const others: MissingCell[] = [];
  for (let cell = 0; cell + 1 < starts.length; cell += 1) {
    const n = starts[cell + 1]! - starts[cell]!;
    if (n === 0 || n === usual) continue;
    const model = models[Math.floor(cell / tasks.length)]!;
    others.push({ model, task: tasks[cell % tasks.length]!.name, reason: counted(n, 'attempt') });
  }
  withheld?.(others);
  const named = others.slice(0, NAMED).map(({ model, task, reason }) => `${shown(model)} ${shown(task)} (${reason})`);
  const least = Math.min(...numbers.keys());
  throw failure(
    'ATTEMPTS_UNEQUAL',
    { file: cells.file },
    `${counted(usual, 'attempt')} at most cells, another number at ${counted(others.length, 'cell')}: ${named.join('; ')}${others.length > named.length ? '; ...' : ''}`,
    `A cell with more attempts is known better than the others. --attempts ${least} takes the first ${least} of every cell${usual === Math.max(...numbers.keys()) ? '; --missing common-tasks leaves out tasks where a cell has fewer' : ''}.`,
    { exit: 3 },
  );
}
