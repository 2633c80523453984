import { csvText } from '../io/csv.js';
import { fixed, general } from '../util/format.js';
import type { ModelNames } from './document.js';
import type { ModelResult, PairResult } from './result.js';

const six = (value: number) => fixed(value, 6);

type Row = Pick<
  ModelResult,
  'index' | 'modelId' | 'score' | 'pointwise' | 'simultaneous' | 'rank' | 'rankInterval' | 'group'
>;

/** What the table of models shows of an inference. */
export interface LeaderboardRows {
  readonly tasks: number;
  readonly models: readonly (Row & {
    readonly chance: { readonly aboveChance: boolean } | null;
  })[];
}

/** What the table of pairs shows of an inference. */
export interface PairRows {
  readonly tasks: number;
  readonly models: readonly Pick<ModelResult, 'modelId'>[];
  readonly pairs: readonly Pick<
    PairResult,
    'left' | 'right' | 'meanDifference' | 'interval' | 'dz' | 'p' | 'holm' | 'significant' | 'direction'
  >[];
}

/** The released leaderboard table (collection 3.2): by rank, then model id; floats `%.6f`. */
export function leaderboardCsv(inference: LeaderboardRows, names?: readonly ModelNames[]): string {
  const models = [...inference.models].sort((a, b) => a.rank - b.rank || (a.modelId < b.modelId ? -1 : 1));
  return csvText(
    [
      'rank',
      'rank_group',
      'rank_ci_low',
      'rank_ci_high',
      'model',
      'model_id',
      'flavourbench_score',
      'pointwise_ci_low',
      'pointwise_ci_high',
      'simultaneous_ci_low',
      'simultaneous_ci_high',
      'valid_scored',
      'scheduled',
      'coverage',
      'above_exact_chance_holm',
    ],
    models.map((model) => [
      model.rank,
      model.group,
      ...model.rankInterval,
      names?.[model.index]?.name ?? model.modelId,
      model.modelId,
      six(model.score),
      ...model.pointwise.map(six),
      ...model.simultaneous.map(six),
      inference.tasks,
      inference.tasks,
      six(1),
      model.chance === null ? '' : String(model.chance.aboveChance),
    ]),
  );
}

/** The released table of pairs (collection 3.2): differences `%.6f`, dz `%.8f`, p `%.10g`. */
export function pairwiseCsv(inference: PairRows): string {
  const id = (index: number) => inference.models[index]!.modelId;
  return csvText(
    [
      'left_model_id',
      'right_model_id',
      'shared_valid_tasks',
      'mean_difference',
      'ci_low',
      'ci_high',
      'cohen_dz',
      'sign_flip_p',
      'holm_p',
      'holm_significant',
      'direction',
    ],
    inference.pairs.map((pair) => [
      id(pair.left),
      id(pair.right),
      inference.tasks,
      six(pair.meanDifference),
      ...pair.interval.map(six),
      pair.dz === null ? '' : fixed(pair.dz, 8),
      general(pair.p, 10),
      general(pair.holm, 10),
      String(pair.significant),
      pair.direction,
    ]),
  );
}
