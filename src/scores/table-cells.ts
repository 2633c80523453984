import { assertFits } from '../core/cell-index.js';
import { type CellTable, type NameColumn, nameColumn, type TaskLabels } from '../core/cell-table.js';
import { type CodedColumn, columnOfValues } from '../io/coded.js';
import { shown } from '../util/error.js';
import { joinedNames } from '../util/joined.js';
import { listedNames, namesEachRow, quoted } from './column-names.js';
import { isUnnamed, type Shape } from './open-table.js';
import { asText, type ScoreTable } from './score-table.js';

/** The texts of a column as names; values with the same text are one name. */
function namesOf({ values, codes }: CodedColumn): NameColumn {
  const texts = values.map(asText);
  const merged = nameColumn(texts);
  if (merged.values.length === texts.length) return { values: texts, codes };
  return { values: merged.values, codes: Int32Array.from(codes, (code) => merged.codes[code]!) };
}

/** The names of the rows: the texts of one column, or of several joined. */
function rowNames(table: ScoreTable, columns: readonly string[]): NameColumn {
  const parts = columns.map((name) => namesOf(table.coded(name)!));
  return parts.slice(1).reduce(joined, parts[0]!);
}

function joined(left: NameColumn, right: NameColumn): NameColumn {
  const size = right.values.length;
  const keys = Float64Array.from(left.codes, (code, row) => code * size + right.codes[row]!);
  const { values, codes } = columnOfValues(() => keys).coded();
  const pairs = (values as number[]).map(
    (key) => [left.values[Math.floor(key / size)]!, right.values[key % size]!] as const,
  );
  return { values: joinedNames(pairs, '/'), codes };
}

/** Makes the cells of a table whose shape is known. Errors: BOUND_EXCEEDED. */
export function tableCells(shape: Shape, labels: TaskLabels = {}): CellTable {
  return { ...(shape.form === 'long' ? longCells(shape) : gridCells(shape)), labels };
}

function longCells(shape: Shape): CellTable {
  const { table, model, task, values, family, cluster, panel, attempt } = shape;
  const [value] = values;
  const one = (name: string) => rowNames(table, [name]);
  return {
    file: table.file,
    model: rowNames(table, model),
    task: rowNames(table, task),
    value: value!.values,
    ...(family === undefined ? {} : { family: one(family) }),
    ...(cluster === undefined ? {} : { cluster: one(cluster) }),
    ...(panel === undefined ? {} : { panel: one(panel) }),
    ...(attempt === undefined ? {} : { attempt: one(attempt) }),
    written: (row) => shown(table.column(value!.name)![row]),
    place: table.place,
    repeated: (first, second) => repeatedHint(shape, first, second),
  };
}

/** A row of the table is a row of cells: models of a wide table, tasks of a turned one. */
function gridCells(shape: Shape): CellTable {
  const { form, table, values, family, cluster, panel, attempt } = shape;
  const width = values.length;
  assertFits(table.file, table.rows, width);
  const rows = rowNames(table, form === 'wide' ? shape.model : shape.task);
  const total = table.rows * width;
  const spread = ({ values: names, codes }: NameColumn): NameColumn => {
    const all = new Int32Array(total);
    for (let row = 0; row < table.rows; row += 1) all.fill(codes[row]!, row * width, (row + 1) * width);
    return { values: names, codes: all };
  };
  const columns = new Int32Array(total);
  const value = new Float64Array(total);
  values.forEach((column, c) => {
    for (let row = 0, at = c; row < table.rows; row += 1, at += width) {
      columns[at] = c;
      value[at] = column.values[row]!;
    }
  });
  const across: NameColumn = { values: values.map(({ name }) => name), codes: columns };
  const down = spread(rows);
  const one = (name: string) => spread(rowNames(table, [name]));
  const rowOf = (cell: number) => Math.floor(cell / width);
  return {
    file: table.file,
    model: form === 'wide' ? down : across,
    task: form === 'wide' ? across : down,
    value,
    ...(family === undefined ? {} : { family: one(family) }),
    ...(cluster === undefined ? {} : { cluster: one(cluster) }),
    ...(panel === undefined ? {} : { panel: one(panel) }),
    ...(attempt === undefined ? {} : { attempt: one(attempt) }),
    written: (cell) => shown(table.column(values[cell % width]!.name)![rowOf(cell)]),
    place: (cell) => table.place(rowOf(cell)),
    repeated: (first, second) => repeatedHint(shape, rowOf(first), rowOf(second)),
  };
}

/** Tells whether whole numbers of few kinds, as of shots or seeds, tell the rows of each model apart. */
function namesEachRun(table: ScoreTable, model: readonly string[], name: string): boolean {
  const codes = table.coded(name)!;
  const whole = codes.values.every((value) => Number.isInteger(Number(value)));
  return (
    whole &&
    2 * codes.values.length <= table.rows &&
    namesEachRow([...model.map((m) => table.coded(m)!), codes], table.rows)
  );
}

/** What tells two rows of one cell apart, and the options that say so. */
function repeatedHint(
  { table, leftOut, form, attempt, task, model, values }: Shape,
  first: number,
  second: number,
): string | undefined {
  const counter = form === 'wide' ? values.find(({ name }) => namesEachRun(table, model, name))?.name : undefined;
  const differ = [...leftOut, ...(counter === undefined ? [] : [counter])].filter((name) => {
    const column = table.column(name);
    return column !== undefined && !isUnnamed(name) && asText(column[first]) !== asText(column[second]);
  });
  if (differ.length === 0 || attempt !== undefined) return undefined;
  const [name] = differ as [string];
  const both =
    form === 'wide'
      ? `--model-column ${quoted([...model, name].join())}`
      : `--task-column ${quoted([...task, name].join())}`;
  return `The rows differ in ${listedNames(differ)}: --attempt-column ${quoted(name)} if it counts repeats, ${both} if it is part of the name; else keep one row.`;
}
