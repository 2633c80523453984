import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/io/json.js';
import { type Companions, openPublished } from '../../src/published/open-published.js';
import type { ReleaseView } from '../../src/release/view.js';
import { filledDocument } from '../support/filled-document.js';
import { CORE_PLAN, RELEASE_JSON, TASK_SETS } from '../support/released-files.js';
import { shared } from '../support/shared.js';

export const releasedTex = (name: string) => readFileSync(shared(`data/release/complete-core-${name}.tex`), 'utf8');

/** The published release, with plan and task sets unless told otherwise. */
export function publishedView(companions?: Companions): ReleaseView {
  return openPublished(RELEASE_JSON(), companions ?? { core: CORE_PLAN(), tasks: TASK_SETS() });
}

// biome-ignore lint/suspicious/noExplicitAny: a flat list of published numbers of every kind
type Values = Readonly<Record<string, any>>;

const values = (): Values => JSON.parse(readFileSync(shared('published/values.json'), 'utf8'));

const document = (name: string, results: unknown): [string, JsonObject] => [
  name,
  filledDocument(`flavourbench-sensitivity-${name}/1`, results),
];

const PRECISION_KEYS = ['all_pair_order_agreement', 'rank_spearman', 'top_1_preserved', 'top_5_overlap'];

/** The published figures of every analysis, in the shape of our documents. */
export function publishedAnalyses(view: ReleaseView): Map<string, JsonObject> {
  const v = values();
  const ids = view.leaderboard.models.map(({ modelId }) => modelId);
  const sizes = (v['stability.task_counts'] as number[]).map((tasks) => ({
    tasks,
    per_stratum: tasks / 6,
    draws: v[`stability.${tasks}.replicates`],
    metrics: Object.fromEntries(
      PRECISION_KEYS.map((key) => [
        key,
        Object.fromEntries(['mean', 'median', 'p2_5', 'p97_5'].map((s) => [s, v[`stability.${tasks}.${key}.${s}`]])),
      ]),
    ),
  }));
  const checkpoints = ['cooc', 'core', 'chem'].map((checkpoint) => {
    const at = (key: string) => v[`scorer.${checkpoint}.${key}`];
    const spread = (name: string) => {
      const [low, high] = at(`${name}_ci`) as [number, number];
      return { median: at(`${name}_median`), low, high };
    };
    return {
      checkpoint: `Epicure-${checkpoint[0]?.toUpperCase()}${checkpoint.slice(1)}`,
      task_maps: { rank_median: at('task_map_rho_median') },
      rank_spearman: at('model_rank_spearman'),
      pair_order_agreement: at('pair_order_agreement'),
      leader: at('point_leader'),
      bootstrap: {
        rank_spearman: spread('bootstrap_rank_spearman'),
        pair_order_agreement: spread('bootstrap_pair'),
      },
      board: ids.map((id) => ({ model_id: id, rank: at(`model.${id}.point_rank`) })),
    };
  });
  const spaces = ['cooc', 'core', 'chem'].map((space) => {
    const at = (key: string) => v[`substitution.${space}.${key}`];
    return {
      space: `${space[0]?.toUpperCase()}${space.slice(1)}`,
      all: { pairs: at('unique_pairs'), percentile: at('percentile'), interval: at('ci') },
      novel: { pairs: at('novel_unique_pairs'), percentile: at('novel_percentile'), interval: at('novel_ci') },
      vocabulary: { hit_at_10: at('hit_at_10') },
    };
  });
  return new Map([
    document('precision', { sizes }),
    document('roster', {
      tasks: view.leaderboard.tasks,
      omissions: ids.map((id) => ({
        omitted: id,
        kept_share: v[`roster.${id}.retained_fraction`],
        leader_kept: v[`roster.${id}.point_leader_preserved`],
      })),
    }),
    document('metrics', {
      metrics: ['flavourbench_score', 'chance_adjusted_gain', 'action_percentile', 'exact_optimum_rate'].map(
        (metric) => ({
          metric,
          rank_spearman: v[`robustness.metric.${metric}.rank_spearman`],
          pair_order_agreement: v[`robustness.metric.${metric}.pair_order_agreement`],
          leader: v[`robustness.metric.${metric}.point_leader`],
        }),
      ),
    }),
    document('checkpoints', { checkpoints }),
    document('substitutions', { spaces }),
    ...(['primary', 'secondary'] as const).map((stage) => transferDocument(v, stage)),
  ]);
}

function transferDocument(v: Values, stage: 'primary' | 'secondary'): [string, JsonObject] {
  const part = stage === 'primary' ? 'transfer.primary' : 'transfer.public';
  const seeds = [20260824, 20260825, 20260826];
  const families = ['substitution', 'pairing', 'constraint'];
  const conditions = ['pretrained_base', 'sft_format_control', 'sft_epicure_optimum'].map((condition) => {
    const at = (key: string) => v[`${part}.condition.${condition}.${key}`];
    const runs = condition === 'pretrained_base' ? ['none'] : seeds;
    return {
      condition,
      score: at('score_unconditional_mean'),
      families: Object.fromEntries(
        families.map((family) => [family, { score: at(`family.${family}.score_unconditional_mean`) }]),
      ),
      runs: runs.map((seed) => ({
        seed: seed === 'none' ? null : seed,
        score: at(`run.${seed}.score_unconditional`),
      })),
    };
  });
  return [
    `transfer-${stage}`,
    filledDocument(
      'flavourbench-transfer-analysis/1',
      {
        stage,
        tasks: stage === 'primary' ? 84 : 534,
        training_seeds: seeds,
        conditions,
        contrast: {
          estimate: v[`${part}.estimate`],
          interval: v[`${part}.ci`],
          sign_flip_p: v[`${part}.p`],
          per_seed: v[`${part}.per_seed`],
        },
      },
      { threshold_points: 3, draws: 50000, flips: 100000, alpha: 0.05 },
    ),
  ];
}
