import type { Command } from 'commander';
import { createEngine, type EngineOptions } from '../../engine/create.js';
import { DEFAULT_PLAN, inferencePlan, planDocument } from '../../inference/plan.js';
import { type AnalysisOutputOptions, writeAnalysis } from '../analysis-output.js';
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
    .description(
      'Which ranks a models x tasks matrix supports: tie groups, rank intervals, separable pairs.',
    )
    .argument(
      '<files...>',
      'CSV, Arrow or Parquet matrix (wide or long), or logs of lm-evaluation-harness, inspect_ai or promptfoo',
    )
    .option('--clusters <file>', 'CSV task,cluster: tasks that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts that weigh the same in a score')
    .option('--scale <n>', 'units in one point of score (default 1)', countOption)
    .option('--quantize <scale>', 'read values as real points, round to 1/scale', countOption)
    .option('--metric <name>', 'metric, scorer or named score of a log')
    .option('--filter <name>', 'filter of an lm-evaluation-harness log')
    .option('--common-tasks', 'keep the tasks every model has, drop the others')
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
  const [
    { readAuditSource },
    { rankAudit, rankAuditColumns, rankAuditWords },
    { envelope, RNG_ID },
  ] = await Promise.all([
    import('../../sensitivity/rank-audit-source.js'),
    import('../../sensitivity/rank-audit.js'),
    import('../../util/envelope.js'),
  ]);
  const { draws, flips, seed = DEFAULT_PLAN.seed, alpha } = options;
  const plan = inferencePlan({ draws, flips, seed, alpha, strata: 'family' });
  const source = await readAuditSource({ ...options, paths });
  const engine = await createEngine(
    options.backend === undefined ? {} : { backend: options.backend },
  );
  const { audit: results, inference } = await rankAudit({
    matrix: source.matrix,
    plan,
    engine,
  }).finally(() => engine.close());
  const { document, text } = envelope({
    schema: 'flavourbench-rank-audit/1',
    plan: planDocument(plan),
    inputs: source.inputs,
    rng: RNG_ID.philox,
    seed: plan.seed,
    streams: inference.streams,
    results: {
      ...results,
      source: source.kind,
      tasks_dropped: source.dropped,
      quantization: source.quantization
        ? { scale: source.quantization.scale, largest_error: source.quantization.largestError }
        : null,
    },
    run: {
      backend: engine.backend,
      threads: engine.threads,
      reason: engine.reason ?? 'as asked',
      warnings: inference.warnings,
    },
  });
  if (!options.json && !options.quiet) {
    printTable(
      ['group', 'rank', 'ranks', 'model', 'score', 'low', 'high', 'separable from'],
      results.models.map((row) => [
        row.group,
        row.rank,
        `${row.rank_low}-${row.rank_high}`,
        row.model,
        row.score.toPrecision(4),
        row.low.toPrecision(4),
        row.high.toPrecision(4),
        row.separable_from,
      ]),
    );
    process.stdout.write('\n');
  }
  const dropped =
    source.dropped > 0 ? ` ${source.dropped} tasks that some model lacks were left out.` : '';
  const rounded = source.quantization
    ? ` Values were rounded by at most ${source.quantization.largestError.toPrecision(2)}.`
    : '';
  await writeAnalysis(
    {
      name: 'rank-audit',
      text,
      resultsSha256: document.results_sha256,
      columns: rankAuditColumns(results),
      figure: async (theme) => {
        const { rankAuditFigure } = await import('../../sensitivity/rank-audit-figure.js');
        return rankAuditFigure({ audit: results, theme, alpha });
      },
      words: `${rankAuditWords(results, alpha)}${dropped}${rounded}`,
    },
    options,
  );
}
