import { subsets } from '../engine/maps.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { isObject, type JsonObject, type JsonPlace, parseJson } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { type MapWeights, statedWeights, worldUtility } from './family-rule.js';
import type { ConstraintVariant } from './feasibility.js';
import { BEST_BPS, fieldPlace, panelOf, type RowPlace, type TaskRow, unfit, VERIFY_OR_FETCH } from './task-row.js';
import { type RawTasks, rawTasks, replicationOf } from './taskset.js';

/** A task or a rescored map: what is needed to compare it, and, for tasks, to score it again. */
export interface MapRow {
  readonly id: string;
  readonly family: string;
  readonly panel: string;
  /** Whether the row or its document says which panel it is of; else the first is assumed. */
  readonly panelStated?: boolean;
  /** Portfolio keys, sorted. */
  readonly keys: readonly string[];
  /** Basis points in key order. */
  readonly scores: Uint16Array;
  /** Names of the choices in label order, where the row has them. */
  readonly choices?: readonly string[] | null;
  /** The digest of its choices that a recomputed map states. */
  readonly choicesSha256?: string | null;
  /** Null where the row holds a map alone. */
  readonly task: {
    readonly anchor: string;
    /** Names in label order. */
    readonly choices: readonly string[];
    readonly select: number;
    readonly region: string | null;
    readonly variant: ConstraintVariant | null;
    /** Null where the file states none. */
    readonly weights: MapWeights | null;
    /** What of its own world the utility is made of beside vectors; null where vectors are all. */
    readonly needs: string | null;
  } | null;
}

export interface MapFile {
  readonly path: string;
  readonly rows: readonly MapRow[];
  readonly input: InputFile;
  /** Environment the maps of a rescored file belong to, where it says so. */
  readonly checkpoint: string | null;
}

/** Schema of a document of rescored maps. */
export const MAPS_SCHEMA = 'flavourbench-maps/1';

/** The map of a row. Written by hand like `taskFromRow`: a file may hold a million rows of 56 scores. Errors: SCHEMA_INVALID. */
function mapOf(row: TaskRow, id: string, place: RowPlace): Pick<MapRow, 'keys' | 'scores'> {
  const map = row.selection_scores_bps;
  const at = fieldPlace(place, 'selection_scores_bps');
  if (!isObject(map)) fail('SCHEMA_INVALID', at, unfit('an object of scores', map, id), VERIFY_OR_FETCH);
  const keys = Object.keys(map).sort();
  const select = keys[0]?.length ?? 0;
  const labels = [...new Set(keys.join(''))].sort();
  const expected = subsets(labels.length > 16 ? 0 : labels.length, select).map((members) =>
    members.map((i) => labels[i]).join(''),
  );
  if (keys.length < 2 || keys.join() !== expected.join())
    fail('SCHEMA_INVALID', at, unfit('every key of k labels in alphabetical order', keys[0], id), VERIFY_OR_FETCH);
  const scores = Uint16Array.from(keys, (key) => {
    const score = map[key];
    if (!Number.isInteger(score) || (score as number) < 0 || (score as number) > BEST_BPS)
      fail(
        'SCHEMA_INVALID',
        fieldPlace(place, `selection_scores_bps.${key}`),
        unfit('an integer from 0 to 10000', score, id),
        VERIFY_OR_FETCH,
      );
    return score as number;
  });
  if (!scores.includes(BEST_BPS)) fail('SCHEMA_INVALID', at, unfit('a score of 10000', 'none', id), VERIFY_OR_FETCH);
  return { keys, scores };
}

/** The utility of a family of a world (docs/environments.md); null for a document that is of none. */
function worldMap(
  design: unknown,
  family: string,
): { readonly weights: MapWeights; readonly needs: string | null } | null {
  const utility = worldUtility(design, family);
  if (utility === null) return null;
  const number = (key: string) => (typeof utility[key] === 'number' ? (utility[key] as number) : 0);
  const needs = [
    ...(number('value') === 0 ? [] : ['quantities']),
    ...(number('synergy') === 0 ? [] : ['synergies']),
    ...(utility.constrained === true ? ['limits'] : []),
    ...(utility.distinct_categories === true ? ['categories'] : []),
  ];
  return {
    weights: { single: number('similarity'), pair: number('coherence') },
    needs: needs.length === 0 ? null : needs.join(', ').replace(/, ([^,]*)$/, ' and $1'),
  };
}

/** The names of the choices by label; null where the row has none. */
function choicesOf(row: TaskRow, id: string, place: RowPlace): readonly string[] | null {
  if (!isObject(row.choices)) return null;
  const choices = Object.keys(row.choices)
    .sort()
    .map((label) => (row.choices as JsonObject)[label]);
  if (choices.some((name) => typeof name !== 'string'))
    fail('SCHEMA_INVALID', fieldPlace(place, 'choices'), unfit('names', choices, id), VERIFY_OR_FETCH);
  return choices as string[];
}

function statedDigest(row: TaskRow, id: string, place: RowPlace): string | null {
  const stated = row.choices_sha256;
  if (stated === undefined) return null;
  if (typeof stated === 'string' && /^[0-9a-f]{64}$/.test(stated)) return stated;
  fail('SCHEMA_INVALID', fieldPlace(place, 'choices_sha256'), unfit('a SHA-256', stated, id), VERIFY_OR_FETCH);
}

