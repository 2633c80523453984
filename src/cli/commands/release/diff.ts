import type { Command } from 'commander';
import { rankText } from '../../../inference/model-ranks.js';
import type { Interval as Ends } from '../../../inference/result.js';
import { type ReleaseDiff, releaseDiff } from '../../../release/diff.js';
import type { ModelChange } from '../../../release/diff-leaderboard.js';
import { differenceText } from '../../../release/proofs/differences.js';
import { fixed } from '../../../util/format.js';
import { plain, printJson, printLine, printTable } from '../../print.js';
import { digestLines, openView } from './view.js';

interface DiffFlags {
  readonly all?: boolean;
  readonly json?: boolean;
}

const NAMES = ['first', 'second'] as const;

async function diff(a: string, b: string, flags: DiffFlags): Promise<void> {
  const [first, second] = [await openView(a, {}), await openView(b, {})];
  const result = await releaseDiff({ first, second, paths: [a, b] });
  if (flags.json) printJson(result);
  else {
    [first, second].forEach(({ kind, address, digest }, i) => {
      const lines = kind === 'folder' ? digestLines(address, digest) : [`document ${digest} (published)`];
      for (const line of lines) printLine(`${(NAMES[i] as string).padEnd(6)}  ${line}`);
    });
    print(result, flags.all ?? false);
  }
  if (result.damage.some((damage) => (damage?.difference_count ?? 0) > 0)) process.exitCode = 4;
}

const moved = (a: number | string, b: number | string) => (a === b ? String(b) : `${a} → ${b}`);

const rankTexts = ({ rank, rank_tied: tied }: ModelChange) =>
  [rankText({ rank: rank[0], rankTied: tied[0] }), rankText({ rank: rank[1], rankTied: tied[1] })] as const;

/** Published floats differ in their last digits from ours. */
const NOISE = 1e-9;

const INTERVALS = ['simultaneous', 'pointwise', 'rank_interval'] as const;
type Interval = (typeof INTERVALS)[number];

/** By how much the wider-moved end of an interval moved. */
function shift(change: ModelChange, interval: Interval): number {
  const [[a, b], [c, d]] = change[interval];
  return Math.max(Math.abs(a - c), Math.abs(b - d));
}

const span = ([low, high]: Ends, places: number) => `${fixed(low, places)} to ${fixed(high, places)}`;

/** Rank sets in the place of rank intervals where both releases have them. */
function printIntervals(changes: readonly ModelChange[], all: boolean): void {
  const sets = changes.length > 0 && changes.every(({ rank_set: [a, b] }) => a !== null && b !== null);
  const ranked = sets ? 'rank set' : 'rank interval';
  const board = changes.map((model) => {
    const [a, b] = model.rank_set;
    return sets && a && b ? { ...model, rank_interval: [a, b] as const } : model;
  });
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
    const name = interval === 'rank_interval' ? ranked : `${interval} interval`;
    const unit = interval === 'rank_interval' ? 'ranks' : 'points';
    printLine(
      `${name}s: ${changed.length} of ${board.length} changed, an end by at most ${fixed(most, places)} ${unit}`,
    );
  }
  const rows = board.filter((model) => all || shift(model, 'rank_interval') > NOISE);
  if (rows.length === 0) return;
  printTable(
    ['model', ranked, 'simultaneous interval'],
    rows.map(({ model_id, rank_interval: ranks, simultaneous }) => [
      model_id,
      moved(span(ranks[0], 0), span(ranks[1], 0)),
      moved(span(simultaneous[0], 2), span(simultaneous[1], 2)),
    ]),
  );
}

/** Letters where both releases have them, else groups. */
function marksOf(board: readonly ModelChange[]) {
  const lettered = board.every(({ letters: [a, b] }) => a !== null && b !== null) && board.length > 0;
  return {
    name: lettered ? 'letters' : 'group',
    of: ({ letters, group }: ModelChange) =>
      lettered ? ([letters[0] ?? '', letters[1] ?? ''] as const) : ([String(group[0]), String(group[1])] as const),
  };
}

