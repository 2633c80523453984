import type { Sheet } from './figure-rows.js';
import { byRank, modelName } from './names.js';
import { sensitivityOf } from './source.js';
import type { ReleaseView } from './view.js';

/** Rows of the figures that are drawn from analysis documents; null everywhere means that the document is not there. */

export const PRECISION_SERIES = [
  ['rank_spearman', 'rank correlation'],
  ['all_pair_order_agreement', 'pair order'],
  ['top_5_overlap', 'top-five overlap'],
  ['top_1_preserved', 'leader kept'],
] as const;

export interface PrecisionPoint {
  readonly tasks: number;
  readonly series: string;
  /** Median over subsets; for a kept leader the mean: a share of the subsets. */
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Agreement of smaller task sets with the whole (figure 4). */
export function precisionPoints(view: ReleaseView): PrecisionPoint[] | null {
  const results = sensitivityOf(view, 'precision');
  if (results === null) return null;
  return results.objects('sizes').flatMap((size) => {
    const metrics = size.object('metrics');
    return PRECISION_SERIES.flatMap(([key, series]): PrecisionPoint[] => {
      const summary = metrics.optional(key);
      if (summary === null) return [];
      const tasks = size.number('tasks');
      if (key === 'top_1_preserved') return [{ tasks, series, value: summary.number('mean'), low: null, high: null }];
      const value = summary.number('median');
      return [{ tasks, series, value, low: summary.number('p2_5'), high: summary.number('p97_5') }];
    });
  });
}

export function precisionSheet(view: ReleaseView): Sheet | null {
  const points = precisionPoints(view);
  return (
    points && {
      header: ['tasks', 'quantity', 'value', 'p2_5', 'p97_5'],
      rows: points.map((p) => [p.tasks, p.series, p.value, p.low ?? '', p.high ?? '']),
    }
  );
}

export interface KeptRow {
  readonly rank: number;
  readonly name: string;
  readonly id: string;
  readonly share: number;
  readonly leaderKept: boolean;
}

/** Share of the tasks kept when a model is left out, by rank (figure 9, first part). */
export function keptRows(view: ReleaseView): KeptRow[] | null {
  const results = sensitivityOf(view, 'roster');
  if (results === null) return null;
  const omissions = new Map(results.objects('omissions').map((row) => [row.text('omitted'), row]));
  return byRank(view.leaderboard.models).flatMap((model) => {
    const row = omissions.get(model.modelId);
    if (row === undefined) return [];
    return [
      {
        rank: model.rank,
        name: modelName(view, model),
        id: model.modelId,
        share: row.number('kept_share'),
        leaderKept: row.flag('leader_kept'),
      },
    ];
  });
}

export const METRIC_NAME: Readonly<Record<string, string>> = {
  flavourbench_score: 'FlavourBench Score',
  chance_adjusted_gain: 'Chance-adjusted gain',
  action_percentile: 'Action percentile',
  exact_optimum_rate: 'Exact-optimum rate',
};

export interface AgreementRow {
  /** What is compared with the primary board. */
  readonly label: string;
  readonly correlation: number;
  readonly pairOrder: number;
  readonly leader: string;
}

/** Agreement of each summary of the answers with the score (figure 9, second part; table 4). */
export function metricRows(view: ReleaseView): AgreementRow[] | null {
  const results = sensitivityOf(view, 'metrics');
  return results === null
    ? null
    : results.objects('metrics').map((row) => ({
        label: METRIC_NAME[row.text('metric')] ?? row.text('metric'),
        correlation: row.number('rank_spearman'),
        pairOrder: row.number('pair_order_agreement'),
        leader: row.text('leader'),
      }));
}

export function selectionSheet(view: ReleaseView): Sheet | null {
  const kept = keptRows(view);
  const metrics = metricRows(view);
  if (kept === null && metrics === null) return null;
  return {
    header: ['part', 'subject', 'quantity', 'value'],
    rows: [
      ...(kept ?? []).flatMap((row) => [
        ['roster', row.id, 'kept_share', row.share],
        ['roster', row.id, 'leader_kept', String(row.leaderKept)],
      ]),
      ...(metrics ?? []).flatMap((row) => [
        ['summary', row.label, 'rank_correlation', row.correlation],
        ['summary', row.label, 'pair_order_agreement', row.pairOrder],
      ]),
    ],
  };
}

export interface CheckpointRow extends AgreementRow {
  readonly taskMap: number;
  readonly correlationRange: readonly [number, number];
  readonly pairRange: readonly [number, number];
  /** Rank of each model under these maps, by id. */
  readonly ranks: ReadonlyMap<string, number>;
}

/** The board under other reward maps (figure 10; table 5). */
export function checkpointRows(view: ReleaseView): CheckpointRow[] | null {
  const results = sensitivityOf(view, 'checkpoints');
  return results === null
    ? null
    : results.objects('checkpoints').map((row) => {
        const bootstrap = row.object('bootstrap');
        const spread = (key: string): [number, number] => {
          const part = bootstrap.object(key);
          return [part.number('low'), part.number('high')];
        };
        return {
          label: row.text('checkpoint'),
          taskMap: row.object('task_maps').number('rank_median'),
          correlation: row.number('rank_spearman'),
          correlationRange: spread('rank_spearman'),
          pairOrder: row.number('pair_order_agreement'),
          pairRange: spread('pair_order_agreement'),
          leader: row.text('leader'),
          ranks: new Map(row.objects('board').map((model) => [model.text('model_id'), model.number('rank')])),
        };
      });
}

/** Models whose ranks are followed through the checkpoints. */
export const FOLLOWED = 10;

export function checkpointSheet(view: ReleaseView): Sheet | null {
  const rows = checkpointRows(view);
  if (rows === null) return null;
  const followed = byRank(view.leaderboard.models).slice(0, FOLLOWED);
  return {
    header: ['part', 'map', 'subject', 'value', 'low', 'high'],
    rows: [
      ...followed.map((model) => ['rank', 'primary', model.modelId, model.rank, '', '']),
      ...rows.flatMap(({ label, ranks }) =>
        followed.map(({ modelId }) => ['rank', label, modelId, ranks.get(modelId) ?? '', '', '']),
      ),
      ...rows.flatMap((row) => [
        ['agreement', row.label, 'rank_correlation', row.correlation, ...row.correlationRange],
        ['agreement', row.label, 'pair_order_agreement', row.pairOrder, ...row.pairRange],
      ]),
    ],
  };
}

export interface SubstitutionRow {
  readonly space: string;
  readonly pairs: number;
  readonly percentile: number;
  readonly low: number;
  readonly high: number;
  readonly novel: { readonly pairs: number; readonly percentile: number } | null;
  readonly hitAt10: number;
}

/** Where people's substitutes stand among their food group (figure 11; table 6). */
export function substitutionRows(view: ReleaseView): SubstitutionRow[] | null {
  const results = sensitivityOf(view, 'substitutions');
  return results === null
    ? null
    : results.objects('spaces').map((row) => {
        const all = row.object('all');
        const novel = row.optional('novel');
        const [low, high] = all.range('interval');
        return {
          space: row.text('space'),
          pairs: all.number('pairs'),
          percentile: all.number('percentile'),
          low,
          high,
          novel: novel && { pairs: novel.number('pairs'), percentile: novel.number('percentile') },
          hitAt10: row.object('vocabulary').number('hit_at_10'),
        };
      });
}

export function substitutionSheet(view: ReleaseView): Sheet | null {
  const rows = substitutionRows(view);
  return (
    rows && {
      header: ['space', 'pairs', 'count', 'percentile', 'low', 'high'],
      rows: rows.flatMap((row) => [
        [row.space, 'all', row.pairs, row.percentile, row.low, row.high],
        ...(row.novel === null ? [] : [[row.space, 'novel', row.novel.pairs, row.novel.percentile, '', '']]),
      ]),
    }
  );
}