function taskOf(
  row: TaskRow,
  id: string,
  place: RowPlace,
  choices: readonly string[] | null,
  design: unknown,
): MapRow['task'] {
  if (choices === null || row.oracle_reference === undefined) return null;
  const oracle = isObject(row.oracle_reference) ? row.oracle_reference : {};
  const { constraint_variant: flag, maximum_nova: nova, target_region: region } = oracle;
  const family = row.family as string;
  const world = worldMap(design, family);
  if (!world && family === 'constraint' && !((flag === 'vegan' || flag === 'vegetarian') && Number(nova) > 0))
    fail(
      'SCHEMA_INVALID',
      fieldPlace(place, 'oracle_reference'),
      unfit('a diet and a NOVA limit', { flag, nova }, id),
      VERIFY_OR_FETCH,
    );
  return {
    anchor: typeof row.anchor_ingredient === 'string' ? row.anchor_ingredient : '',
    choices,
    select: typeof row.selection_size === 'number' ? row.selection_size : 3,
    region: typeof region === 'string' ? region : null,
    variant: typeof flag === 'string' ? ({ flag, nova } as ConstraintVariant) : null,
    weights: world?.weights ?? statedWeights(design, family, oracle.method),
    needs: world?.needs ?? null,
  };
}

/** Rows of a file; those of a document of rescored maps stand in its results. */
function mapRows(text: string, path: string): RawTasks {
  const parse = (source: string, place: JsonPlace): unknown => {
    const value = parseJson(source, place);
    return isObject(value) && value.schema === MAPS_SCHEMA ? value.results : value;
  };
  return rawTasks(text, path, parse);
}

/** What the maps of a row belong to, where it says so. */
function checkpointOf(row: TaskRow): string | null {
  return typeof row.checkpoint === 'string' ? row.checkpoint : null;
}

/** The rows of the checkpoint asked for; all of them where none are named, or one only and none is asked for. */
function ofCheckpoint(rows: RawTasks['rows'], path: string, wanted: string | undefined): RawTasks['rows'] {
  const found = [...new Set(rows.map(({ row }) => checkpointOf(row)))];
  const unnamed = found.every((name) => name === null);
  if (unnamed || (wanted === undefined && found.length === 1)) return rows;
  if (wanted !== undefined && found.includes(wanted)) return rows.filter(({ row }) => checkpointOf(row) === wanted);
  const names = found.map((name) => (name === null ? 'rows that name none' : shown(name)));
  const count = `${found.length} checkpoint${found.length === 1 ? '' : 's'}`;
  fail(
    'USAGE',
    { file: path },
    wanted === undefined
      ? `maps of ${count}: ${names.join(', ')}; one is expected`
      : `no maps of ${shown(wanted)}, but of ${count}: ${names.join(', ')}`,
    'Choose one of them, with --checkpoint where a command has it.',
  );
}

/**
 * Reads tasks or maps: a task-set document, task rows, a document of rescored maps, or rows of them (`task_id`,
 * `selection_scores_bps`, with or without `family`). Several optima are allowed. Of a file of several checkpoints, one is taken.
 * Errors: SCHEMA_INVALID, TASK_DUPLICATE, USAGE (which checkpoint), those of reading JSON.
 */
export function readMapFile(path: string, checkpoint?: string): MapFile {
  const bytes = readInput(path);
  const { document, rows: all } = mapRows(decodeText(path, bytes), path);
  const rows = ofCheckpoint(all, path, checkpoint);
  const replication = replicationOf(document);
  const places = new Map<string, string>();
  const out = rows.map(({ row, ...at }): MapRow => {
    const place = { file: path, ...at };
    const id = row.task_id;
    if (typeof id !== 'string' || id === '')
      fail('SCHEMA_INVALID', fieldPlace(place, 'task_id'), unfit('a non-empty text', id), VERIFY_OR_FETCH);
    const here = at.line === undefined ? (at.path ?? '') : `line ${at.line}`;
    const before = places.get(id);
    if (before !== undefined) {
      fail('TASK_DUPLICATE', place, `task ${id} stands twice: at ${before} and at ${here}`, 'Keep one map a task.');
    }
    places.set(id, here);
    const choices = choicesOf(row, id, place);
    const bare = row.choices === undefined && row.family === undefined;
    if (!bare && (typeof row.family !== 'string' || row.family === ''))
      fail('SCHEMA_INVALID', fieldPlace(place, 'family'), unfit('a non-empty text', row.family, id), VERIFY_OR_FETCH);
    return {
      id,
      family: bare ? '' : (row.family as string),
      panel: panelOf(row, replication),
      panelStated: panelOf(row, 0) !== 'panel_0' || document?.replication !== undefined,
      ...mapOf(row, id, place),
      choices,
      choicesSha256: statedDigest(row, id, place),
      task: taskOf(row, id, place, choices, document?.design),
    };
  });
  const [first] = rows;
  return {
    path,
    rows: out,
    input: inputFile('tasks', bytes),
    checkpoint: first ? checkpointOf(first.row) : null,
  };
}
