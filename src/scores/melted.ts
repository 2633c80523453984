import { fail } from '../util/error.js';
import { either } from '../util/format.js';
import { isSummary, listedNames, namedFor, namesEachRow, plainName, quoted } from './column-names.js';
import { countsRows, isUnnamed, type OpenTable, offered } from './open-table.js';
import { isNumeric, type ValueColumn } from './values.js';

/** What programs call the column of names of a table that they turned into long form, and what people call the numbers of questions. */
const MELTED: ReadonlySet<string> = new Set(
  ['variable', 'name', 'key', 'id', 'idx', 'index', 'level 0', 'level 1', 'Var2', 'prompt', 'prompt id', 'qid'].map(
    plainName,
  ),
);

/**
 * Finds the column of tasks of a long table whose models and values have names and whose tasks have none: models stand in several rows, and
 * one column of such a name as melting gives it, or of a family's, tells the rows of each apart (reading 1.12). Undefined where rows are
 * models. Errors: SCHEMA_INVALID where some column could do it and none has such a name, with the options that decide.
 */
export function meltedTask(
  open: OpenTable,
  { model, values }: { readonly model: readonly string[]; readonly values: readonly ValueColumn[] },
): string | undefined {
  const { table, names, codes } = open;
  const rest = names.filter((name) => !model.includes(name));
  const numbers = rest.filter((name) => isNumeric(open.values(name)) && !isSummary(name) && !isUnnamed(name));
  const value = values[0]?.name ?? (numbers.length === 1 ? numbers[0]! : undefined);
  if (value === undefined || namesEachRow(model.map(codes), table.rows)) return undefined;
  const attempts = namedFor('attempt', rest);
  if (attempts.some((name) => namesEachRow([...model, name].map(codes), table.rows))) return undefined;
  const columns = rest.filter((name) => mayNameTasks(open, name) && name !== value && !attempts.includes(name));
  const beside = [...model, ...attempts.slice(0, 1)];
  const apart = columns.filter((name) => namesEachRow([...beside, name].map(codes), table.rows));
  const usual = namedFor('family', apart).concat(apart.filter((name) => MELTED.has(plainName(name))));
  if (usual.length === 1 && values.length > 0) return usual[0];
  const several = (usual.length > 0 ? usual : apart).slice(0, 3);
  const pair = several.length === 0 ? pairOf(open, columns, beside) : undefined;
  const wanted = pair === undefined ? several : [pair.join()];
  if (wanted.length === 0) return undefined;
  const behind = values.length > 0 ? '' : ` --value-column ${quoted(value)}`;
  const ways = wanted.map((name) => `--task-column ${quoted(name)}${behind}`);
  const [first] = wanted as [string];
  return fail(
    'SCHEMA_INVALID',
    { file: table.file },
    `models in ${listedNames(model)} stand in several rows each, and no column is known to name the tasks`,
    `Say which: ${either(ways)}. If ${quoted(first)} counts repeats, --attempt-column ${quoted(first)}; if it is part of a model's name, --model-column ${quoted([...model, first].join())}.`,
  );
}

/** Tells whether a column could name tasks: texts or whole numbers, that do not count the rows. */
function mayNameTasks(open: OpenTable, name: string): boolean {
  const column = open.values(name);
  if (isUnnamed(name) || countsRows(open, name)) return false;
  return !isNumeric(column) || (column.counts.number > 0 && column.values.every(Number.isInteger));
}

/** Two columns that tell the rows of each model apart together. */
function pairOf(
  { codes, table }: OpenTable,
  columns: readonly string[],
  beside: readonly string[],
): readonly [string, string] | undefined {
  for (const [i, one] of columns.slice(0, 8).entries())
    for (const other of columns.slice(i + 1, 8))
      if (namesEachRow([...beside, one, other].map(codes), table.rows)) return [one, other];
  return undefined;
}

/**
 * Writes the options for a table of which two columns of texts could name models and tasks and a third holds the values; undefined where it is
 * no such table (reading 1.12).
 */
export function longOptions(
  { codes, table, names, values }: OpenTable,
  texts: readonly string[],
): readonly string[] | undefined {
  const numbers = names.filter((name) => isNumeric(values(name)) && !isUnnamed(name));
  const known = namedFor('value', numbers);
  const value = known[0] ?? (numbers.length === 1 ? numbers[0] : undefined);
  const [one, other] = texts;
  if (value === undefined || one === undefined || other === undefined || texts.length > 2) return undefined;
  const alone = texts.some((name) => namesEachRow([codes(name)], table.rows));
  if (alone || !namesEachRow(texts.map(codes), table.rows)) return undefined;
  const turned = isTaskLike(one) && !isTaskLike(other);
  const pairs = [
    [one, other],
    [other, one],
  ];
  return (turned ? pairs.toReversed() : pairs).map(
    ([model, task]) =>
      `${offered('--model-column', [model!])} --task-column ${quoted(task!)}${known.length > 0 ? '' : ` --value-column ${quoted(value)}`}`,
  );
}

const isTaskLike = (name: string): boolean =>
  MELTED.has(plainName(name)) || namedFor('task', [name]).length > 0 || namedFor('family', [name]).length > 0;