/** Scores, ranks, letters or groups, and intervals of the models that are in both releases. */
function printBoard({ board, models }: ReleaseDiff, all: boolean): void {
  const marks = marksOf(board);
  const rows = board.filter((model) => {
    const { score } = model;
    const [before, after] = rankTexts(model);
    const [a, b] = marks.of(model);
    return all || Math.abs(score[0] - score[1]) > NOISE || before !== after || a !== b;
  });
  const some = models.added.length + models.removed.length > 0;
  if (rows.length > 0)
    printTable(
      ['model', 'score', 'change', 'rank', marks.name],
      rows.map((model) => [
        model.model_id,
        moved(fixed(model.score[0], 2), fixed(model.score[1], 2)),
        fixed(model.score[1] - model.score[0], 2),
        moved(...rankTexts(model)),
        moved(...marks.of(model)),
      ]),
    );
  else printLine(`no score, rank or ${marks.name} ${some ? `of the ${models.kept} in both ` : ''}changed`);
  printIntervals(board, all);
}

/** What a reader must know before the rest: damage, and whether the two are one. */
function printSameness({ damage, same_release, same_numbers, files }: ReleaseDiff): void {
  damage.forEach((own, i) => {
    if (!own || own.difference_count === 0) return;
    const [first] = own.differences;
    const more = own.difference_count - 1;
    printLine(
      plain(
        `DAMAGED: the ${NAMES[i]} is not as its MANIFEST.json lists it: ${first ? differenceText(first) : ''}${more > 0 ? `, and ${more} more` : ''}`,
      ),
    );
  });
  if (same_release) printLine(files ? 'the same in every file' : 'the same document');
  else if (same_numbers && files) printLine('release.json states the same digest, but other files differ');
  if (!files || same_release) return;
  const { same, changed, added, removed } = files;
  printLine(`files: ${same} the same, ${changed.length} changed, ${added.length} added, ${removed.length} removed`);
  if (same_numbers) for (const name of [...changed, ...added, ...removed].slice(0, 10)) printLine(plain(`  ${name}`));
}

function print(result: ReleaseDiff, all: boolean): void {
  printSameness(result);
  for (const { field, value } of result.plan) printLine(plain(`plan: ${field} ${moved(...value)}`));
  const { added, removed, kept } = result.models;
  printLine(`models: ${kept} in both, ${added.length} added, ${removed.length} removed`);
  for (const id of added) printLine(plain(`  added: ${id}`));
  for (const id of removed) printLine(plain(`  removed: ${id}`));
  if (kept > 0) printBoard(result, all);
  const [less, more] = result.resolved_pairs;
  printLine(`pairs told apart: ${moved(less, more)}`);
  for (const { change, left_model_id, right_model_id, difference, holm_p } of result.pairs)
    printLine(
      plain(
        `  ${change}: ${left_model_id} : ${right_model_id}, difference ${moved(fixed(difference[0], 2), fixed(difference[1], 2))}, Holm p ${moved(fixed(holm_p[0], 4), fixed(holm_p[1], 4))}`,
      ),
    );
  const [top, newTop] = result.top_model.map((id) => id ?? 'none') as [string, string];
  printLine(plain(`unique top: ${moved(top, newTop)}`));
  printTasks(result);
  printLine('Nothing was verified: both were taken as they state themselves. `release verify` proves one.');
}

function printTasks({ tasks, answers }: ReleaseDiff): void {
  if (tasks === null) printLine('tasks: not at hand in one of the two');
  else
    printLine(
      `ranked tasks: ${tasks.kept} kept, ${tasks.added.length} added, ${tasks.removed.length} removed, ${tasks.other_map.length} with another prompt or map`,
    );
  if (answers === null) {
    printLine('answers: not at hand in one of the two');
    return;
  }
  const { same, other_record, other_selection, only_first, only_second, examples } = answers;
  printLine(
    `answers: ${same} the same, ${other_selection} with another selection, ${other_record} new records with the same selection, ${only_second} added, ${only_first} removed`,
  );
  for (const { model_id, task_id, selection } of examples.slice(0, 10))
    printLine(plain(`  ${model_id}, ${task_id}: ${moved(...selection)}`));
}

/** Adds `release diff` to its group. */
export function registerDiff(release: Command): void {
  release
    .command('diff')
    .description(
      'What changed between two releases: files, plan, models, scores, intervals, ranks, pairs, tasks, answers.',
    )
    .argument('<first>', 'folder of a release; the published document or data set')
    .argument('<second>', 'the later one')
    .option('--all', 'list models that did not change, too')
    .option('--json', 'print JSON')
    .action(diff);
}
