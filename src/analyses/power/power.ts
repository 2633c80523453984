import { z } from 'zod';
import { DEFAULT_PLAN, inferencePlan } from '../../inference/plan.js';
import type { StrataMode } from '../../inference/strata.js';
import { columnsOf } from '../../io/arrow.js';
import { fail, shown } from '../../util/error.js';
import { counted, fixed, general, placesFor } from '../../util/format.js';
import { intervalField } from '../agreement.js';
import { type Analysis, type Outcome, percent } from '../analysis.js';
import { type PowerResult, powerAnalysis } from './pilot.js';
import { POWER_STREAM, type PowerSimulation, simulatePower } from './simulation.js';

interface PowerPlan {
  /** Points. */
  readonly difference: number;
  readonly power: number;
  readonly strata: StrataMode;
  readonly alpha: number;
  readonly datasets: number;
  readonly flips: number;
}

interface PowerResults extends PowerResult {
  /** Null where only the plan was asked for. */
  readonly simulation: PowerSimulation | null;
}

export interface PowerOptions extends PowerPlan {
  /** Two model ids for the simulation. */
  readonly pair?: readonly string[];
  readonly hypotheses?: number;
  readonly seed?: bigint;
  readonly simulation: boolean;
}

/** Streams of the simulated data sets and of their sign flips. */
const DRAW_STREAMS: Readonly<Record<string, number>> = { datasets: POWER_STREAM, flips: 1 };

const needed = { sigma: z.number(), tasks_needed: z.number().nullable(), detectable_now: z.number() };

