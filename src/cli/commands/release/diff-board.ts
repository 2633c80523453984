import type { Range } from '../../../release/board.js';
import type { ReleaseDiff } from '../../../release/diff.js';
import type { ModelChange } from '../../../release/diff-board.js';
import { fixed } from '../../../util/format.js';
import { printLine, printTable } from '../../print.js';

/** Published floats differ in their last digits from ours. */
const NOISE = 1e-9;

const INTERVALS = ['simultaneous', 'pointwise', 'rank_interval'] as const;
type Interval = (typeof INTERVALS)[number];

/** By how much the wider-moved end of an interval moved. */
function shift(change: ModelChange, interval: Interval): number {
  const [[a, b], [c, d]] = change[interval];
  return Math.max(Math.abs(a - c), Math.abs(b - d));
}

const moved = (a: number | string, b: number | string) => (a === b ? String(b) : `${a} → ${b}`);
const span = ([low, high]: Range, places: number) => `${fixed(low, places)} to ${fixed(high, places)}`;

function printIntervals(board: readonly ModelChange[], all: boolean): void {
  const counts = INTERVALS.map((interval) => {
    const changed = board.filter((model) => shift(model, interval) > NOISE);
    return { interval, changed, most: Math.max(0, ...changed.map((m) => shift(m, interval))) };
  }).filter(({ changed }) => changed.length > 0);
  if (counts.length === 0) {
    printLine('no interval changed');
    return;
  }
  for (const { interval, changed, most } of counts) {
    const places = interval === 'rank_interval' ? 0 : 4;
    const name = interval === 'rank_interval' ? 'rank' : interval;
    const unit = interval === 'rank_interval' ? 'ranks' : 'points';
    printLine(
      `${name} intervals: ${changed.length} of ${board.length} changed, an end by at most ${fixed(most, places)} ${unit}`,
    );
  }
  const rows = board.filter((model) => all || shift(model, 'rank_interval') > NOISE);
  if (rows.length === 0) return;
  printTable(
    ['model', 'rank interval', 'simultaneous interval'],
    rows.map(({ model_id, rank_interval: ranks, simultaneous }) => [
      model_id,
      moved(span(ranks[0], 0), span(ranks[1], 0)),
      moved(span(simultaneous[0], 2), span(simultaneous[1], 2)),
    ]),
  );
}

/** Scores, ranks, groups and intervals of the models that are in both releases. */
export function printBoard({ board, models }: ReleaseDiff, all: boolean): void {
  const rows = board.filter(
    ({ score, rank, group }) =>
      all || Math.abs(score[0] - score[1]) > NOISE || rank[0] !== rank[1] || group[0] !== group[1],
  );
  const some = models.added.length + models.removed.length > 0;
  if (rows.length > 0)
    printTable(
      ['model', 'score', 'change', 'rank', 'group'],
      rows.map(({ model_id, score, rank, group }) => [
        model_id,
        moved(fixed(score[0], 2), fixed(score[1], 2)),
        fixed(score[1] - score[0], 2),
        moved(...rank),
        moved(...group),
      ]),
    );
  else
    printLine(
      some ? `no score, rank or group of the ${models.kept} in both changed` : 'no score, rank or group changed',
    );
  printIntervals(board, all);
}
