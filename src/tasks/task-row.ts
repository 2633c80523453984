import { type ErrorPlace, fail, shown } from '../util/error.js';
import { roundHalfEven } from '../util/round.js';
import { isWellFormed, normalizeName } from '../util/text.js';
import { LABELS, PORTFOLIO_INDEX, PORTFOLIOS, type Task } from './task.js';

/** One task as read from JSON, not yet trusted. */
export type TaskRow = Readonly<Record<string, unknown>>;

export const BEST_BPS = 10_000;

export interface RowPlace {
  readonly file: string;
  /** Line of a row file. */
  readonly line?: number;
  /** Place in a document, for example `tasks[3]`. */
  readonly path?: string;
}

export const VERIFY_OR_FETCH = 'Run `flavourbench tasks verify` on the file, or fetch it again.';

/** Says where a field of a task stands. */
export function fieldPlace({ file, line, path }: RowPlace, field: string): ErrorPlace {
  return { file, line, path: path === undefined ? field : `${path}.${field}` };
}

/** Says what was expected of a field and what was found, and of which task where its id is known. */
export function unfit(expected: string, found: unknown, task?: string): string {
  return `${expected} expected, found ${shown(found)}${task === undefined ? '' : ` (task ${task})`}`;
}

/** Gives a task's panel: the field of its row, else the replication index of its document (collection 2.1). */
export function panelOf(row: TaskRow, replication: number): string {
  for (const key of ['panel', 'release_panel', 'source_panel']) {
    const value = row[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return `panel_${replication}`;
}

/** Rounds the mean of a map's scores, basis points (compiler b.5). */
export function chanceOf(scores: Uint16Array): number {
  let sum = 0;
  for (const score of scores) sum += score;
  return roundHalfEven(sum / scores.length);
}

/** Takes the second best score from the best, basis points; 0 where two share the optimum. */
export function marginOf(scores: Uint16Array): number {
  let best = 0;
  let second = 0;
  for (const score of scores) {
    if (score > best) {
      second = best;
      best = score;
    } else if (score > second) second = score;
  }
  return best - second;
}

/**
 * Makes a task of a row of any released form, checked as the laboratory kit checks it (collection 2.1): 56 exact integer
 * scores, one optimum, the right chance score, eight distinct names where there are names. Written by hand and not as a
 * schema: most of what is checked holds between fields. Errors: SCHEMA_INVALID.
 */
export function taskFromRow(row: TaskRow, place: RowPlace, replication = 1): Task {
  const id = row.task_id;
  if (typeof id !== 'string' || id === '') {
    fail('SCHEMA_INVALID', fieldPlace(place, 'task_id'), unfit('a non-empty text', id), VERIFY_OR_FETCH);
  }
  if (!isWellFormed(id))
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'task_id'),
      unfit('a text without halves of surrogate pairs', id),
      VERIFY_OR_FETCH,
    );
  const text = (field: string): string => {
    const value = row[field];
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string')
      fail('SCHEMA_INVALID', fieldPlace(place, field), unfit('a text', value, id), VERIFY_OR_FETCH);
    return value;
  };
  const family = text('family');
  if (family === '')
    fail('SCHEMA_INVALID', fieldPlace(place, 'family'), unfit('a non-empty text', row.family, id), VERIFY_OR_FETCH);
  const scores = scoresOf(row.selection_scores_bps, place, id);
  const best = scores.indexOf(BEST_BPS);
  if (best < 0 || scores.indexOf(BEST_BPS, best + 1) >= 0) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'selection_scores_bps'),
      unfit('exactly one score of 10000', best < 0 ? 'none' : 'several', id),
      VERIFY_OR_FETCH,
    );
  }
  const optimal = PORTFOLIO_INDEX.get(row.optimal_selection as string);
  if (optimal !== best) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'optimal_selection'),
      unfit(PORTFOLIOS[best]!, row.optimal_selection, id),
      VERIFY_OR_FETCH,
    );
  }
  const chance = chanceOf(scores);
  if (row.chance_score_bps !== chance) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'chance_score_bps'),
      unfit(String(chance), row.chance_score_bps, id),
      VERIFY_OR_FETCH,
    );
  }
  const stratum = row.validation_stratum;
  if (stratum !== undefined && !Number.isSafeInteger(stratum)) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'validation_stratum'),
      unfit('an integer below 2^53', stratum, id),
      VERIFY_OR_FETCH,
    );
  }
  const anchor = text('anchor_ingredient');
  return {
    id,
    family,
    panel: panelOf(row, replication),
    anchor,
    cluster: text('cluster_id') || anchor,
    stratum: (stratum as number | undefined) ?? 0,
    category: text('primary_category'),
    prompt: text('prompt'),
    choices: choicesOf(row.choices, place, id),
    scores,
    optimal,
    chance,
    margin: marginOf(scores),
  };
}

function scoresOf(value: unknown, place: RowPlace, id: string): Uint16Array {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'selection_scores_bps'),
      unfit('an object of 56 scores', value, id),
      VERIFY_OR_FETCH,
    );
  }
  const map = value as Readonly<Record<string, unknown>>;
  const scores = new Uint16Array(PORTFOLIOS.length);
  const keys = Object.keys(map);
  const values = Object.values(map);
  PORTFOLIOS.forEach((key, i) => {
    const score = keys[i] === key ? values[i] : map[key];
    if (!Number.isInteger(score) || (score as number) < 0 || (score as number) > BEST_BPS) {
      fail(
        'SCHEMA_INVALID',
        fieldPlace(place, `selection_scores_bps.${key}`),
        unfit('an integer from 0 to 10000', score, id),
        VERIFY_OR_FETCH,
      );
    }
    scores[i] = score as number;
  });
  if (keys.length !== PORTFOLIOS.length) {
    const extra = keys.find((key) => !PORTFOLIO_INDEX.has(key));
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'selection_scores_bps'),
      unfit('the 56 keys ABC to FGH', extra, id),
      VERIFY_OR_FETCH,
    );
  }
  return scores;
}

function choicesOf(value: unknown, place: RowPlace, id: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'choices'),
      unfit('an object with the keys A to H', value, id),
      VERIFY_OR_FETCH,
    );
  }
  const map = value as Readonly<Record<string, unknown>>;
  const names = [...LABELS].map((label) => {
    const name = map[label];
    if (typeof name !== 'string' || normalizeName(name) === '') {
      fail('SCHEMA_INVALID', fieldPlace(place, `choices.${label}`), unfit('a name', name, id), VERIFY_OR_FETCH);
    }
    return name;
  });
  if (Object.keys(map).length !== names.length) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'choices'),
      unfit('the keys A to H', Object.keys(map).join(''), id),
      VERIFY_OR_FETCH,
    );
  }
  const distinct = new Set(names.map(normalizeName));
  if (distinct.size !== names.length) {
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'choices'),
      unfit('eight distinct names', names.join(', '), id),
      VERIFY_OR_FETCH,
    );
  }
  return names;
}
