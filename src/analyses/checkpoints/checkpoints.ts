import { z } from 'zod';
import { nameList } from '../../inference/decisions/decision-words.js';
import { byRank } from '../../inference/model-ranks.js';
import { columnsOf } from '../../io/arrow.js';
import type { TextTable } from '../../io/text-table.js';
import { PORTFOLIOS } from '../../tasks/task.js';
import { agreementCells, intervalField, rngField } from '../agreement.js';
import {
  type Analysis,
  percent,
  type ReleasedOutcomes,
  type ReleaseFigure,
  rankedByScore,
  three,
} from '../analysis.js';
import {
  DRAWS,
  ORDER,
  RNG,
  type RuleOptions,
  randomOf,
  rulesOf,
  type SampledOptions,
  SEED,
  streamOf,
} from '../declared-options.js';
import { type ModelOrder, orderedInputs, orderField } from '../model-order.js';
import { checkpointRows, FOLLOWED } from './checkpoint-rows.js';
import { CHECKPOINT_STREAM, type CheckpointResult, checkpointAgreement } from './other-maps.js';

interface CheckpointsPlan {
  /** Absent in documents of version 1: `rows`. */
  readonly order?: ModelOrder;
  readonly checkpoints: readonly string[];
  readonly draws: number;
  readonly rng: 'philox' | 'numpy';
}

interface CheckpointsResults {
  readonly checkpoints: readonly CheckpointResult[];
}

const SEED_PUBLISHED = 20_260_826n;
const DRAWS_PUBLISHED = 20_000;

const checkpointsFigure: ReleaseFigure = {
  number: 10,
  name: 'checkpoints',
  title: 'Other reward maps',
  needs: 'the checkpoints analysis',
  data(outcomes) {
    const [found] = outcomes.of(checkpoints);
    if (found === undefined) return null;
    const rows = checkpointRows(found.results.checkpoints);
    const followed = byRank(outcomes.models).slice(0, FOLLOWED);
    return {
      header: ['part', 'map', 'subject', 'value', 'low', 'high'],
      rows: [
        ...followed.map((model) => ['rank', 'primary', model.modelId, model.rank, '', '']),
        ...rows.flatMap(({ label, ranks }) =>
          followed.map(({ modelId: id }) => ['rank', label, id, ranks.get(id)?.rank ?? '', '', '']),
        ),
        ...rows.flatMap((row) => [
          ['agreement', row.label, 'rank_correlation', row.correlation ?? '', ...row.correlationRange],
          ['agreement', row.label, 'pair_order_agreement', row.pairOrder, ...row.pairRange],
        ]),
      ],
    };
  },
  draw: async (outcomes, options) => checkpoints.draw(outcomes.of(checkpoints)[0]!, options),
};

/** The same answers under other reward maps (paper table 5). */
function checkpointsTable(outcomes: ReleasedOutcomes): TextTable | null {
  const [found] = outcomes.of(checkpoints);
  if (found === undefined) return null;
  return {
    name: 'checkpoints',
    caption: 'Other reward maps on the same tasks and answers. Task-map ρ: median over the tasks.',
    columns: [
      { title: 'Reward map', align: 'left' },
      { title: 'Task-map ρ', align: 'right' },
      { title: 'Model-rank ρ', align: 'right' },
      { title: 'Pair order', align: 'right' },
      { title: 'Point leader', align: 'left' },
    ],
    rows: checkpointRows(found.results.checkpoints).map((row) => [
      row.label,
      three(row.taskMap),
      ...agreementCells(row, outcomes.models),
    ]),
  };
}

const spread = z.object({ median: z.number(), low: z.number(), high: z.number() });