/** How many tasks resolve a difference, and which differences can be found (statistics 14)? */
export const power: Analysis<PowerPlan, PowerResults, PowerOptions> = {
  name: 'power',
  summary: 'Plan a benchmark from pilot data: tasks needed, differences that can be found, checked by simulation.',
  needs: { inputs: ['matrix'], words: 'a matrix (--scores, or --responses with --tasks)' },
  options: [
    {
      flags: '--difference <points>',
      help: 'difference to resolve in points, value / scale; 3 is meant for scores from 0 to 100',
      kind: 'number',
      default: 3,
    },
    { flags: '--power <x>', help: 'power to plan for', kind: 'number', default: 0.8 },
    { flags: '--pair <models...>', help: 'two model ids for the simulation (default: the median pair)', kind: 'texts' },
    { flags: '--hypotheses <n>', help: 'tests in the family (default: all pairs)', kind: 'count' },
    { flags: '--strata <name>', help: 'panel-family or family', kind: 'text', default: DEFAULT_PLAN.strata },
    { flags: '--alpha <x>', help: 'familywise error rate', kind: 'number', default: DEFAULT_PLAN.alpha },
    { flags: '--seed <n>', help: `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, kind: 'seed' },
    { flags: '--datasets <n>', help: 'simulated data sets', kind: 'count', default: 256 },
    { flags: '--flips <n>', help: 'sign flips of each simulated test', kind: 'count', default: 50_000 },
    { flags: '--no-simulation', help: 'plan only', kind: 'on' },
  ],
  schema: {
    id: 'flavourbench-power/1',
    plan: z.object({
      difference: z.number(),
      power: z.number(),
      strata: z.enum(['panel-family', 'family']),
      alpha: z.number(),
      datasets: z.number(),
      flips: z.number(),
    }),
    results: z.object({
      tasks_now: z.number(),
      hypotheses: z.number(),
      pairs: z.array(z.object({ left: z.string(), right: z.string(), observed: z.number(), ...needed })),
      spread: z.array(z.object({ at: z.enum(['smallest', 'median', 'largest']), ...needed })),
      curve: z.array(z.object({ tasks: z.number(), share: z.number() })),
      shares: z.array(z.object({ share: z.number(), tasks: z.number().nullable() })),
      simulation: z
        .object({
          left: z.string(),
          right: z.string(),
          tasks: z.number(),
          clusters: z.number(),
          datasets: z.number(),
          resolved: z.number(),
          power: z.number(),
          interval: intervalField,
        })
        .nullable(),
    }),
  },
  async run(inputs, options) {
    const { difference, power: target, strata, alpha, datasets, flips, seed = DEFAULT_PLAN.seed } = options;
    inferencePlan({ strata, alpha, flips, seed });
    const matrix = await inputs.matrix();
    const result = powerAnalysis({ matrix, strata, alpha, target, difference, hypotheses: options.hypotheses });
    const pair = rowsOf(options.pair, result, matrix.models);
    const engine = await inputs.engine();
    const simulation = options.simulation
      ? await simulatePower({
          matrix,
          engine,
          strata,
          pair,
          difference,
          tasks: neededFor(result, matrix.models, pair) ?? Number.MAX_SAFE_INTEGER,
          alpha,
          hypotheses: result.hypotheses,
          seed,
          datasets,
          flips,
          onProgress: inputs.onProgress,
        })
      : null;
    const plan = { difference, power: target, strata, alpha, datasets, flips };
    const results = { ...result, simulation };
    return {
      plan,
      results,
      models: [],
      rng: simulation && 'philox',
      seed: simulation && seed,
      streams: simulation ? DRAW_STREAMS : {},
      warnings: [...(await inputs.matrixWarnings()), ...contradictions(plan, results)],
    };
  },
  columns: ({ results }) =>
    columnsOf(results.pairs, {
      left: ['text', (row) => row.left],
      right: ['text', (row) => row.right],
      observed: ['float64', (row) => row.observed],
      sigma: ['float64', (row) => row.sigma],
      tasks_needed: ['float64', (row) => row.tasks_needed],
      detectable_now: ['float64', (row) => row.detectable_now],
    }),
  words,
  draw: async ({ results, plan: { alpha } }, options) =>
    (await import('./figure.js')).drawPower(results, { ...options, alpha }),
};

/** Rows of the pair asked for, or of the pair with the median deviation. Errors: USAGE where they are not two models. */
function rowsOf(
  pair: readonly string[] | undefined,
  { pairs, spread }: PowerResult,
  models: readonly string[],
): [number, number] {
  if (pair === undefined) {
    const middle = pairs.find(({ sigma }) => sigma === spread[1]?.sigma);
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

/** Tasks planned for a pair of rows; null where no number would do. */
function neededFor({ pairs }: PowerResult, models: readonly string[], [i, j]: readonly [number, number]) {
  const [left, right] = [models[Math.min(i, j)], models[Math.max(i, j)]];
  return pairs.find((pair) => pair.left === left && pair.right === right)?.tasks_needed ?? null;
}

/** What the simulation says against the plan; nothing where it reaches the power planned for. */
function contradictions({ power: target, alpha }: PowerPlan, { hypotheses, simulation }: PowerResults): string[] {
  if (simulation === null || simulation.interval[1] >= target) return [];
  const { clusters } = simulation;
  const smallest = 2 ** (1 - clusters);
  return [
    `the simulation contradicts the plan, ${percent(simulation.power)} power instead of ${percent(target)}: ${
      smallest > alpha / hypotheses
        ? `over ${counted(clusters, 'cluster')} a sign-flip test gives no p below ${general(smallest, 3)}, and ${general(alpha / hypotheses, 3)} is needed`
        : 'the normal approximation of the plan does not hold for so few tasks'
    }; plan for more tasks than it says`,
  ];
}

const tasksText = (tasks: number | null) => (tasks === null ? 'more than 2^53 tasks' : counted(tasks, 'task'));

function words({ plan, results }: Outcome<PowerPlan, PowerResults>): string {
  const { difference, power: target, alpha } = plan;
  const { simulation, hypotheses, tasks_now, shares } = results;
  const [, median, largest] = results.spread;
  if (!median || !largest) return '';
  const reached = shares.filter(({ tasks }) => tasks !== null);
  const places = Math.max(2, placesFor([largest.detectable_now]));
  const points = (value: number) => fixed(value, places);
  const said = [
    `With the pilot's ${counted(tasks_now, 'task')} a median pair of models must differ by ${points(median.detectable_now)} points, the hardest by ${points(largest.detectable_now)}, to be resolved with ${percent(target)} power (familywise ${alpha}, ${counted(hypotheses, 'test')}).`,
    `A difference of ${difference} point${difference === 1 ? '' : 's'} needs ${tasksText(median.tasks_needed)} for the median pair, ${tasksText(largest.tasks_needed)} for the hardest.`,
    reached.length === 0
      ? 'No number of tasks would resolve a quarter of the pairs if the shrunken pilot differences were true.'
      : `Were the shrunken pilot differences true, ${reached.map(({ share, tasks }) => `${percent(share)} of the pairs would take ${tasksText(tasks)}`).join(', ')}.`,
  ];
  if (simulation)
    said.push(
      `Check by simulation for ${simulation.left} and ${simulation.right} at ${counted(simulation.tasks, 'task')}: ${simulation.resolved} of ${counted(simulation.datasets, 'data set')} resolved, power ${percent(simulation.power)} (95% limits ${percent(simulation.interval[0])} to ${percent(simulation.interval[1])}).`,
    );
  said.push(
    'The plan assumes that new tasks are like the pilot tasks and vary as much; it says nothing about differences between models that nobody has tested yet.',
  );
  return said.join(' ');
}
