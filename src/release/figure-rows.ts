import { type FigureData, percent } from '../analyses/analysis.js';
import { isFrozen } from '../inference/plan.js';
import type { Interval, Leaderboard, ModelResult } from '../inference/result.js';
import { RANKED_FAMILIES } from '../tasks/task.js';
import { thousands } from '../util/format.js';
import { byRank, familiesOf, familyName, isFood, modelName, simulatedModels } from './names.js';
import type { ReleaseView } from './view.js';

export interface ForestRow {
  readonly rank: number;
  readonly rankTied: boolean | null;
  readonly name: string;
  readonly id: string;
  readonly score: number;
  /** Of all models at once, points. */
  readonly low: number;
  readonly high: number;
  /** Of the model alone. */
  readonly alone: Interval;
  /** What says which models are not told apart: letters, or the group of version 1 as `G1`; empty past 26 letters. */
  readonly mark: string;
}

/** Tells whether a release is of version 1, which knows groups and intervals of ranks, and neither letters nor rank sets. */
export function isGrouped({ leaderboard }: Pick<ReleaseView, 'leaderboard'>): boolean {
  return isFrozen(leaderboard.plan);
}

/** Lists scores with simultaneous intervals, points, best first (figure 2). */
export function forestRows(view: ReleaseView): ForestRow[] {
  return byRank(view.leaderboard.models).map((model) => ({
    rank: model.rank,
    rankTied: model.rankTied,
    name: modelName(view, model),
    id: model.modelId,
    score: model.score,
    low: model.simultaneous[0],
    high: model.simultaneous[1],
    alone: model.pointwise,
    mark: isGrouped(view) ? `G${model.group}` : (model.letters ?? ''),
  }));
}

/** Forms the mean over models of the score of a random answer, points; null where it is not known. */
export function meanChance({ models }: Leaderboard): number | null {
  const scores = models.flatMap(({ chance }) => (chance === null ? [] : [chance.score]));
  return scores.length === 0 ? null : scores.reduce((a, b) => a + b, 0) / scores.length;
}

/** Writes figure 2 as a table: one row a model, by rank. */
export function forestData(view: ReleaseView): FigureData {
  const chance = meanChance(view.leaderboard) ?? '';
  const grouped = isGrouped(view);
  return {
    header: [
      ...['rank', 'model', 'model_id', 'score', 'low', 'high'],
      ...(grouped ? ['group'] : ['alone_low', 'alone_high', 'letters']),
      'mean_exact_chance',
    ],
    rows: forestRows(view).map((row) => [
      ...[row.rank, row.name, row.id, row.score, row.low, row.high],
      ...(grouped ? [Number(row.mark.slice(1))] : [...row.alone, row.mark]),
      chance,
    ]),
  };
}

export interface PanelRow {
  readonly rank: number;
  readonly rankTied: boolean | null;
  readonly name: string;
  readonly id: string;
  readonly first: number;
  readonly second: number;
}

/** Lists scores on the two panels, points, by rank (figure 3); null for one panel. */
export function panelRows(view: ReleaseView): PanelRow[] | null {
  const { models, replication } = view.leaderboard;
  if (replication === null) return null;
  return byRank(models).map((model) => {
    const [first, second] = replication.scores[models.indexOf(model)]!;
    return { ...model, name: modelName(view, model), id: model.modelId, first, second };
  });
}

/** Writes figure 3 as a table: one row a model, by rank; null for one panel. */
export function panelData(view: ReleaseView): FigureData | null {
  const rows = panelRows(view);
  const panels = view.leaderboard.replication?.panels;
  if (rows === null || panels === undefined) return null;
  return {
    header: ['rank', 'model', 'model_id', ...panels],
    rows: rows.map((row) => [row.rank, row.name, row.id, row.first, row.second]),
  };
}

export type Verdict = 'higher' | 'lower' | 'unresolved';

export interface PairCell {
  /** Places in the order by rank, from 0; the row is before the column. */
  readonly row: number;
  readonly column: number;
  /** Of the row against the column. */
  readonly verdict: Verdict;
  /** Row minus column, points. */
  readonly difference: number;
}

const INVERSE: Readonly<Record<Verdict, Verdict>> = { higher: 'lower', lower: 'higher', unresolved: 'unresolved' };

/** Lists every pair of models once, in rank order, the better rank as the row (figure 5). */
export function pairCells({ models, pairs }: Leaderboard): PairCell[] {
  const place = new Map(byRank(models).map((model, k) => [model, k]));
  const at = (index: number) => place.get(models[index]!)!;
  const cells = pairs.map(({ left, right, significant, direction, meanDifference }): PairCell => {
    const verdict =
      !significant || direction === 'tie' ? 'unresolved' : direction === 'left_higher' ? 'higher' : 'lower';
    const [row, column] = [at(left), at(right)];
    return row < column
      ? { row, column, verdict, difference: meanDifference }
      : { row: column, column: row, verdict: INVERSE[verdict], difference: -meanDifference };
  });
  return cells.sort((a, b) => a.row - b.row || a.column - b.column);
}

