import { fail, shown } from '../util/error.js';
import { determines, failUndecided, listedNames, namesEachRow, quoted, splitNames } from './column-names.js';
import { isLowerName, weightWords } from './fact-names.js';
import { type OpenTable, optionalRole, type Shape } from './open-table.js';
import { asText } from './score-table.js';
import { marginOf, marginWords, withoutMargin } from './summary-names.js';
import { rowsWhere, someRows } from './table-rows.js';
import { assertValues, type ValueColumn, valueColumn } from './values.js';

interface LongColumns {
  readonly model: readonly string[];
  readonly task: readonly string[];
  readonly values: readonly ValueColumn[];
}

/** Tells what the columns of a table in long form are (reading 1.12). Errors: SCHEMA_INVALID, COLUMN_UNKNOWN, CELL_NOT_INTEGER. */
export function longShape(open: OpenTable, found: LongColumns): Shape {
  const { table, options, names } = open;
  if (options.modelColumn === undefined && found.model.length > 1)
    failUndecided(table, {
      ...{ columns: found.model, what: 'name the models', option: '--model-column' },
      joined: true,
    });
  const { model } = found;
  if (found.values.length > 1)
    failUndecided(table, {
      ...{ columns: found.values.map(({ name }) => name), what: 'hold the values', option: '--value-column' },
    });
  const [value] = found.values as [ValueColumn];
  const taken = new Set([...model, ...found.task, value.name]);
  const attempt = optionalRole(open, 'attempt', {
    what: 'number the attempts',
    free: (name) => !taken.has(name),
  });
  const task = options.taskColumn === undefined ? taskOf(open, { ...found, attempt }) : found.task;
  const used = new Set([...model, ...task, value.name, ...(attempt === undefined ? [] : [attempt])]);
  const codes = task.map((name) => open.codes(name));
  const ofTask = (name: string) => codes.some((column) => determines(column, open.codes(name)));
  const role = (what: 'family' | 'cluster' | 'panel', words: string) => {
    const column = optionalRole(open, what, { what: words, free: (name) => !used.has(name), fitting: ofTask });
    if (column !== undefined) used.add(column);
    return column;
  };
  const cluster = role('cluster', 'name what stands or falls together');
  const family = role('family', 'name the parts that weigh the same');
  const panel = role('panel', 'name the panels');
  const margin = options.only === undefined ? marginOfRows(open, model, task) : undefined;
  const chosen = chosenTasks(open, task);
  const rows = margin === undefined ? chosen : withoutMargin(chosen ?? table, [...model, ...task], margin);
  const kept = rows === undefined ? value : valueColumn(rows, value.name);
  assertValues(table, [value], `Another column of values is chosen with --value-column.`);
  const leftOut = names.filter((name) => !used.has(name) && name !== 'chance');
  return {
    form: 'long',
    table: rows ?? table,
    model,
    task,
    values: [kept],
    ...(family === undefined ? {} : { family }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(panel === undefined ? {} : { panel }),
    ...(attempt === undefined ? {} : { attempt }),
    leftOut: [...leftOut, ...(margin === undefined ? [] : [margin])],
    warnings: [
      ...(margin === undefined ? [] : [marginWords(margin)]),
      ...weightWords(leftOut),
      ...(isLowerName(value.name)
        ? [
            `column ${shown(value.name)} is called as what is better when it is lower, and here the greater value counts as better: if so, give its negative`,
          ]
        : []),
    ],
  };
}

/** The name of margins in a table that was made long: a model and a task are called so. */
function marginOfRows({ codes }: OpenTable, model: readonly string[], task: readonly string[]): string | undefined {
  if (model.length !== 1 || task.length !== 1) return undefined;
  const [models, tasks] = [model, task].map(([name]) => codes(name!).values.map(asText));
  return marginOf(models!, tasks!);
}

/** The one column of tasks: where several could be it, the one that tells the rows of each model apart. */
function taskOf(
  open: OpenTable,
  { model, task, attempt }: LongColumns & { readonly attempt: string | undefined },
): readonly string[] {
  const { table, codes } = open;
  if (task.length === 1) return task;
  const beside = [...model, ...(attempt === undefined ? [] : [attempt])].map(codes);
  const apart = task.filter((name) => namesEachRow([...beside, codes(name)], table.rows));
  if (apart.length === 1) return apart;
  const joined = apart.length === 0 && namesEachRow([...beside, ...task.map(codes)], table.rows);
  return failUndecided(table, { columns: task, what: 'name the tasks', option: '--task-column', joined });
}

/** The rows of the tasks that `--drop` and `--only` leave; undefined where they leave all. Errors: COLUMN_UNKNOWN. */
export function chosenTasks({ table, options, dropped, names }: OpenTable, task: readonly string[]) {
  if (dropped.length === 0 && options.only === undefined) return undefined;
  const [first] = task as [string];
  const coded = table.coded(first)!;
  const texts = coded.values.map(asText);
  const named = (option: string, written: readonly string[]) => {
    const list = splitNames(written, (name) => texts.includes(name));
    for (const name of list)
      if (!texts.includes(name) && !names.includes(name))
        fail(
          'COLUMN_UNKNOWN',
          { file: table.file },
          `${option} names ${shown(name)}, which is neither a column nor a task`,
          `Columns are ${listedNames(table.names)}; tasks stand in ${quoted(first)}: ${listedNames(texts)}.`,
        );
    return new Set(list);
  };
  const without = named('--drop', dropped);
  const only = options.only === undefined ? undefined : named('--only', options.only);
  const none = only === undefined || !texts.some((text) => only.has(text));
  const rows = rowsWhere(coded, (code) => {
    const text = texts[code]!;
    return !without.has(text) && (none || only.has(text));
  });
  return someRows(table, rows);
}
