import type { Command } from 'commander';
import { createEngine, type EngineOptions } from '../../engine/node.js';
import { DEFAULT_PLAN, inferencePlan } from '../../inference/plan.js';
import type { StrataMode } from '../../inference/strata.js';
import { fail, shown } from '../../util/error.js';
import { RNG_ID } from '../../util/version.js';
import { type AnalysisOutputOptions, writeAnalysis } from '../analysis-output.js';
import { type MatrixInputOptions, matrixInputs, matrixOptions } from '../matrix-inputs.js';
import { countOption, numberOption, seedOption } from '../options.js';

interface PowerCommandOptions extends MatrixInputOptions, AnalysisOutputOptions {
  readonly difference: number;
  readonly power: number;
  readonly pair?: readonly string[];
  readonly hypotheses?: number;
  readonly strata: StrataMode;
  readonly alpha: number;
  readonly seed?: bigint;
  readonly datasets: number;
  readonly flips: number;
  readonly simulation: boolean;
  readonly backend?: NonNullable<EngineOptions['backend']>;
}

export function register(program: Command): void {
  matrixOptions(
    program
      .command('power')
      .description(
        'Plan a benchmark from pilot data: tasks needed, differences that can be found, checked by simulation.',
      ),
  )
    .option(
      '--difference <points>',
      'difference to resolve in points, value / scale; 3 is meant for scores from 0 to 100',
      numberOption,
      3,
    )
    .option('--power <x>', 'power to plan for', numberOption, 0.8)
    .option('--pair <models...>', 'two model ids for the simulation (default: the median pair)')
    .option('--hypotheses <n>', 'tests in the family (default: all pairs)', countOption)
    .option('--strata <name>', 'panel-family or family', DEFAULT_PLAN.strata)
    .option('--alpha <x>', 'familywise error rate', numberOption, DEFAULT_PLAN.alpha)
    .option('--seed <n>', `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, seedOption)
    .option('--datasets <n>', 'simulated data sets', countOption, 256)
    .option('--flips <n>', 'sign flips of each simulated test', countOption, 50_000)
    .option('--no-simulation', 'plan only')
    .option('--backend <name>', 'auto (by size), wasm, pool, webgpu or reference', 'auto')
    .option('--out <folder>', 'write power.json, .arrow, .svg and .png here')
    .option('--json', 'print the document instead of words')
    .option('--quiet', 'print nothing')
    .action(run);
}

async function run(options: PowerCommandOptions): Promise<void> {
  const [{ powerPlan }, { powerColumns, powerWarnings, powerWords }, { envelope }] = await Promise.all([
    import('../../analyses/power/tasks-needed.js'),
    import('../../analyses/power/power.js'),
    import('../../io/envelope.js'),
  ]);
  const { difference, power: target, strata, alpha, datasets, flips, pair } = options;
  const seed = options.seed ?? DEFAULT_PLAN.seed;
  inferencePlan({ strata, alpha, flips, seed });
  const { matrix, inputs, warnings: doubts } = await matrixInputs(options, () => {});
  const plan = powerPlan({
    matrix,
    strata,
    alpha,
    target,
    difference,
    hypotheses: options.hypotheses,
  });
  const rows = pairRows(pair, plan, matrix.models);
  const engine = await createEngine(options.backend === undefined ? {} : { backend: options.backend });
  const simulate = async () => {
    if (!options.simulation) return null;
    const { simulatePower } = await import('../../analyses/power/simulation.js');
    return simulatePower({
      matrix,
      engine,
      strata,
      pair: rows,
      difference,
      tasks: plan.pairs[placeOf(plan, matrix.models, rows)]?.tasks_needed ?? Number.MAX_SAFE_INTEGER,
      alpha,
      hypotheses: plan.hypotheses,
      seed,
      datasets,
      flips,
    });
  };
  const simulation = await simulate().finally(() => engine.close());
  const warnings = [...doubts, ...powerWarnings({ plan, simulation, target, alpha })];
  const { document, text } = envelope({
    schema: 'flavourbench-power/1',
    plan: { difference, power: target, strata, alpha, datasets, flips },
    inputs,
    rng: simulation ? RNG_ID.philox : null,
    seed: simulation ? seed : null,
    streams: simulation ? { datasets: 9, flips: 1 } : {},
    results: { ...plan, simulation },
    run: {
      backend: engine.backend,
      threads: engine.threads,
      reason: engine.reason ?? 'as asked',
      warnings,
    },
  });
  await writeAnalysis(
    {
      name: 'power',
      text,
      resultsSha256: document.results_sha256,
      columns: powerColumns(plan),
      figure: async (options) => {
        const { drawPower } = await import('../../analyses/power/figure.js');
        return drawPower(plan, { ...options, alpha });
      },
      words: [
        powerWords({ plan, simulation, difference, target, alpha }),
        ...warnings.map((warning) => `Note: ${warning}.`),
      ].join(' '),
    },
    options,
  );
}

type Plan = ReturnType<typeof import('../../analyses/power/tasks-needed.js')['powerPlan']>;

/** Rows of the pair asked for, or of the pair with the median deviation. */
function pairRows(pair: readonly string[] | undefined, plan: Plan, models: readonly string[]): [number, number] {
  if (pair === undefined) {
    const middle = plan.pairs.find(({ sigma }) => sigma === plan.spread[1]?.sigma);
    return [models.indexOf(middle?.left ?? ''), models.indexOf(middle?.right ?? '')];
  }
  const rows = pair.map((id) => models.indexOf(id));
  if (rows.length !== 2 || rows.includes(-1) || rows[0] === rows[1])
    fail(
      'USAGE',
      null,
      `--pair ${pair.map(shown).join(' ')} is not two models`,
      `Name two models of the matrix, for example ${models.slice(0, 2).join(' ')}.`,
    );
  return rows as [number, number];
}

function placeOf(plan: Plan, models: readonly string[], [i, j]: readonly [number, number]): number {
  const [left, right] = [models[Math.min(i, j)], models[Math.max(i, j)]];
  return plan.pairs.findIndex((pair) => pair.left === left && pair.right === right);
}