/** Writes figure 5 as a table: one row a pair, or an ordered pair in version 1, which states no difference there. */
export function pairData(view: ReleaseView): FigureData {
  const order = byRank(view.leaderboard.models).map(({ modelId }) => modelId);
  const cells = pairCells(view.leaderboard);
  const written = ({ row, column, verdict }: PairCell) => [order[row]!, order[column]!, verdict];
  const header = ['row_model_id', 'column_model_id', 'row_is'];
  if (!isGrouped(view))
    return { header: [...header, 'difference'], rows: cells.map((cell) => [...written(cell), cell.difference]) };
  const inverse = cells.map(({ row, column, verdict, difference }) => ({
    row: column,
    column: row,
    verdict: INVERSE[verdict],
    difference: -difference,
  }));
  return {
    header,
    rows: [...cells, ...inverse].sort((a, b) => a.row - b.row || a.column - b.column).map(written),
  };
}

/** Writes figure 6 as a table: one row a model, by rank, with its score in each family, points. */
export function familyData(view: ReleaseView): FigureData {
  const { models } = view.leaderboard;
  const families = familiesOf(view.leaderboard);
  return {
    header: ['rank', 'model', 'model_id', ...families],
    rows: byRank(models).map((model) => [
      model.rank,
      modelName(view, model),
      model.modelId,
      ...families.map((family) => model.familyScores[family]!),
    ]),
  };
}

/** The ranks that a model's bar reaches over in figure 7: its rank set, or its bootstrap interval in version 1. */
export function shownRanks({ rankSet, rankInterval }: ModelResult): readonly [number, number] {
  return rankSet ?? rankInterval;
}

/** Writes figure 7 as a table: one row a model, by point rank, with its rank set, or in version 1 its bootstrap interval. */
export function rankData(view: ReleaseView): FigureData {
  const sets = view.leaderboard.models.some(({ rankSet }) => rankSet !== null);
  return {
    header: ['rank', 'model', 'model_id', ...(sets ? ['rank_set_low', 'rank_set_high'] : ['rank_low', 'rank_high'])],
    rows: byRank(view.leaderboard.models).map((model) => [
      model.rank,
      modelName(view, model),
      model.modelId,
      ...shownRanks(model),
    ]),
  };
}

/** A station on the way from environment to leaderboard. */
export interface Station {
  readonly title: string;
  readonly text: string;
  /** Whether answers go into it. */
  readonly answers: boolean;
}

/** Says of the models how they were asked. */
function askedText(view: ReleaseView): string {
  const models = view.leaderboard.models.length;
  if (view.kind === 'folder' && view.routes.length === 0) return `${models} models; how they were asked is not stated.`;
  const simulated = simulatedModels(view).size;
  if (simulated === models) return `${models} simulated responders: formulas; no model was asked.`;
  const some = simulated > 0 ? ` (${simulated} of them simulated)` : '';
  return `${models} endpoints${some}, one pinned route each; the environment is out of their reach.`;
}

/** Lists the stations, with the numbers of this release (figure 1). */
export function pipelineStations(view: ReleaseView): Station[] {
  const { leaderboard } = view;
  const portfolios = view.tasks?.[0]?.scores.length ?? 56;
  const families = familiesOf(leaderboard).map((family) => familyName(family).toLowerCase());
  const released = RANKED_FAMILIES.every((family) => familiesOf(leaderboard).includes(family));
  const panels = leaderboard.replication === null ? 1 : 2;
  const blind = view.kind === 'published' || view.corePlan !== null;
  return [
    isFood(view)
      ? {
          title: 'Culinary environment',
          text: 'Ingredient vectors, tags and operations, named by digest.',
          answers: false,
        }
      : {
          title: 'Environment',
          text: 'Items, their vectors or quantities, and the utility of a set, named by digest.',
          answers: false,
        },
    {
      title: 'Task compiler',
      text: `${thousands(leaderboard.tasks)} tasks${panels === 2 ? ' in two panels' : ''}: ${(released && families.length === 3) || families.length === 1 ? families.join(', ') : `${families.length} families`}. No model writes an item.`,
      answers: false,
    },
    {
      title: 'Exhaustive score map',
      text: `All ${portfolios} portfolios of every task scored 0–100: ${thousands(portfolios * leaderboard.tasks)} scores.`,
      answers: false,
    },
    {
      title: 'Models',
      text: askedText(view),
      answers: true,
    },
    {
      title: 'Set parser, complete core',
      text: `${blind ? 'Every marker of an answer names one set; tasks that every model answered, chosen without scores' : 'Every marker of an answer names one set; every model on every task'}: ${thousands(leaderboard.tasks * leaderboard.models.length)} answers.`,
      answers: true,
    },
    {
      title: 'Statistical release',
      text: `${thousands(leaderboard.pairs.length)} paired test${leaderboard.pairs.length === 1 ? '' : 's'} at familywise ${percent(leaderboard.plan.alpha)}, ${thousands(leaderboard.resolvedPairs)} ${isGrouped(view) ? 'resolved; intervals, ranks, groups' : 'told apart; intervals, rank sets, letters'}.`,
      answers: true,
    },
  ];
}

/** Writes figure 1 as a table: one row a station. */
export function pipelineData(view: ReleaseView): FigureData {
  return {
    header: ['station', 'title', 'text', isGrouped(view) ? 'fixed_before_answers' : 'needs_no_answer'],
    rows: pipelineStations(view).map((s, i) => [i + 1, s.title, s.text, String(!s.answers)]),
  };
}
