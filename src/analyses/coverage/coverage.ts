import { z } from 'zod';
import { clusterDesign } from '../../inference/cluster-design.js';
import { pairTests } from '../../inference/decisions/pair-tests.js';
import { outcomesOf } from '../../inference/intervals/binomial-interval.js';
import { DEFAULT_PLAN, type InferencePlan, inferencePlan, type PlanSizes } from '../../inference/plan.js';
import { resolvePlan } from '../../inference/resolve-plan.js';
import { strataOf } from '../../inference/strata.js';
import { columnsOf } from '../../io/arrow.js';
import { counted } from '../../util/format.js';
import { intervalField } from '../agreement.js';
import { type Analysis, type Outcome, percent as share } from '../analysis.js';
import { INTERVAL, MULTIPLICITY, TEST, testFields } from '../decision-options.js';
import { strataOption } from '../declared-options.js';
import { type ErrorRate, namedRates } from './rates.js';
import { COVERAGE_STREAM, type CoverageResults, simulateCoverage } from './simulation.js';
import { EXCHANGE_STREAM } from './worlds.js';

/** Choices of the inference that is checked; documents of version 1 state none, and mean those of their time. */
type CheckedChoices = Pick<
  InferencePlan,
  'test' | 'multiplicity' | 'multiplicity_reason' | 'interval' | 'interval_reason' | 'rank_sets'
>;

interface CoveragePlan
  extends Pick<PlanSizes, 'strata' | 'scheme' | 'alpha' | 'draws' | 'flips'>,
    Partial<CheckedChoices> {
  readonly datasets: number;
}

interface CoverageOptions extends Omit<CoveragePlan, 'multiplicity_reason' | 'interval_reason' | 'rank_sets'> {
  readonly seed?: bigint;
}

const rate = z.object({
  wrong: z.number(),
  of: z.number(),
  rate: z.number(),
  interval: intervalField.nullable(),
});
const added = rate.nullable().optional();