/** Does the leaderboard survive another reward model (analyses 7)? */
export const checkpoints: Analysis<CheckpointsPlan, CheckpointsResults, SampledOptions & RuleOptions> = {
  name: 'checkpoints',
  summary: 'The same answers under other reward maps.',
  needs: {
    inputs: ['matrix', 'answers', 'otherMaps'],
    words: 'single answers (--responses or --ledger) with --tasks, and --maps',
  },
  options: [RNG, SEED, DRAWS, ORDER],
  schema: {
    id: 'flavourbench-sensitivity-checkpoints/1',
    plan: z.object({ checkpoints: z.array(z.string()), draws: z.number(), rng: rngField, order: orderField }),
    results: z.object({
      checkpoints: z.array(
        z.object({
          checkpoint: z.string(),
          task_maps: z.object({
            tasks: z.number(),
            rank_median: z.number(),
            rank_quartiles: intervalField,
            rank_95: intervalField,
            pearson_mean: z.number(),
            pearson_median: z.number(),
            same_optimum_rate: z.number(),
            mean_absolute_chance_shift: z.number(),
          }),
          board: z.array(
            z.object({
              model_id: z.string(),
              score: z.number(),
              rank: z.number(),
              original_score: z.number(),
              original_rank: z.number(),
              families: z.record(z.string(), z.number()),
            }),
          ),
          rank_spearman: z.number().nullable(),
          pair_order_agreement: z.number(),
          mean_absolute_shift: z.number(),
          maximum_absolute_shift: z.number(),
          leader: z.string(),
          leader_kept: z.boolean(),
          bootstrap: z.object({
            draws: z.number(),
            rank_spearman: spread,
            pair_order_agreement: spread,
            same_leader: z.number(),
            released_leader_alternative: z.number(),
            released_leader_original: z.number(),
          }),
        }),
      ),
    }),
  },
  planned: {
    seed: SEED_PUBLISHED,
    defaults: { draws: () => DRAWS_PUBLISHED, order: (rng) => rulesOf({ rng }).order },
  },
  async run(given, options) {
    const { order } = rulesOf(options);
    const inputs = orderedInputs(given, order);
    const maps = await inputs.otherMaps();
    const grid = await inputs.answers();
    const random = randomOf(options, SEED_PUBLISHED);
    const draws = options.draws ?? DRAWS_PUBLISHED;
    const matrix = await inputs.matrix();
    const T = matrix.tasks.length;
    const released = {
      ...matrix,
      scale: 100,
      values: Float64Array.from(grid.actions, (action, at) => grid.tasks[at % T]!.scores[action]!),
    };
    const results = await checkpointAgreement({
      matrix: released,
      maps: grid.tasks.map(({ id, family, panel, scores }) => ({
        id,
        family,
        panel,
        keys: PORTFOLIOS,
        scores,
        task: null,
      })),
      actions: grid.actions,
      checkpoints: maps,
      order,
      draws,
      random,
      engine: await inputs.engine(),
    });
    return {
      plan: { checkpoints: maps.map(({ name }) => name), draws, rng: options.rng, order },
      results: { checkpoints: results },
      models: rankedByScore(released, order),
      rng: options.rng,
      seed: random.seed,
      streams: streamOf(options, 'anchors', CHECKPOINT_STREAM),
      warnings: [],
    };
  },
  columns({ results }) {
    const rows = results.checkpoints.flatMap(({ checkpoint, board }) => board.map((row) => ({ checkpoint, ...row })));
    return columnsOf(rows, {
      checkpoint: ['text', (row) => row.checkpoint],
      model: ['text', (row) => row.model_id],
      score: ['float64', (row) => row.score],
      rank: ['int32', (row) => row.rank],
      original_score: ['float64', (row) => row.original_score],
      original_rank: ['int32', (row) => row.original_rank],
    });
  },
  words: ({ results }) =>
    `${results.checkpoints.map(sentence).join(' ')} The answers are the same; only the reward model changed. It shows how far the order hangs on one reward model, not which reward model is right.`,
  draw: async ({ results, models }, options) =>
    (await import('./figure.js')).drawCheckpoints(results.checkpoints, { ...options, models }),
  figures: [checkpointsFigure],
  tables: [{ number: 5, name: 'checkpoints', needs: 'the checkpoints analysis', make: checkpointsTable }],
};

function sentence(result: CheckpointResult): string {
  const { checkpoint, task_maps, rank_spearman, pair_order_agreement, bootstrap } = result;
  return `Under ${checkpoint} the maps of single tasks keep a median rank correlation of ${three(task_maps.rank_median)} and the same optimum on ${percent(task_maps.same_optimum_rate, 1)} of tasks; the models keep a rank correlation of ${three(rank_spearman)} (bootstrap ${three(bootstrap.rank_spearman.low)} to ${three(bootstrap.rank_spearman.high)}) and ${percent(pair_order_agreement, 1)} of pair orders, and ${ledWords(result)}.`;
}

/** Says who leads under the other maps, and whether that is who led before. */
function ledWords({ board }: CheckpointResult): string {
  const led = board.filter(({ original_rank }) => original_rank === 1).map(({ model_id }) => model_id);
  const leads = board.filter(({ rank }) => rank === 1).map(({ model_id }) => model_id);
  const same = led.length === leads.length && led.every((id) => leads.includes(id));
  const names = nameList(leads);
  if (same) return leads.length === 1 ? `${names} still leads` : `${names} still share the lead`;
  if (leads.length > 1) return `${names} share the lead instead`;
  return led.includes(names) ? `${names} leads alone` : `${names} leads instead`;
}
