import { z } from 'zod';
import { panelMajor } from '../../inference/rank-agreement.js';
import { columnsOf } from '../../io/arrow.js';
import type { TextTable } from '../../io/text-table.js';
import { agreementCells, leadersIn, ledBy, rankAgreementFields } from '../agreement.js';
import { type Analysis, percent, type ReleasedOutcomes, rankedByScore, three } from '../analysis.js';
import { ORDER, type RuleOptions, rulesOf } from '../declared-options.js';
import { leadRuleOf, type ModelOrder, orderedInputs, orderField, orderOf } from '../model-order.js';
import {
  METRIC_LABEL,
  METRICS,
  type MetricResult,
  metricLeaders,
  metricRows,
  metricScores,
  SCORE_NAME,
} from './scores.js';

interface MetricsPlan {
  /** Absent in documents of version 1: `rows`. */
  readonly order?: ModelOrder;
}

interface MetricsResults {
  readonly metrics: readonly MetricResult[];
}

/** Other summaries of the same answers (paper table 4). */
function metricsTable(outcomes: ReleasedOutcomes): TextTable | null {
  const [found] = outcomes.of(metrics);
  if (found === undefined) return null;
  const rows = metricRows(found.results.metrics, orderOf(found.plan));
  const score = { label: SCORE_NAME, correlation: 1, pairOrder: 1, leaders: leadersIn(outcomes.models) };
  const others = rows.filter(({ label }) => label !== SCORE_NAME);
  return {
    name: 'metrics',
    caption: 'Other summaries of the same decisions against the score.',
    columns: [
      { title: 'Score summary', align: 'left' },
      { title: 'Rank ρ', align: 'right' },
      { title: 'Pair order', align: 'right' },
      { title: 'Point leader', align: 'left' },
    ],
    rows: [rows.find(({ label }) => label === SCORE_NAME) ?? score, ...others].map((row) => [
      row.label,
      ...agreementCells(row, outcomes.models),
    ]),
  };
}

/** What do gain over chance, action percentile and exact optimum say of the same answers (analyses 5)? */
export const metrics: Analysis<MetricsPlan, MetricsResults, RuleOptions> = {
  name: 'metrics',
  summary: 'Gain over chance, action percentile, exact optimum.',
  needs: { inputs: ['matrix', 'answers'], words: 'single answers (--responses or --ledger) with --tasks' },
  options: [ORDER],
  schema: {
    id: 'flavourbench-sensitivity-metrics/1',
    plan: z.object({ order: orderField }),
    results: z.object({
      metrics: z.array(
        z.object({ metric: z.enum(METRICS), values: z.record(z.string(), z.number()), ...rankAgreementFields }),
      ),
    }),
  },
  async run(given, options) {
    const { order } = rulesOf(options);
    const inputs = orderedInputs(given, order);
    const grid = await inputs.answers();
    const matrix = await inputs.matrix();
    const scores = metricScores({
      models: grid.models,
      strata: panelMajor(matrix),
      maps: grid.tasks.map(({ scores: map }) => map),
      chance: grid.tasks.map(({ chance }) => chance),
      actions: grid.actions,
      lead: leadRuleOf(order),
    });
    return {
      plan: { order },
      results: {
        metrics: scores.map(({ metric, values, agreement }) => ({
          metric,
          values: Object.fromEntries(grid.models.map((model, m) => [model, values[m]!])),
          ...agreement,
        })),
      },
      models: rankedByScore(matrix, order),
      rng: null,
      seed: null,
      streams: {},
      warnings: [],
    };
  },
  columns({ results, models }) {
    const rows = results.metrics.flatMap(({ metric, values }) =>
      models.map(({ modelId }) => ({ metric, model: modelId, value: values[modelId]! })),
    );
    return columnsOf(rows, {
      metric: ['text', (row) => row.metric],
      model: ['text', (row) => row.model],
      value: ['float64', (row) => row.value],
    });
  },
  words({ plan, results }) {
    const others = results.metrics.filter(({ metric }) => metric in METRIC_LABEL);
    return `Against the primary score the order of the models keeps ${others.map(({ rank_spearman, pair_order_agreement, ...metric }) => `a rank correlation of ${three(rank_spearman)} and ${percent(pair_order_agreement, 1)} of pair orders under ${METRIC_LABEL[metric.metric]} (leader ${ledBy(metricLeaders(metric, orderOf(plan)))})`).join('; ')}. Equal counts of optima are ties. It shows how far the order hangs on the way the maps are read; all of them read the same maps.`;
  },
  draw: async ({ results }, options) => (await import('./figure.js')).drawMetrics(results.metrics, options),
  tables: [{ number: 4, name: 'metrics', needs: 'the metrics analysis', make: metricsTable }],
};
