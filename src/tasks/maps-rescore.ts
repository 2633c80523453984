import { MAP_STATUS, type MapKernels } from '../engine/maps.js';
import { type Environment, tagsOfRow } from '../environment/environment.js';
import type { Shares } from '../shares/ranged-work.js';
import { fail } from '../util/error.js';
import { RELEASED_DESIGN, type ReleasedFamily } from './compile/compile-design.js';
import { ALL_ALLOWED, allowedBits, conflictWords, satisfies } from './feasibility.js';
import type { MapRow } from './maps-read.js';
import type { MapTask } from './score-maps.js';
import { sharedMaps } from './shared-maps.js';

/** A task that could not be scored under the environment, and why. */
interface SkippedMap {
  readonly id: string;
  readonly family: string;
  readonly reason: string;
  /** Names that the environment lacks, or has no tags for. */
  readonly missing?: readonly string[];
}

export interface Rescored {
  /** One a scored task, in input order; `task` of the input is kept. */
  readonly rows: readonly MapRow[];
  readonly skipped: readonly SkippedMap[];
  /** Distinct ingredients the tasks name. */
  readonly ingredients: number;
}

interface RescoreRequest {
  readonly environment: Environment;
  readonly kernels: MapKernels;
  readonly rows: readonly MapRow[];
  /** Whether tasks with names that the environment lacks are skipped rather than refused. */
  readonly covered?: boolean;
  /** Who scores which ranges of the tasks; all are scored here unless given. */
  readonly shares?: Shares | undefined;
}

interface Ready {
  readonly row: MapRow;
  readonly task: NonNullable<MapRow['task']>;
  readonly map: MapTask;
}

/** Names of a task that must have vectors. */
function namesOf({ task, family }: MapRow): readonly string[] {
  if (task === null || task.needs !== null) return [];
  return [...task.choices, ...(family === 'cultural_composition' ? [] : [task.anchor])];
}

/** Choices of a task that must have tags: a constraint and a cuisine look at them. */
function taggedNamesOf({ task }: MapRow): readonly string[] {
  return task === null || task.needs !== null || (task.variant === null && task.region === null) ? [] : task.choices;
}

/** What the environment lacks of the tasks: names, and tags of names. */
function lackOf({ names, tags }: Environment, rowOf: ReadonlyMap<string, number>) {
  const untagged = new Set(tags === null ? [] : names.filter((_, row) => tags[row] === null));
  return (row: MapRow): readonly string[] => [
    ...namesOf(row).filter((name) => !rowOf.has(name)),
    ...taggedNamesOf(row).filter((name) => untagged.has(name)),
  ];
}

/** Names that the environment lacks, over all tasks at once, so that one message says them all. */
function assertCovered(
  rows: readonly MapRow[],
  lack: (row: MapRow) => readonly string[],
  environment: Environment,
): void {
  const missing = [...new Set(rows.flatMap(lack))].sort();
  if (missing.length === 0) return;
  const whole = rows.filter((row) => lack(row).length === 0).length;
  const known = new Set(environment.names);
  const names = missing.filter((name) => !known.has(name));
  const needed = new Set(rows.flatMap(namesOf)).size;
  const some = (list: readonly string[]) => `${list.slice(0, 8).join(', ')}${list.length > 8 ? ', ...' : ''}`;
  const covered =
    whole === 0
      ? 'no task has all of its names: use a space with the vocabulary of the tasks.'
      : `--covered recomputes the ${whole} of ${rows.length} tasks that have all of them, and lists the others.`;
  if (names.length > 0)
    fail(
      'INGREDIENT_UNKNOWN',
      null,
      `${names.length} of ${needed} ingredients are not in the environment: ${some(names)}`,
      `Names must be written as there; ${covered}`,
    );
  fail(
    'TAGS_MISSING',
    null,
    `${missing.length} ingredients have no row in the tag table: ${some(missing)}`,
    `Add them to the table; ${covered}`,
  );
}

/**
 * Scores every task again under another environment, with its choices, labels and constraints as they are (analyses 7).
 * Tasks of a region the environment has no direction for, and of a world whose utility is made of more than vectors, are skipped
 * and named; with `covered`, so are those with names that it lacks (reading 3.5). Errors: INGREDIENT_UNKNOWN, MAP_REJECTED,
 * TAGS_MISSING, SCHEMA_INVALID for rows that hold maps without tasks.
 */
