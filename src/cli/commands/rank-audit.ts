import type { Command } from 'commander';
import { type RankAuditOptions, type RankAuditResults, rankAudit } from '../../analyses/rank-audit/rank-audit.js';
import type { EngineOptions } from '../../engine/node.js';
import { LOG_FORMATS } from '../../logs/formats.js';
import { either, fixed, placesFor } from '../../util/format.js';
import { openInputs } from '../analysis-inputs.js';
import { analysisOptions, ownOptions } from '../analysis-options.js';
import { type AnalysisOutputOptions, notedWords, writeAnalysis } from '../analysis-output.js';
import { countOption } from '../options.js';
import { printLine, printTable } from '../print.js';

interface AuditFlags extends RankAuditOptions, AnalysisOutputOptions {
  readonly clusters?: string;
  readonly families?: string;
  readonly scale?: number;
  readonly quantize?: number;
  readonly backend?: NonNullable<EngineOptions['backend']>;
}

/** Adds `rank-audit`. */
export function register(program: Command): void {
  const command = program
    .command(rankAudit.name)
    .description(rankAudit.summary)
    .argument(
      '<files...>',
      `CSV, Arrow or Parquet matrix (wide or long), or logs of ${either(LOG_FORMATS.map(({ name }) => name))}`,
    )
    .option('--clusters <file>', 'CSV task,cluster: tasks that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts that weigh the same in a score')
    .option(
      '--scale <n>',
      "units in one point of score (default: the Arrow file's own, else 1; infer, power, coverage: 100)",
      countOption,
    )
    .option('--quantize <scale>', 'read values as real points, round to 1/scale', countOption);
  ownOptions(analysisOptions(command, rankAudit.options), rankAudit.name).action(runRankAudit);
}

async function runRankAudit(paths: readonly string[], flags: AuditFlags): Promise<void> {
  const { readAuditSource } = await import('../audit-source.js');
  const opened = openInputs({ backend: flags.backend });
  const { files } = opened;
  const inputs = {
    ...opened.inputs,
    audited: async () => {
      const source = await readAuditSource({ ...flags, paths });
      files.push(...source.inputs);
      return source;
    },
  };
  const outcome = await rankAudit.run(inputs, flags).finally(() => opened.close());
  if (!flags.json && !flags.quiet) printModels(outcome.results);
  const ran = { analysis: rankAudit, outcome, files, facts: opened.facts() };
  await writeAnalysis(ran, notedWords(rankAudit, outcome), flags);
}

function printModels({ models }: RankAuditResults): void {
  const places = placesFor(models.flatMap(({ score, low, high }) => [score, low, high]));
  printTable(
    ['group', 'rank', 'ranks', 'model', 'score', 'low', 'high', 'separable from'],
    models.map((row) => [
      row.group,
      row.rank,
      `${row.rank_low}-${row.rank_high}`,
      row.model,
      fixed(row.score, places),
      fixed(row.low, places),
      fixed(row.high, places),
      row.separable_from,
    ]),
  );
  printLine('');
}
