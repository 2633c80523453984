import { sortedQuantile } from '../engine/quantile.js';
import { averageSpearman, pearson } from '../util/correlation.js';
import { fail, shown } from '../util/error.js';
import { choicesDigest } from './choices-digest.js';
import type { MapRow } from './maps-read.js';
import { BEST_BPS } from './task-row.js';

/** How two maps of one task agree (analyses 7). */
export interface TaskAgreement {
  readonly id: string;
  readonly family: string;
  readonly panel: string;
  /** Correlation of average ranks; null when a map is constant. */
  readonly rank: number | null;
  readonly pearson: number | null;
  /** Whether every score is the same. */
  readonly same: boolean;
  /** Whether the same portfolios score 10000. */
  readonly sameOptima: boolean;
  readonly optima: readonly [number, number];
  /** Mean of each map, in points. */
  readonly chance: readonly [number, number];
}

export interface AgreementSummary {
  readonly tasks: number;
  readonly rank_median: number;
  readonly rank_quartiles: readonly [number, number];
  readonly rank_95: readonly [number, number];
  readonly pearson_mean: number;
  readonly pearson_median: number;
  readonly same_optimum_rate: number;
  readonly mean_absolute_chance_shift: number;
}

export interface MapComparison {
  readonly tasks: readonly TaskAgreement[];
  readonly summary: AgreementSummary;
  readonly byFamily: ReadonlyMap<string, AgreementSummary>;
  /** Ids of the tasks whose maps differ in some score. */
  readonly different: readonly string[];
  /** Tasks whose choices both sides name or state the digest of; the others are matched by id, family and panel alone. */
  readonly matchedByChoices: number;
  /** Ids that only one side has. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

function optimaOf(scores: Uint16Array): number[] {
  return [...scores.keys()].filter((i) => scores[i] === BEST_BPS);
}

function meanPoints(scores: Uint16Array): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length / 100;
}

const HINT = 'Both files must hold maps of the same tasks.';

/** Ids alone do not make two tasks one: sets of different worlds number theirs alike. */
function assertSameTask(a: MapRow, b: MapRow): void {
  const place = { path: `task ${a.id}` };
  const families = [a.family, b.family].filter((family) => family !== '');
  if (families.length === 2 && families[0] !== families[1])
    fail('TASK_MISMATCH', place, `its family is ${shown(a.family)} on one side, ${shown(b.family)} on the other`, HINT);
  if (a.panelStated && b.panelStated && a.panel !== b.panel)
    fail('TASK_MISMATCH', place, `its panel is ${shown(a.panel)} on one side, ${shown(b.panel)} on the other`, HINT);
  if (a.keys.join() !== b.keys.join())
    fail(
      'TASK_MISMATCH',
      place,
      `${a.keys.length} keys from ${a.keys[0]} on one side, ${b.keys.length} from ${b.keys[0]} on the other`,
      HINT,
    );
  const [x, y] = [choicesOf(a), choicesOf(b)];
  const label = x && y ? x.findIndex((name, i) => name !== y[i]) : -1;
  if (label >= 0)
    fail(
      'TASK_MISMATCH',
      place,
      `choice ${String.fromCharCode(65 + label)} is ${shown(x![label])} on one side, ${shown(y![label])} on the other`,
      HINT,
    );
  const digests = [digestOf(a), digestOf(b)];
  if (digests[0] && digests[1] && digests[0] !== digests[1])
    fail(
      'TASK_MISMATCH',
      place,
      `its choices have the digest ${digests[0]} on one side, ${digests[1]} on the other`,
      HINT,
    );
}

const choicesOf = ({ choices, task }: MapRow) => choices ?? task?.choices ?? null;

/** The digest of the choices, stated or taken; null where nothing says what they are (reading 3.5). */
function digestOf(row: MapRow): string | null {
  if (row.choicesSha256) return row.choicesSha256;
  const choices = choicesOf(row);
  return choices && choicesDigest(choices);
}

function agreement(a: MapRow, b: MapRow): TaskAgreement {
  assertSameTask(a, b);
  const optima = [optimaOf(a.scores), optimaOf(b.scores)] as const;
  return {
    id: a.id,
    family: a.family,
    panel: a.panel,
    rank: averageSpearman(a.scores, b.scores),
    pearson: pearson(a.scores, b.scores),
    same: a.scores.every((score, i) => score === b.scores[i]),
    sameOptima: optima[0].join() === optima[1].join(),
    optima: [optima[0].length, optima[1].length],
    chance: [meanPoints(a.scores), meanPoints(b.scores)],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function summarise(tasks: readonly TaskAgreement[]): AgreementSummary {
  const sorted = (values: (number | null)[]): number[] =>
    values.filter((value) => value !== null).sort((x, y) => x - y);
  const ranks = sorted(tasks.map((task) => task.rank));
  const linear = sorted(tasks.map((task) => task.pearson));
  if (ranks.length === 0) fail('TASK_MISMATCH', null, 'every map is constant; nothing can be correlated');
  const rank = (q: number): number => sortedQuantile(ranks, q);
  return {
    tasks: tasks.length,
    rank_median: rank(0.5),
    rank_quartiles: [rank(0.25), rank(0.75)],
    rank_95: [rank(0.025), rank(0.975)],
    pearson_mean: mean(linear),
    pearson_median: sortedQuantile(linear, 0.5),
    same_optimum_rate: tasks.filter((task) => task.sameOptima).length / tasks.length,
    mean_absolute_chance_shift: mean(tasks.map(({ chance: [x, y] }) => Math.abs(y - x))),
  };
}

/** Compares two sets of maps over the tasks both have, in the order of the first. Errors: TASK_MISMATCH. */
export function compareMaps(first: readonly MapRow[], second: readonly MapRow[]): MapComparison {
  const other = new Map(second.map((row) => [row.id, row]));
  const own = new Set(first.map(({ id }) => id));
  const tasks = first.flatMap((row) => {
    const match = other.get(row.id);
    return match ? [agreement(row, match)] : [];
  });
  if (tasks.length === 0) {
    const ids = [first, second].map((rows) => `${rows.length} tasks${rows[0] ? ` from ${shown(rows[0].id)}` : ''}`);
    fail(
      'TASK_MISMATCH',
      null,
      `the two sides have no task in common: ${ids[0]} on one, ${ids[1]} on the other`,
      'Task ids must be the same on both sides.',
    );
  }
  const families = [...new Set(tasks.map(({ family }) => family))];
  return {
    tasks,
    summary: summarise(tasks),
    byFamily: new Map(families.map((family) => [family, summarise(tasks.filter((task) => task.family === family))])),
    different: tasks.filter(({ same }) => !same).map(({ id }) => id),
    matchedByChoices: first.filter((row) => {
      const match = other.get(row.id);
      return match && digestOf(row) !== null && digestOf(match) !== null;
    }).length,
    onlyFirst: first.filter(({ id }) => !other.has(id)).map(({ id }) => id),
    onlySecond: second.filter(({ id }) => !own.has(id)).map(({ id }) => id),
  };
}
