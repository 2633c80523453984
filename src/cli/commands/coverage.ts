import type { Command } from 'commander';
import { createEngine, type EngineOptions } from '../../engine/node.js';
import { DEFAULT_PLAN, inferencePlan, type Scheme } from '../../inference/plan.js';
import type { StrataMode } from '../../inference/strata.js';
import { RNG_ID } from '../../util/version.js';
import { type AnalysisOutputOptions, writeAnalysis } from '../analysis-output.js';
import { type MatrixInputOptions, matrixInputs, matrixOptions } from '../matrix-inputs.js';
import { countOption, numberOption, seedOption } from '../options.js';
import { stoppable } from '../stop-signal.js';

interface CoverageCommandOptions extends MatrixInputOptions, AnalysisOutputOptions {
  readonly strata: StrataMode;
  readonly scheme: Scheme;
  readonly alpha: number;
  readonly seed?: bigint;
  readonly datasets: number;
  readonly draws: number;
  readonly flips: number;
  readonly backend?: NonNullable<EngineOptions['backend']>;
}

export function register(program: Command): void {
  matrixOptions(
    program
      .command('coverage')
      .description('Check intervals and tests by simulation on data like these: coverage and familywise error.'),
  )
    .option('--strata <name>', 'panel-family or family', DEFAULT_PLAN.strata)
    .option('--scheme <name>', 'joint or stratified', DEFAULT_PLAN.scheme)
    .option('--alpha <x>', 'familywise error rate', numberOption, DEFAULT_PLAN.alpha)
    .option('--seed <n>', `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, seedOption)
    .option('--datasets <n>', 'simulated data sets', countOption, 200)
    .option('--draws <n>', 'bootstrap draws of each', countOption, 1000)
    .option('--flips <n>', 'sign flips of each', countOption, 20_000)
    .option('--backend <name>', 'auto (by size), wasm, pool, webgpu or reference', 'auto')
    .option('--out <folder>', 'write coverage.json, .arrow, .svg and .png here')
    .option('--json', 'print the document instead of words')
    .option('--quiet', 'print nothing')
    .action(run);
}

async function run(options: CoverageCommandOptions): Promise<void> {
  const [{ coverage }, { coverageColumns, coverageWords }, { envelope }] = await Promise.all([
    import('../../analyses/coverage/simulation.js'),
    import('../../analyses/coverage/coverage.js'),
    import('../../io/envelope.js'),
  ]);
  const { strata, scheme, alpha, datasets, draws, flips, seed = DEFAULT_PLAN.seed } = options;
  inferencePlan({ strata, scheme, alpha, draws, flips, seed });
  const { matrix, inputs, warnings } = await matrixInputs(options, () => {});
  const engine = await createEngine(options.backend === undefined ? {} : { backend: options.backend });
  const result = await stoppable((signal) =>
    coverage({ matrix, engine, strata, scheme, alpha, seed, datasets, draws, flips, signal }),
  ).finally(() => engine.close());
  const { document, text } = envelope({
    schema: 'flavourbench-coverage/1',
    plan: { strata, scheme, alpha, datasets, draws, flips },
    inputs,
    rng: RNG_ID.philox,
    seed,
    streams: { datasets: 10, bootstrap: 0, flips: 1 },
    results: result,
    run: {
      backend: engine.backend,
      threads: engine.threads,
      reason: engine.reason ?? 'as asked',
      warnings,
    },
  });
  await writeAnalysis(
    {
      name: 'coverage',
      text,
      resultsSha256: document.results_sha256,
      columns: coverageColumns(result),
      figure: async (options) => {
        const { drawCoverage } = await import('../../analyses/coverage/figure.js');
        return drawCoverage(result, { ...options, alpha });
      },
      words: [coverageWords(result, alpha), ...warnings.map((warning) => `Note: ${warning}.`)].join(' '),
    },
    options,
  );
}
