import type { Command } from 'commander';
import { type ReleaseDiff, releaseDiff } from '../../../release/diff.js';
import { fixed } from '../../../util/format.js';
import { plain, printJson, printLine, printTable } from '../../print.js';
import { openView } from './view.js';

interface DiffFlags {
  readonly all?: boolean;
  readonly json?: boolean;
}

async function diff(a: string, b: string, flags: DiffFlags): Promise<void> {
  const [first, second] = [await openView(a, {}), await openView(b, {})];
  const result = await releaseDiff({ first, second, paths: [a, b] });
  if (flags.json) printJson(result);
  else print(result, flags.all ?? false);
}

/** Published floats differ in their last digits from ours. */
const NOISE = 1e-9;

const moved = (a: number | string, b: number | string) => (a === b ? String(b) : `${a} → ${b}`);

function print(result: ReleaseDiff, all: boolean): void {
  const [before, after] = result.release_sha256;
  printLine(result.same_release ? `the same release: ${after}` : `${before}\n${after}`);
  for (const id of result.models.added) printLine(plain(`model added: ${id}`));
  for (const id of result.models.removed) printLine(plain(`model removed: ${id}`));
  const rows = result.board.filter(
    ({ score, rank, group }) =>
      all || Math.abs(score[0] - score[1]) > NOISE || rank[0] !== rank[1] || group[0] !== group[1],
  );
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
  else printLine('no score, rank or group changed');
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

/** `release diff`. */
export function registerDiff(release: Command): void {
  release
    .command('diff')
    .description('What changed between two releases: scores, ranks, groups, pairs, tasks, answers.')
    .argument('<first>', 'folder of a release; the published document or data set')
    .argument('<second>', 'the later one')
    .option('--all', 'list models that did not change, too')
    .option('--json', 'print JSON')
    .action(diff);
}
