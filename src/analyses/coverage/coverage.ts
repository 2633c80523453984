import { z } from 'zod';
import { DEFAULT_PLAN, inferencePlan, type Scheme } from '../../inference/plan.js';
import type { StrataMode } from '../../inference/strata.js';
import { columnsOf } from '../../io/arrow.js';
import { counted } from '../../util/format.js';
import { intervalField } from '../agreement.js';
import { type Analysis, type Outcome, percent as share } from '../analysis.js';
import { COVERAGE_STREAM, type CoverageResults, type ErrorRate, namedRates, simulateCoverage } from './simulation.js';

interface CoveragePlan {
  readonly strata: StrataMode;
  readonly scheme: Scheme;
  readonly alpha: number;
  readonly datasets: number;
  readonly draws: number;
  readonly flips: number;
}

interface CoverageOptions extends CoveragePlan {
  readonly seed?: bigint;
}

const rate = z.object({
  wrong: z.number(),
  of: z.number(),
  rate: z.number(),
  interval: intervalField.nullable(),
});

/** Do intervals cover and tests hold their level on data like these (statistics 15)? */
export const coverage: Analysis<CoveragePlan, CoverageResults, CoverageOptions> = {
  name: 'coverage',
  summary: 'Check intervals and tests by simulation on data like these: coverage and familywise error.',
  needs: { inputs: ['matrix'], words: 'a matrix (--scores, or --responses with --tasks)' },
  options: [
    { flags: '--strata <name>', help: 'panel-family or family', kind: 'text', default: DEFAULT_PLAN.strata },
    { flags: '--scheme <name>', help: 'joint or stratified', kind: 'text', default: DEFAULT_PLAN.scheme },
    { flags: '--alpha <x>', help: 'familywise error rate', kind: 'number', default: DEFAULT_PLAN.alpha },
    { flags: '--seed <n>', help: `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, kind: 'seed' },
    { flags: '--datasets <n>', help: 'simulated data sets', kind: 'count', default: 200 },
    { flags: '--draws <n>', help: 'bootstrap draws of each', kind: 'count', default: 1000 },
    { flags: '--flips <n>', help: 'sign flips of each', kind: 'count', default: 20_000 },
  ],
  schema: {
    id: 'flavourbench-coverage/1',
    plan: z.object({
      strata: z.enum(['panel-family', 'family']),
      scheme: z.enum(['joint', 'stratified']),
      alpha: z.number(),
      datasets: z.number(),
      draws: z.number(),
      flips: z.number(),
    }),
    results: z.object({
      pointwise: rate,
      pairwise: rate,
      simultaneous: rate,
      holm: rate,
      max_t: rate,
      models: z.array(z.object({ model: z.string(), missed: z.number() })),
      datasets: z.number(),
    }),
  },
  async run(inputs, options, signal) {
    const { strata, scheme, alpha, datasets, draws, flips, seed = DEFAULT_PLAN.seed } = options;
    inferencePlan({ strata, scheme, alpha, draws, flips, seed });
    const matrix = await inputs.matrix();
    const engine = await inputs.engine();
    const plan = { strata, scheme, alpha, datasets, draws, flips };
    return {
      plan,
      results: await simulateCoverage({ matrix, engine, seed, signal, onProgress: inputs.onProgress, ...plan }),
      models: [],
      rng: 'philox',
      seed,
      streams: { datasets: COVERAGE_STREAM, bootstrap: 0, flips: 1 },
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

const percent = (value: number) => share(value, 1);

function words({ results, plan: { alpha } }: Outcome<CoveragePlan, CoverageResults>): string {
  const { pointwise, pairwise, simultaneous, holm, max_t, datasets } = results;
  const limits = ({ interval }: ErrorRate) =>
    interval ? ` (95% limits ${percent(interval[0])} to ${percent(interval[1])})` : '';
  const high = namedRates(results).filter(({ interval }) => (interval?.[0] ?? 0) > alpha);
  return [
    `Over ${counted(datasets, 'data set')} drawn from a world like this one in which all models are equal, pointwise intervals missed the true score in ${percent(pointwise.rate)} of cases${limits(pointwise)} and pair intervals the true difference in ${percent(pairwise.rate)}${limits(pairwise)}; nominal ${percent(alpha)}.`,
    `The simultaneous band missed some model in ${percent(simultaneous.rate)} of data sets${limits(simultaneous)}; nominal ${percent(alpha)}.`,
    `Holm declared some pair different in ${percent(holm.rate)}${limits(holm)}, max-T in ${percent(max_t.rate)}${limits(max_t)}; nominal at most ${percent(alpha)}.`,
    high.length === 0
      ? 'No interval, band or test errs more often than nominal beyond simulation error.'
      : `More often than nominal beyond simulation error: ${high.map(({ name }) => name).join('; ')}. What is named here promises more than it holds on data like these.`,
    'The worlds are made of these tasks: the check shows how the procedure behaves on data of this shape, not that the tasks represent what they are taken from.',
  ].join(' ');
}
