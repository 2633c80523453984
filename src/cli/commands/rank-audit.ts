import type { Command } from 'commander';
import { type RankAuditOptions, type RankAuditResults, rankAudit } from '../../analyses/rank-audit/rank-audit.js';
import type { EngineOptions } from '../../engine/node.js';
import { rangeText, rankText } from '../../inference/model-ranks.js';
import { LOG_NAMES } from '../../logs/formats.js';
import { fail } from '../../util/error.js';
import { either, fixed, placesFor } from '../../util/format.js';
import { openInputs } from '../analysis-inputs.js';
import { analysisOptions, ownOptions } from '../analysis-options.js';
import { type AnalysisOutputOptions, notedWords, printReading, writeAnalysis } from '../analysis-output.js';
import { printLine, printNote, printTable } from '../print.js';
import { type RowFlags, rowOptions } from '../row-options.js';
import { columnOptions, type TableFlags, unitOptions } from '../table-options.js';

interface AuditFlags extends RankAuditOptions, AnalysisOutputOptions, RowFlags, TableFlags {
  readonly metric?: string;
  readonly backend?: NonNullable<EngineOptions['backend']>;
}

/** Adds `rank-audit`. */
export function register(program: Command): void {
  const command = program
    .command(rankAudit.name)
    .description(rankAudit.summary)
    .argument(
      '<files...>',
      `CSV, Arrow or Parquet matrix (wide or long), or logs of ${either(LOG_NAMES)}, or a folder of them`,
    )
    .option('--clusters <file>', 'CSV task,cluster: tasks that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts that weigh the same in a score');
  const rows = rowOptions(columnOptions(unitOptions(command)));
  ownOptions(analysisOptions(rows, rankAudit.options), rankAudit.name).action(runRankAudit);
}

/** Follows the old spelling of `--missing common-tasks`, with a note. Errors: USAGE for both that contradict each other. */
function withMissing(flags: AuditFlags): AuditFlags {
  if (flags.commonTasks !== true) return { ...flags, commonTasks: flags.missing === 'common-tasks' };
  if (flags.missing !== undefined && flags.missing !== 'common-tasks')
    fail('USAGE', null, `--common-tasks with --missing ${flags.missing}`, 'Give --missing alone.');
  if (!flags.json && !flags.quiet) printNote('--common-tasks is now --missing common-tasks');
  return { ...flags, missing: 'common-tasks' };
}

async function runRankAudit(paths: readonly string[], given: AuditFlags): Promise<void> {
  const flags = withMissing(given);
  const { readAuditSource } = await import('../audit-source.js');
  const opened = openInputs({ backend: flags.backend });
  const { files } = opened;
  const inputs = {
    ...opened.inputs,
    audited: async () => {
      const source = await readAuditSource({ ...flags, paths });
      files.push(...source.inputs);
      opened.noteReading(source.reading);
      return source;
    },
  };
  const outcome = await rankAudit.run(inputs, flags).finally(() => opened.close());
  printReading(opened.reading(), flags);
  if (!flags.json && !flags.quiet) printModels(outcome.results);
  const ran = { analysis: rankAudit, outcome, files, facts: opened.facts() };
  await writeAnalysis(ran, notedWords(rankAudit, outcome), flags);
}

function printModels({ models }: RankAuditResults): void {
  const bounded = models.some(({ score_bounds: ends }) => (ends ?? null) !== null);
  const lettered = models.some(({ letters }) => (letters ?? null) !== null);
  const places = placesFor(models.flatMap(({ score, low, high }) => [score, low, high]));
  printTable(
    [
      'rank',
      'ranks allowed',
      ...(lettered ? ['letters'] : []),
      'model',
      bounded ? 'score, middle' : 'score',
      'low',
      'high',
      'told apart from',
    ],
    models.map((row) => [
      rankText({ rank: row.rank, rankTied: row.rank_tied ?? null }),
      rangeText(row.rank_set_simultaneous ?? null),
      ...(lettered ? [row.letters ?? ''] : []),
      row.model,
      fixed(row.score, places),
      fixed(row.low, places),
      fixed(row.high, places),
      row.separable_from,
    ]),
  );
  printLine('');
}
