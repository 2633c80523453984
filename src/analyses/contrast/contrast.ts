import { z } from 'zod';
import { columnsOf } from '../../io/arrow.js';
import { BASE, CONTROL, type Stage, TREATMENT } from '../../transfer/condition.js';
import { CROSSED_STREAM, FLIP_STREAM } from '../../transfer/stream.js';
import { intervalField } from '../agreement.js';
import type { Analysis, ReleasedOutcomes, ReleaseFigure, ReleaseTable } from '../analysis.js';
import { claims } from './claims.js';
import { contrastData } from './marks.js';
import type { ContrastSettings } from './settings.js';
import { type StudyResults, transferStudy } from './study.js';
import { familyTable, mainTable, seedTable } from './tables.js';

export interface ContrastPlan {
  readonly stage: Stage;
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
  readonly threshold_points: number;
  readonly protocol_sha256: string;
  readonly primary_seal_sha256: string | null;
}

export interface ContrastOptions extends Pick<ContrastSettings, 'settings' | 'protocolSha256'> {
  /** Digest of the seal that a secondary evaluation stands on. */
  readonly primarySealSha256: string | null;
}

/** The evaluations of a release, primary first. */
function studiesOf(outcomes: ReleasedOutcomes) {
  return outcomes.of(contrast).toSorted((a, b) => (a.results.stage < b.results.stage ? -1 : 1));
}

const NEEDS = 'an analysis by transfer contrast';

const contrastFigure: ReleaseFigure = {
  number: 8,
  name: 'transfer',
  title: 'Reward transfer',
  needs: NEEDS,
  data(outcomes) {
    const studies = studiesOf(outcomes);
    return studies.length === 0 ? null : contrastData(studies.map(({ results }) => results));
  },
  draw: async (outcomes, options) => (await import('./figure.js')).drawContrast(studiesOf(outcomes), options),
};

function tableOf(
  number: number,
  name: string,
  make: (results: readonly StudyResults[]) => ReturnType<typeof mainTable>,
) {
  return {
    number,
    name,
    needs: NEEDS,
    make(outcomes) {
      const studies = studiesOf(outcomes);
      return studies.length === 0 ? null : make(studies.map(({ results }) => results));
    },
  } satisfies ReleaseTable;
}

const rates = {
  score: z.number(),
  score_if_parsed: z.number().nullable(),
  parse_rate: z.number(),
  exact_optimum_rate: z.number(),
};
const families = z.record(z.string(), z.object(rates));
const condition = z.object({
  condition: z.enum([BASE, CONTROL, TREATMENT]),
  ...rates,
  score_sd: z.number().nullable(),
  score_min: z.number(),
  score_max: z.number(),
  families,
  runs: z.array(z.object({ seed: z.number().nullable(), ...rates, families })),
});
const contrastFields = z.object({
  label: z.string(),
  estimate: z.number(),
  interval: intervalField,
  sign_flip_p: z.number(),
  exceedances: z.number(),
  per_seed: z.array(z.number()),
  bootstrap_seed: z.string(),
  sign_flip_seed: z.string(),
  anchors: z.object({
    count: z.number(),
    mean: z.number(),
    median: z.number(),
    sd: z.number().nullable(),
    positive: z.number(),
    zero: z.number(),
  }),
});

/** What is the effect of training on optimal answers (analyses 9)? */
export const contrast: Analysis<ContrastPlan, StudyResults, ContrastOptions> = {
  name: 'contrast',
  summary: 'Estimate the effect of training from generations, and seal it.',
  needs: { inputs: ['completions'], words: '--completions and --tasks' },
  options: [
    {
      flags: '--rng <name>',
      help: 'numpy replays the published streams (default: that of the plan, else philox)',
      kind: 'text',
      choices: ['philox', 'numpy'],
    },
    { flags: '--protocol-sha256 <digest>', help: 'protocol whose digest seeds the streams', kind: 'text' },
    { flags: '--seed <n>', help: 'seed where no protocol gives one (default: 20260820)', kind: 'seed' },
    { flags: '--draws <n>', help: 'crossed bootstrap draws (default: 50000)', kind: 'count' },
    { flags: '--flips <n>', help: 'anchor sign flips (default: 100000)', kind: 'count' },
    { flags: '--alpha <x>', help: 'error rate (default: 0.05)', kind: 'number' },
    { flags: '--threshold <points>', help: 'practical threshold (default: 3)', kind: 'number' },
  ],
  schema: {
    id: 'flavourbench-transfer-analysis/1',
    plan: z.object({
      stage: z.enum(['primary', 'secondary']),
      draws: z.number(),
      flips: z.number(),
      alpha: z.number(),
      threshold_points: z.number(),
      protocol_sha256: z.string(),
      primary_seal_sha256: z.string().nullable(),
    }),
    results: z.object({
      stage: z.enum(['primary', 'secondary']),
      tasks: z.number(),
      training_seeds: z.array(z.number()),
      chance: z.number(),
      conditions: z
        .array(condition)
        .refine(
          (list) => [CONTROL, TREATMENT].every((name) => list.some((one) => one.condition === name)),
          `conditions ${CONTROL} and ${TREATMENT} expected`,
        ),
      contrast: contrastFields,
      interpretation: z.enum([
        'positive_and_meets_preregistered_practical_threshold',
        'positive_but_below_preregistered_practical_threshold',
        'negative_difference_detected',
        'inconclusive_at_preregistered_alpha',
      ]),
      base_contrasts: z.array(contrastFields),
      per_task: z.array(
        z.object({
          task_id: z.string(),
          anchor: z.string(),
          family: z.string(),
          panel: z.string(),
          base: z.number().nullable(),
          control: z.number(),
          treatment: z.number(),
          difference: z.number(),
        }),
      ),
    }),
  },
  async run(inputs, { settings, protocolSha256, primarySealSha256 }) {
    const grid = await inputs.completions();
    const results = await transferStudy(grid, settings, await inputs.engine());
    const { random } = settings;
    const { bootstrap_seed: bootstrap, sign_flip_seed: flips } = results.contrast;
    return {
      plan: {
        stage: settings.stage,
        draws: settings.draws,
        flips: settings.flips,
        alpha: settings.alpha,
        threshold_points: settings.threshold,
        protocol_sha256: protocolSha256,
        primary_seal_sha256: primarySealSha256,
      },
      results,
      models: [],
      rng: random.kind,
      seed: 'seed' in random ? random.seed : null,
      streams: random.kind === 'numpy' ? { bootstrap, flips } : { bootstrap: CROSSED_STREAM, flips: FLIP_STREAM },
      warnings: [],
    };
  },
  columns: ({ results }) =>
    columnsOf(results.per_task, {
      task_id: ['text', (row) => row.task_id],
      anchor: ['text', (row) => row.anchor],
      family: ['text', (row) => row.family],
      panel: ['text', (row) => row.panel],
      base: ['float64', (row) => row.base],
      control: ['float64', (row) => row.control],
      treatment: ['float64', (row) => row.treatment],
      difference: ['float64', (row) => row.difference],
    }),
  words({ results, plan: { alpha } }) {
    const { allowed, notAllowed } = claims(results, 'the model', alpha);
    return `${allowed} ${notAllowed}`;
  },
  draw: async (study, options) => (await import('./figure.js')).drawContrast([study], options),
  figures: [contrastFigure],
  tables: [
    tableOf(8, 'transfer-main', mainTable),
    tableOf(13, 'transfer-families', familyTable),
    tableOf(14, 'transfer-seeds', seedTable),
  ],
};
