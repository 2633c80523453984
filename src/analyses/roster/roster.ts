import { z } from 'zod';
import { columnsOf } from '../../io/arrow.js';
import { rankAgreementFields } from '../agreement.js';
import { type Analysis, percent, type ReleasedOutcomes, type ReleaseFigure, three } from '../analysis.js';
import { ORDER, type RuleOptions, rulesOf } from '../declared-options.js';
import { metrics } from '../metrics/metrics.js';
import { metricRows } from '../metrics/scores.js';
import { leadRuleOf, type ModelOrder, orderedInputs, orderField, orderOf } from '../model-order.js';
import { candidateSelection } from '../selection.js';
import { keptRows, type RosterResults, rosterOmission } from './omission.js';

/** Results of the two analyses that one figure of a release shows. */
function selectionResults(outcomes: ReleasedOutcomes) {
  return {
    roster: outcomes.of(roster)[0]?.results ?? null,
    metrics: outcomes.of(metrics)[0]?.results.metrics ?? null,
  };
}

/** Tasks kept without each model, and agreement of other summaries of the answers. */
const selectionFigure: ReleaseFigure = {
  number: 9,
  name: 'selection',
  title: 'Task filter and score',
  needs: 'the roster or the metrics analysis',
  data(outcomes) {
    const found = selectionResults(outcomes);
    if (found.roster === null && found.metrics === null) return null;
    const kept = found.roster === null ? [] : keptRows(found.roster, outcomes.models);
    return {
      header: ['part', 'subject', 'quantity', 'value'],
      rows: [
        ...kept.flatMap((row) => [
          ['roster', row.id, 'kept_share', row.share],
          ['roster', row.id, 'leader_kept', String(row.leaderKept)],
        ]),
        ...metricRows(found.metrics ?? [], 'rows').flatMap((row) => [
          ['summary', row.label, 'rank_correlation', row.correlation ?? ''],
          ['summary', row.label, 'pair_order_agreement', row.pairOrder],
        ]),
      ],
    };
  },
  async draw(outcomes, options) {
    const { drawSelection } = await import('../selection-figure.js');
    return drawSelection(selectionResults(outcomes), { ...options, models: outcomes.models });
  },
};

interface RosterPlan {
  /** Absent in documents of version 1: `rows`. */
  readonly order?: ModelOrder;
  readonly selection_seed: string;
  readonly per_stratum: number;
}

/** What does leaving one model out do to the task set and to the order (analyses 3)? */
export const roster: Analysis<RosterPlan, RosterResults, RuleOptions> = {
  name: 'roster',
  summary: 'Each model left out, the core selected anew.',
  needs: {
    inputs: ['core', 'candidates'],
    words: '--core, and --pool or single answers (--responses or --ledger) with --tasks',
  },
  options: [ORDER],
  schema: {
    id: 'flavourbench-sensitivity-roster/1',
    plan: z.object({ selection_seed: z.string(), per_stratum: z.number(), order: orderField }),
    results: z.object({
      tasks: z.number(),
      omissions: z.array(
        z.object({
          omitted: z.string(),
          kept_tasks: z.number(),
          kept_share: z.number(),
          least_available: z.number(),
          ...rankAgreementFields,
        }),
      ),
      most_influential: z.string(),
    }),
  },
  async run(given, options) {
    const { order } = rulesOf(options);
    const inputs = orderedInputs(given, order);
    const pool = await inputs.candidates();
    const { rule, warnings } = candidateSelection(pool, await inputs.core());
    return {
      plan: { selection_seed: rule.seed, per_stratum: rule.perStratum, order },
      results: rosterOmission(rule, leadRuleOf(order)),
      models: [],
      rng: null,
      seed: null,
      streams: {},
      warnings,
    };
  },
  columns: ({ results }) =>
    columnsOf(results.omissions, {
      omitted: ['text', (row) => row.omitted],
      kept_tasks: ['int32', (row) => row.kept_tasks],
      kept_share: ['float64', (row) => row.kept_share],
      least_available: ['int32', (row) => row.least_available],
      rank_spearman: ['float64', (row) => row.rank_spearman],
      pair_order_agreement: ['float64', (row) => row.pair_order_agreement],
      mean_absolute_shift: ['float64', (row) => row.mean_absolute_shift],
      maximum_absolute_shift: ['float64', (row) => row.maximum_absolute_shift],
      leader: ['text', (row) => row.leader],
      leader_kept: ['bool', (row) => row.leader_kept],
    }),
  words({ plan, results }) {
    const { omissions, tasks, most_influential: most } = results;
    const first =
      orderOf(plan) === 'rows'
        ? 'which of the others comes first, of equal scores the first listed'
        : 'who leads the others, alone or with a shared score';
    const changed = omissions.filter(({ kept_tasks }) => kept_tasks < tasks);
    const moved = omissions.filter(({ leader_kept }) => !leader_kept);
    const worst = omissions.find(({ omitted }) => omitted === most);
    return `Leaving one model out and selecting the tasks anew changes the task set for ${changed.length} of ${omissions.length} models. The most influential is ${most}: without it ${percent(worst?.kept_share ?? 1, 1)} of the ${tasks} tasks stay, and the other models keep a rank correlation of ${three(worst?.rank_spearman ?? 1)} and ${percent(worst?.pair_order_agreement ?? 1, 1)} of their pair orders. ${moved.length === 0 ? `No omission changes ${first}` : `${moved.length === 1 ? 'One omission changes' : `${moved.length} omissions change`} ${first}: ${moved.map(({ omitted }) => omitted).join(', ')}`}. It shows what one model's failures decide; it does not show what a roster of other models would decide.`;
  },
  draw: async ({ results }, options) => (await import('./figure.js')).drawRoster(results, options),
  figures: [selectionFigure],
};