export function rescoreMaps(request: RescoreRequest): Rescored {
  const { environment, kernels, rows } = request;
  const { dims, names, units, directions } = environment;
  const rowOf = new Map(names.map((name, i) => [name, i]));
  for (const row of rows) if (row.task?.needs === null) weightsOf(row);
  const lack = lackOf(environment, rowOf);
  if (request.covered !== true || rows.every((row) => lack(row).length > 0)) assertCovered(rows, lack, environment);
  const cuisines = [...new Set(rows.flatMap(({ task }) => task?.region ?? []))].sort();
  const found = cuisines.filter((name) => directions.has(name));
  const table = new Float64Array(units.length + found.length * dims);
  table.set(units);
  for (const [i, name] of found.entries()) table.set(directions.get(name)!.unit, units.length + i * dims);
  const skipped: SkippedMap[] = [];
  const ready: Ready[] = [];
  for (const row of rows) {
    const { id, family, task } = row;
    if (task === null) {
      fail(
        'SCHEMA_INVALID',
        null,
        `task ${id} has a map but no choices`,
        'Give the task files, not maps made from them.',
      );
    }
    if (task.needs !== null) {
      const reason = `family ${family} is scored by ${task.needs} of its own world, which vectors do not state`;
      skipped.push({ id, family, reason });
      continue;
    }
    if (task.region !== null && !directions.has(task.region)) {
      skipped.push({ id, family, reason: `the environment has no direction ${task.region}` });
      continue;
    }
    const missing = [...new Set(lack(row))];
    if (missing.length > 0) {
      skipped.push({ id, family, reason: 'the environment lacks some of its names, or their tags', missing });
      continue;
    }
    const anchorRow = task.region === null ? rowOf.get(task.anchor)! : names.length + found.indexOf(task.region);
    ready.push({ row, task, map: mapTask(row, anchorRow, rowOf, environment) });
  }
  const scored = new Map<string, MapRow>();
  for (const group of groups(ready)) {
    const { task, row } = group[0]!;
    const { choices, select } = task;
    const maps = sharedMaps(request.shares, {
      kernels,
      rows: table,
      dims,
      choices: choices.length,
      select,
      leastFeasible: Math.min(RELEASED_DESIGN.leastFeasible, row.keys.length),
      leastRange: RELEASED_DESIGN.leastRange,
      tasks: group.map(({ map }) => map),
    });
    group.forEach(({ row }, t) => {
      if (maps.status[t] === MAP_STATUS.FEW_FEASIBLE || maps.status[t] === MAP_STATUS.FLAT) {
        fail(
          'MAP_REJECTED',
          null,
          `${row.id}: ${maps.feasible[t]} feasible portfolios${maps.status[t] === MAP_STATUS.FLAT ? ' of equal utility' : `, ${RELEASED_DESIGN.leastFeasible} needed`}`,
          'The tags of this environment do not fit the constraint of the task.',
        );
      }
      const scores = maps.scores.slice(t * maps.keys, (t + 1) * maps.keys);
      scored.set(row.id, { ...row, scores });
    });
  }
  const ingredients = new Set(ready.flatMap(({ row }) => namesOf(row))).size;
  return { rows: rows.flatMap((row) => scored.get(row.id) ?? []), skipped, ingredients };
}

/** Weights as the file states them, else the released ones of the family. Error: SCHEMA_INVALID. */
function weightsOf({ id, family, task }: MapRow): MapTask['weights'] {
  const released = RELEASED_DESIGN[family as ReleasedFamily] as { weights: MapTask['weights'] } | undefined;
  const used = task?.weights ?? released?.weights;
  if (!used) {
    fail(
      'SCHEMA_INVALID',
      null,
      `task ${id}: the file does not state how family ${family} weighs similarity to the anchor and among the chosen`,
      `Compile the world again and give its document, which states it, not rows of it; in a document of another origin, put "design": {"${family}": {"weights": {"single": 0.8, "pair": 0.2}}} beside "tasks", with its own numbers.`,
    );
  }
  return used;
}

function mapTask(
  row: MapRow,
  anchorRow: number,
  rowOf: ReadonlyMap<string, number>,
  environment: Environment,
): MapTask {
  const { choices, variant, region } = row.task!;
  const choiceRows = choices.map((name) => rowOf.get(name)!);
  const tags =
    variant === null && region === null
      ? null
      : choiceRows.map((each) => tagsOfRow(environment, each, `scoring ${row.family} tasks`));
  return {
    anchorRow,
    choiceRows,
    weights: weightsOf(row),
    allowed: tags && variant ? allowedBits(tags, (each) => satisfies(each, variant)) : ALL_ALLOWED,
    conflicts: tags && region !== null ? conflictWords(tags.map(({ category }) => category)) : undefined,
  };
}

/** Tasks of equal shape together: one batch each. */
function groups(ready: readonly Ready[]): Ready[][] {
  const out = new Map<string, Ready[]>();
  for (const item of ready) {
    const shape = `${item.task.select} of ${item.task.choices.length}`;
    const list = out.get(shape);
    if (list) list.push(item);
    else out.set(shape, [item]);
  }
  return [...out.values()];
}
