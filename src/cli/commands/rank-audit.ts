import type { Command } from 'commander';
import { createEngine, type EngineOptions } from '../../engine/node.js';
import { DEFAULT_PLAN, inferencePlan, statedInferencePlan } from '../../inference/plan.js';
import { counted, fixed, placesFor } from '../../util/format.js';
import { RNG_ID } from '../../util/version.js';
import { type AnalysisOutputOptions, writeAnalysis } from '../analysis-output.js';
import { roundedWords } from '../leaderboard-text.js';
import { countOption, numberOption, seedOption } from '../options.js';
import { printTable } from '../print.js';

interface AuditCommandOptions extends AnalysisOutputOptions {
  readonly clusters?: string;
  readonly families?: string;
  readonly scale?: number;
  readonly quantize?: number;
  readonly metric?: string;
  readonly filter?: string;
  readonly commonTasks?: boolean;
  readonly draws: number;
  readonly flips: number;
  readonly seed?: bigint;
  readonly alpha: number;
  readonly backend?: NonNullable<EngineOptions['backend']>;
}

export function register(program: Command): void {
  program
    .command('rank-audit')
    .description('Which ranks a models x tasks matrix supports: tie groups, rank intervals, separable pairs.')
    .argument(
      '<files...>',
      'CSV, Arrow or Parquet matrix (wide or long), or logs of lm-evaluation-harness, inspect_ai or promptfoo',
    )
    .option('--clusters <file>', 'CSV task,cluster: tasks that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts that weigh the same in a score')
    .option(
      '--scale <n>',
      "units in one point of score (default: the Arrow file's own, else 1; infer, power, coverage: 100)",
      countOption,
    )
    .option('--quantize <scale>', 'read values as real points, round to 1/scale', countOption)
    .option('--metric <name>', 'metric, scorer or named score of a log (default: the first a sample lists)')
    .option('--filter <name>', 'filter of an lm-evaluation-harness log (default: the first in a file)')
    .option('--common-tasks', 'keep the tasks every model has a value for, leave out the others')
    .option('--draws <n>', 'bootstrap draws', countOption, DEFAULT_PLAN.draws)
    .option('--flips <n>', 'sign-flip draws', countOption, DEFAULT_PLAN.flips)
    .option('--seed <n>', `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, seedOption)
    .option('--alpha <x>', 'familywise error rate', numberOption, DEFAULT_PLAN.alpha)
    .option('--backend <name>', 'auto (by size), wasm, pool, webgpu or reference', 'auto')
    .option('--out <folder>', 'write rank-audit.json, .arrow, .svg and .png here')
    .option('--json', 'print the document instead of words')
    .option('--quiet', 'print nothing')
    .action(audit);
}

async function audit(paths: readonly string[], options: AuditCommandOptions): Promise<void> {
  const [{ readAuditSource }, { readingWords }, { rankAudit, rankAuditColumns, rankAuditWords }, { envelope }] =
    await Promise.all([
      import('../../analyses/rank-audit/source.js'),
      import('../../core/matrix-logs.js'),
      import('../../analyses/rank-audit/audit.js'),
      import('../../io/envelope.js'),
    ]);
  const { draws, flips, seed = DEFAULT_PLAN.seed, alpha } = options;
  const plan = inferencePlan({ draws, flips, seed, alpha, strata: 'family' });
  const source = await readAuditSource({ ...options, paths });
  const engine = await createEngine(options.backend === undefined ? {} : { backend: options.backend });
  const { audit: results, inference } = await rankAudit({
    matrix: source.matrix,
    plan,
    engine,
  }).finally(() => engine.close());
  const warnings = [...inference.warnings, ...source.warnings];
  const { document, text } = envelope({
    schema: 'flavourbench-rank-audit/1',
    plan: {
      ...statedInferencePlan(plan),
      metric: options.metric ?? null,
      filter: options.filter ?? null,
      common_tasks: options.commonTasks === true,
    },
    inputs: source.inputs,
    rng: RNG_ID.philox,
    seed: plan.seed,
    streams: inference.streams,
    results: {
      ...results,
      source: source.kind,
      readings: source.readings,
      tasks_dropped: source.dropped,
      quantization: source.quantization
        ? { scale: source.quantization.scale, largest_error: source.quantization.largestError }
        : null,
    },
    run: {
      backend: engine.backend,
      threads: engine.threads,
      reason: engine.reason ?? 'as asked',
      warnings,
    },
  });
  if (!options.json && !options.quiet) {
    const places = placesFor(results.models.flatMap(({ score, low, high }) => [score, low, high]));
    printTable(
      ['group', 'rank', 'ranks', 'model', 'score', 'low', 'high', 'separable from'],
      results.models.map((row) => [
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
    process.stdout.write('\n');
  }
  const words = [
    ...(source.readings.length > 0 ? [readingWords(source.readings)] : []),
    rankAuditWords(results, alpha),
    ...(source.dropped > 0
      ? [`${counted(source.dropped, 'task')} that some model lacks ${source.dropped === 1 ? 'was' : 'were'} left out.`]
      : []),
    ...(source.quantization ? [roundedWords(source.quantization)] : []),
    ...warnings.map((warning) => `Note: ${warning}.`),
  ];
  await writeAnalysis(
    {
      name: 'rank-audit',
      text,
      resultsSha256: document.results_sha256,
      columns: rankAuditColumns(results),
      figure: async (options) => {
        const { drawRankAudit } = await import('../../analyses/rank-audit/figure.js');
        return drawRankAudit(results, { ...options, alpha });
      },
      words: words.join(' '),
    },
    options,
  );
}