/** Do intervals cover and tests hold their level on data like these (decisions 5.6)? */
export const coverage: Analysis<CoveragePlan, CoverageResults, CoverageOptions> = {
  name: 'coverage',
  summary: 'Check intervals, rank sets and tests by simulation on data like these: coverage and familywise error.',
  needs: { inputs: ['matrix'], words: 'a matrix (--scores, or --responses with --tasks)' },
  options: [
    strataOption(DEFAULT_PLAN.strata),
    {
      flags: '--scheme <name>',
      help: 'bootstrap: over the whole set, joint, or inside strata, stratified',
      kind: 'text',
      choices: ['joint', 'stratified'],
      default: DEFAULT_PLAN.scheme,
    },
    TEST,
    MULTIPLICITY,
    INTERVAL,
    { flags: '--alpha <x>', help: 'familywise error rate', kind: 'number', default: DEFAULT_PLAN.alpha },
    { flags: '--seed <n>', help: `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, kind: 'seed' },
    { flags: '--datasets <n>', help: 'simulated data sets', kind: 'count', default: 200 },
    { flags: '--draws <n>', help: 'bootstrap draws of each', kind: 'count', default: 1000 },
    { flags: '--flips <n>', help: 'sign flips of each', kind: 'count', default: 20_000 },
  ],
  schema: {
    id: 'flavourbench-coverage/2',
    earlier: ['flavourbench-coverage/1'],
    plan: z.object({
      strata: z.enum(['panel-family', 'family']),
      scheme: z.enum(['joint', 'stratified']),
      alpha: z.number(),
      datasets: z.number(),
      draws: z.number(),
      flips: z.number(),
      ...testFields,
      interval: z.enum(['percentile', 'student', 'bootstrap-t', 'binomial']).optional(),
      interval_reason: z.string().optional(),
      rank_sets: z.enum(['bootstrap', 'flips', 'none']).optional(),
    }),
    results: z.object({
      pointwise: rate,
      pairwise: rate,
      simultaneous: rate,
      rank_set_simultaneous: added,
      rank_set_marginal: added,
      rank_set_equal: added,
      test: rate.optional(),
      holm: rate.nullable(),
      max_t: rate,
      centred: added,
      models: z.array(z.object({ model: z.string(), missed: z.number() })),
      datasets: z.number(),
      unseen: z.array(z.string()).optional(),
    }),
  },
  async run(inputs, options, signal) {
    const { strata, scheme, alpha, datasets, draws, flips, test, multiplicity, interval } = options;
    const { seed = DEFAULT_PLAN.seed } = options;
    const sizes = { strata, scheme, alpha, draws, flips };
    const asked = { ...sizes, seed, ...given({ test, multiplicity, interval }) };
    const open = inferencePlan(asked);
    const matrix = await inputs.matrix();
    const engine = await inputs.engine();
    const { chance: _, ...ranked } = matrix;
    const design = clusterDesign(ranked, strataOf(ranked, strata));
    const resolved = resolvePlan({
      plan: open,
      defaults: 'leaderboard',
      matrix: ranked,
      design,
      floors: pairTests(design, open).floors,
    });
    return {
      plan: { ...sizes, datasets, ...choicesOf(resolved) },
      results: await simulateCoverage({
        ...{ matrix, engine, plan: asked, datasets, signal, shares: inputs.shares },
        ...{ onProgress: inputs.onProgress, onForecast: inputs.onForecast },
      }),
      models: [],
      rng: 'philox',
      seed,
      streams: {
        ...{ datasets: COVERAGE_STREAM, bootstrap: 0, flips: 1 },
        ...(outcomesOf(ranked.values, ranked.scale) ? { exchange: EXCHANGE_STREAM } : {}),
      },
      warnings: await inputs.matrixWarnings(),
    };
  },
  columns: ({ results }) =>
    columnsOf(namedRates(results), {
      what: ['text', (row) => row.name],
      wrong: ['int32', (row) => row.wrong],
      of: ['int32', (row) => row.of],
      rate: ['float64', (row) => row.rate],
      low: ['float64', (row) => row.interval?.[0] ?? null],
      high: ['float64', (row) => row.interval?.[1] ?? null],
    }),
  words,
  draw: async ({ results, plan: { alpha } }, options) =>
    (await import('./figure.js')).drawCoverage(results, { ...options, alpha }),
};

/** Leaves out what was not asked for. */
function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function choicesOf(plan: InferencePlan): CheckedChoices {
  const { test, multiplicity, multiplicity_reason, interval, interval_reason, rank_sets } = plan;
  return { test, multiplicity, multiplicity_reason, interval, interval_reason, rank_sets };
}

const percent = (value: number) => share(value, 1);
const limits = ({ interval }: ErrorRate) =>
  interval ? ` (95% limits ${percent(interval[0])} to ${percent(interval[1])})` : '';

function words({ plan, results }: Outcome<CoveragePlan, CoverageResults>): string {
  const { alpha } = plan;
  const { pointwise, pairwise, simultaneous, datasets } = results;
  const nominal = percent(alpha);
  const world =
    results.test === undefined
      ? 'drawn from a world like this one in which all models are equal'
      : 'drawn from the clusters of this table';
  return [
    `Over ${counted(datasets, 'data set')} ${world}, ${plan.interval ?? 'pointwise'} intervals missed the true score in ${percent(pointwise.rate)} of cases${limits(pointwise)} and pair intervals the true difference in ${percent(pairwise.rate)}${limits(pairwise)}; nominal ${nominal}.`,
    `The simultaneous band missed some model in ${percent(simultaneous.rate)} of data sets${limits(simultaneous)}; nominal ${nominal}.`,
    ...rankWords(results, nominal),
    ...testWords(plan, results, nominal),
    verdict(results, alpha),
    'The worlds are made of these tasks: the check shows how the procedure behaves on data of this shape, not that the tasks represent what they are taken from.',
  ].join(' ');
}

function rankWords(results: CoverageResults, nominal: string): string[] {
  const { rank_set_simultaneous: all, rank_set_marginal: alone, rank_set_equal: equal } = results;
  if (!all || !alone || !equal) return [];
  return [
    `The rank sets missed some model's rank in ${percent(all.rate)} of data sets${limits(all)}, those for one model alone in ${percent(alone.rate)} of cases${limits(alone)}, and where all models are equal they left a rank out in ${percent(equal.rate)}${limits(equal)}; nominal ${nominal}.`,
  ];
}

function testWords(plan: CoveragePlan, { test, holm, max_t, centred }: CoverageResults, nominal: string): string[] {
  const said = ({ rate, ...more }: ErrorRate) => `${percent(rate)}${limits({ rate, ...more })}`;
  if (test === undefined)
    return [
      `Holm declared some pair different in ${holm ? said(holm) : 'none'}, max-T in ${said(max_t)}; nominal at most ${nominal}.`,
    ];
  const byMaxT = plan.multiplicity === 'max-t';
  const name = `${plan.test === 'centred' ? 'centred sign flips' : 'sign flips'} under ${byMaxT ? 'max-T' : 'Holm'}`;
  const others = [
    byMaxT ? (holm ? `Holm did in ${said(holm)}` : 'Holm could reject nothing') : `max-T did in ${said(max_t)}`,
    ...(centred ? [`the centred test in ${said(centred)}`] : []),
  ];
  return [
    `Where all models are equal, the test in force, ${name}, told some pair apart in ${said(test)} of data sets; ${others.join(', ')}; nominal at most ${nominal}.`,
  ];
}

/** A clean bill only where nothing errs too often and nothing is hidden from the simulation (decisions 2.5). */
function verdict(results: CoverageResults, alpha: number): string {
  const high = namedRates(results).filter(({ interval }) => (interval?.[0] ?? 0) > alpha);
  const unseen = results.unseen ?? [];
  const said =
    high.length > 0
      ? [
          `More often than nominal beyond simulation error: ${high.map(({ name }) => name).join('; ')}. What is named here promises more than it holds on data like these.`,
        ]
      : unseen.length === 0
        ? ['No interval, band or test errs more often than nominal beyond simulation error.']
        : [];
  if (unseen.length > 0) said.push(`No clean bill for this design, whatever the rates say: ${unseen.join('; ')}.`);
  return said.join(' ');
}
