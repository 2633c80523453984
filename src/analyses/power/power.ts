import { z } from 'zod';
import { pairCount } from '../../engine/design.js';
import { chooseMultiplicity } from '../../inference/decisions/multiplicity.js';
import { DEFAULT_PLAN, type InferencePlan, inferencePlan } from '../../inference/plan.js';
import { orderedMatrix, rowsByModelId } from '../../inference/row-order.js';
import type { StrataMode } from '../../inference/strata.js';
import { columnsOf } from '../../io/arrow.js';
import { fail, shown } from '../../util/error.js';
import { counted, fixed, placesFor } from '../../util/format.js';
import { nearestOrAll } from '../../util/spelling.js';
import { intervalField } from '../agreement.js';
import { type Analysis, type Outcome, percent } from '../analysis.js';
import { MULTIPLICITY, TEST, testFields } from '../decision-options.js';
import { strataOption } from '../declared-options.js';
import { type PowerResult, powerAnalysis, usualDifference } from './pilot.js';
import { POWER_STREAM, type PowerSimulation, simulatePower } from './simulation.js';

/** The test that is planned for and simulated; documents of version 1 name none, and mean sign flips under Holm. */
interface PowerPlan extends Partial<Pick<InferencePlan, 'test' | 'multiplicity' | 'multiplicity_reason'>> {
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

export interface PowerOptions extends Omit<PowerPlan, 'difference' | 'flips' | 'multiplicity_reason'> {
  /** Points; from the range of the values unless given. */
  readonly difference?: number;
  /** 50,000 under Holm and 2,000 under max-T unless given. */
  readonly flips?: number;
  /** Two model ids for the simulation. */
  readonly pair?: readonly string[];
  readonly hypotheses?: number;
  readonly seed?: bigint;
  readonly simulation: boolean;
}

/** Streams of the simulated data sets and of their sign flips. */
const DRAW_STREAMS: Readonly<Record<string, number>> = { datasets: POWER_STREAM, flips: 1 };

/** Flips of a simulated test unless given: a p of max-T is never multiplied. */
const FLIPS = { holm: 50_000, 'max-t': 2000 } as const;

const needed = { sigma: z.number(), tasks_needed: z.number().nullable(), detectable_now: z.number().nullable() };

/** How many tasks resolve a difference, and which differences can be found (decisions 5.6)? */
export const power: Analysis<PowerPlan, PowerResults, PowerOptions> = {
  name: 'power',
  summary: 'Plan a benchmark from pilot data: tasks needed, differences that can be found, checked by simulation.',
  needs: { inputs: ['matrix'], words: 'a matrix (--scores, or --responses with --tasks)' },
  options: [
    {
      flags: '--difference <points>',
      help: 'difference to resolve, in points (default: three hundredths of the range of the values, to one digit)',
      kind: 'number',
    },
    { flags: '--power <x>', help: 'power to plan for', kind: 'number', default: 0.8 },
    { flags: '--pair <models...>', help: 'two model ids for the simulation (default: the median pair)', kind: 'texts' },
    { flags: '--hypotheses <n>', help: 'tests in the family, with holm (default: all pairs)', kind: 'count' },
    TEST,
    MULTIPLICITY,
    strataOption(DEFAULT_PLAN.strata),
    { flags: '--alpha <x>', help: 'familywise error rate', kind: 'number', default: DEFAULT_PLAN.alpha },
    { flags: '--seed <n>', help: `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, kind: 'seed' },
    { flags: '--datasets <n>', help: 'simulated data sets', kind: 'count', default: 256 },
    {
      flags: '--flips <n>',
      help: 'sign flips of each simulated test (default: 50000; 2000 with max-t)',
      kind: 'count',
    },
    { flags: '--no-simulation', help: 'plan only', kind: 'on' },
  ],
  schema: {
    id: 'flavourbench-power/2',
    earlier: ['flavourbench-power/1'],
    plan: z.object({
      difference: z.number(),
      power: z.number(),
      strata: z.enum(['panel-family', 'family']),
      alpha: z.number(),
      datasets: z.number(),
      flips: z.number(),
      ...testFields,
    }),
    results: z.object({
      tasks_now: z.number(),
      clusters_now: z.number().optional(),
      least_clusters: z.number().optional(),
      least_tasks: z.number().optional(),
      lone_strata: z.array(z.string()).optional(),
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
  async run(inputs, options, signal) {
    const { power: target, strata, alpha, datasets, seed = DEFAULT_PLAN.seed } = options;
    const given = await inputs.matrix();
    const matrix = orderedMatrix(given, rowsByModelId(given.models));
    const difference = options.difference ?? usualDifference(matrix);
    const { test = 'sign-flip', flips, ...chosen } = testOf(options, matrix.models.length);
    inferencePlan({ strata, alpha, flips, seed, test });
    const { multiplicity } = chosen;
    const pilot = { matrix, strata, alpha, target, difference, hypotheses: options.hypotheses, multiplicity };
    const result = powerAnalysis(pilot);
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
          test,
          multiplicity,
          seed,
          datasets,
          flips,
          shares: inputs.shares,
          signal,
          onProgress: inputs.onProgress,
          onForecast: inputs.onForecast,
        })
      : null;
    const plan = { difference, power: target, strata, alpha, datasets, flips, test, ...chosen };
    const results = { ...result, simulation };
    return {
      plan,
      results,
      models: [],
      rng: simulation && 'philox',
      seed: simulation && seed,
      streams: simulation ? DRAW_STREAMS : {},
      warnings: [...(await inputs.matrixWarnings()), ...unseenWarnings(results), ...contradictions(plan, results)],
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

/** The test in force: as asked for, else as `infer` chooses for a benchmark with clusters enough. Errors: USAGE. */
function testOf({ test, multiplicity: asked, hypotheses, flips, alpha }: PowerOptions, models: number) {
  if (asked === 'max-t' && hypotheses !== undefined)
    fail(
      'USAGE',
      null,
      '--hypotheses with --multiplicity max-t',
      'max-t looks at all pairs of the pilot; leave one out.',
    );
  const { multiplicity, reason } = chooseMultiplicity({
    asked: asked ?? (hypotheses === undefined ? undefined : 'holm'),
    usual: 'holm',
    tests: hypotheses ?? pairCount(models),
    clusters: Number.MAX_SAFE_INTEGER,
    flips: flips ?? FLIPS.holm,
    alpha,
  });
  return { test, multiplicity, multiplicity_reason: reason, flips: flips ?? FLIPS[multiplicity] };
}

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
      `Name two models of the matrix. ${[...new Set(pair.flatMap((id) => (models.includes(id) ? [] : (nearestOrAll(id, models) ?? []))))].join(' ')}`.trimEnd(),
    );
  return rows as [number, number];
}

/** Tasks planned for a pair of rows; null where no number would do. */
function neededFor({ pairs }: PowerResult, models: readonly string[], [i, j]: readonly [number, number]) {
  const [left, right] = [models[Math.min(i, j)], models[Math.max(i, j)]];
  return pairs.find((pair) => pair.left === left && pair.right === right)?.tasks_needed ?? null;
}

/** Variation that the pilot does not show (decisions 2.5). */
function unseenWarnings({ lone_strata: lone = [], pairs }: PowerResults): string[] {
  const warnings: string[] = [];
  if (lone.length > 0) {
    const named = lone.slice(0, 5).map((label) => shown(label));
    warnings.push(
      `the pilot has one cluster in ${named.join(', ')}${lone.length > 5 ? ` and ${lone.length - 5} more` : ''}: how much clusters vary there is not seen, so more tasks are needed than the plan says`,
    );
  }
  const constant = pairs.filter(({ sigma }) => sigma === 0).length;
  if (constant > 0)
    warnings.push(
      `${constant} of ${counted(pairs.length, 'pair')} ${constant === 1 ? 'differs' : 'differ'} by the same amount in every cluster of the pilot: how much tasks vary is not seen there, and the number of tasks is the least that any test takes, no plan`,
    );
  return warnings;
}

/** What the simulation says against the plan; nothing where it reaches the power planned for. */
function contradictions({ power: target }: PowerPlan, { simulation }: PowerResults): string[] {
  if (simulation === null || simulation.interval[1] >= target) return [];
  return [
    `the simulation contradicts the plan, ${percent(simulation.power)} power instead of ${percent(target)}: the normal approximation of the plan does not hold for ${counted(simulation.clusters, 'cluster')}; plan for more tasks than it says`,
  ];
}

const tasksText = (tasks: number | null) => (tasks === null ? 'more than 2^53 tasks' : counted(tasks, 'task'));

/** What the pilot's own tasks can show. */
function nowWords(
  { power: target, alpha, multiplicity }: PowerPlan,
  { tasks_now, clusters_now, least_clusters, least_tasks, hypotheses }: PowerResults,
  median: number | null,
  largest: number | null,
): string {
  const family = `familywise ${alpha}, ${counted(hypotheses, 'test')}${multiplicity === 'max-t' ? ', max-T' : ''}`;
  if (median === null || largest === null)
    return `The pilot's ${counted(clusters_now ?? 0, 'cluster')} cannot resolve any difference, however large: a sign-flip test needs ${counted(least_clusters ?? 0, 'cluster')} (${counted(least_tasks ?? 0, 'task')} like these; ${family}).`;
  const points = (value: number) => fixed(value, Math.max(2, placesFor([largest])));
  return `With the pilot's ${counted(tasks_now, 'task')} a median pair of models must differ by ${points(median)} points, the hardest by ${points(largest)}, to be resolved with ${percent(target)} power (${family}).`;
}

function words({ plan, results }: Outcome<PowerPlan, PowerResults>): string {
  const { difference } = plan;
  const { simulation, shares } = results;
  const [, median, largest] = results.spread;
  if (!median || !largest) return '';
  const reached = shares.filter(({ tasks }) => tasks !== null);
  const said = [
    nowWords(plan, results, median.detectable_now, largest.detectable_now),
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
