import { fail, shown } from '../util/error.js';
import { aloneHint, besideNumber } from './beside-numbers.js';
import { columnNamed, determines, listedNames, namedFor, plainName, splitNames, telling } from './column-names.js';
import { isDates } from './dates.js';
import { longShape } from './long-shape.js';
import { meltedTask } from './melted.js';
import { type ColumnOptions, isUnnamed, type OpenTable, offered, opened, type Shape } from './open-table.js';
import { asText, type ScoreTable } from './score-table.js';
import { rowsWhere, someRows } from './table-rows.js';
import { isNumeric, isText, isWord, type ValueColumn } from './values.js';
import { verdictOf } from './verdicts.js';
import { wideShape } from './wide-shape.js';

/**
 * Tells what the columns of a table are: by option, by name (reading 1.11), by what they hold (reading 1.12). Errors: SCHEMA_INVALID for what
 * cannot be decided, with the option that does; COLUMN_UNKNOWN; CELL_NOT_INTEGER for a cell that is no value.
 */
export function tableShape(whole: ScoreTable, options: ColumnOptions = {}): Shape {
  assertTable(whole);
  const drop = splitNames(options.drop ?? [], (name) => whole.names.includes(name));
  const columnOf = (name: string) =>
    whole.names.includes(name) ? name : whole.names.find((other) => plainName(other) === plainName(name));
  const gone = new Set(drop.flatMap((name) => columnOf(name) ?? []));
  if (options.valueColumn === undefined && options.only === undefined) assertScores(whole);
  const dropped = drop.filter((name) => columnOf(name) === undefined);
  const names = whole.names.filter((name) => !gone.has(name));
  const before = opened(whole, options, names, dropped);
  const chosen = metricRows(before);
  const open = chosen === undefined ? before : opened(chosen.table, options, names, dropped);
  const model = rolesOf(open, 'model', options.modelColumn);
  const named = rolesOf(open, 'task', options.taskColumn);
  const values = valuesIn(open, [...model, ...named]);
  const isOpen = model.length > 0 && named.length === 0 && !options.transpose && options.only === undefined;
  const melted = isOpen ? meltedTask(open, { model, values }) : undefined;
  const task = melted === undefined ? named : [melted];
  const shape = isLong(open, { model, task, values })
    ? longShape(open, { model, task, values })
    : wideShape(open, { model, task });
  const said = [...gone, ...shape.leftOut];
  return { ...shape, leftOut: said, ...(chosen === undefined ? {} : { metric: chosen.metric }) };
}

function assertTable({ file, kind, names, rows }: ScoreTable): void {
  const isText = /^(?:CSV|TSV|text|delimited)/i.test(kind);
  if (names.length < 2)
    fail(
      'SCHEMA_INVALID',
      { file },
      `at least two columns expected, found ${names.length === 1 ? `one, ${shown(names[0])}` : 'none'}`,
      `${isText ? `Columns are separated by commas, semicolons, tabs or bars, the same in every line. ${/\S +\S/.test(names[0] ?? '') ? 'Blanks do it too where every line has as many cells: put names that hold one into quotes. ' : ''}` : ''}Give models x tasks: one row a model and a column a task, or the columns model, task and value.`,
    );
  if (rows === 0)
    fail(
      'SCHEMA_INVALID',
      { file },
      'the table holds no row',
      isText ? 'The first line names the columns, the others hold scores.' : 'Give a row a model, or a row a score.',
    );
}

/** Refuses files of ours that hold tasks or answers, and names the option that takes them. Errors: USAGE (reading 4). */
function assertScores({ file, names }: ScoreTable): void {
  const has = (name: string) => names.includes(name);
  if (has('model_a') && has('model_b') && has('winner'))
    fail(
      'SCHEMA_INVALID',
      { file },
      'holds comparisons of two models each (model_a, model_b, winner), no scores on tasks',
      'Ratings are made of such by other programs; give scores: a row a model and a column a task, or the columns model, task and value.',
    );
  if (!has('task_id')) return;
  if (has('choices') && has('prompt'))
    fail(
      'USAGE',
      { file },
      'is a task set: prompts and maps, no scores of models',
      `Task sets go with answers: --responses ANSWERS --tasks ${file}.`,
    );
  if ((has('response') || has('selection')) && namedFor('value', names).length === 0)
    fail(
      'USAGE',
      { file },
      'holds answers, which are no scores yet',
      `With the tasks that were asked they are scored: \`flavourbench infer --responses ${file} --tasks TASKS\`.`,
    );
}

/** Columns that a role may fall to: those of the option, else those of its names. */
function rolesOf({ table, names }: OpenTable, role: 'model' | 'task', option: string | undefined): string[] {
  if (option === undefined) return telling(namedFor(role, names), table);
  return splitNames([option], (name) => table.names.includes(name)).map((name) =>
    columnNamed(`--${role}-column`, name, table),
  );
}

/** Columns that may hold the values of a long table. Several that hold the same numbers are one. */
function valuesIn({ table, names, options, values }: OpenTable, taken: readonly string[]): ValueColumn[] {
  if (options.valueColumn !== undefined) return [values(columnNamed('--value-column', options.valueColumn, table))];
  const found = namedFor('value', names)
    .filter((name) => !taken.includes(name))
    .map(values)
    .filter((column) => !isText(column));
  const same = (a: ValueColumn, b: ValueColumn) => a.values.every((value, row) => Object.is(value, b.values[row]));
  return found.filter((column, i) => !found.slice(0, i).some((before) => same(before, column)));
}

interface Found {
  readonly model: readonly string[];
  readonly task: readonly string[];
  readonly values: readonly ValueColumn[];
}

/** Errors: SCHEMA_INVALID for a table with two of the three things that a long one needs. */
function isLong(open: OpenTable, { model, task, values }: Found): boolean {
  const { table, options, names, codes } = open;
  if (options.transpose) return false;
  if (model.length > 0 && task.length > 0 && values.length > 0) return true;
  const others = names.filter((name) => !model.includes(name) && !task.includes(name));
  const place = { file: table.file };
  if (model.length > 0 && task.length > 0) {
    if (options.taskColumn === undefined && table.rows > 1 && task.every((name) => codes(name).values.length === 1))
      return false;
    const numeric = others.filter((name) => isNumeric(open.values(name)));
    const text = namedFor('value', others)[0];
    const answers = others.find((name) => ANSWERS.has(plainName(name)));
    fail(
      'SCHEMA_INVALID',
      place,
      `columns ${listedNames([...model, ...task])} name models and tasks, and no column is known to hold the values`,
      numeric.length > 0
        ? `Say which: ${offered('--value-column', numeric)}.`
        : text === undefined
          ? answers === undefined
            ? 'Values are numbers, true or false, yes or no, or percentages; no other column has any.'
            : `Column ${shown(answers)} holds answers: \`flavourbench rescore\` scores those to its tasks, and \`infer --responses\` ranks them.`
          : `Column ${shown(text)} holds texts such as ${shown(asText(codes(text).values[0]))}: values are numbers, true or false, yes or no, or percentages. ${oddTextsHint(codes(text).values.map(asText))}`,
    );
  }
  if (task.length > 0 && values.length > 0 && options.modelColumn === undefined && !isIndexed(table)) {
    const texts = others.filter((name) => isText(open.values(name)) && !isDates(codes(name)));
    const isWide = others.filter((name) => isNumeric(open.values(name))).length > 1;
    const turned = isWide ? '; where rows are tasks and columns models, give --transpose' : '';
    fail(
      'SCHEMA_INVALID',
      place,
      `columns ${listedNames([...task, values[0]!.name])} hold tasks and values, and no column is known to name the models`,
      texts.length > 0 ? `Say which: ${offered('--model-column', texts)}${turned}.` : `Add a column model${turned}.`,
    );
  }
  return false;
}

/** Says what to do with texts that are no values. */
function oddTextsHint(texts: readonly string[]): string {
  const number = besideNumber(texts[0] ?? '');
  if (number !== undefined) return aloneHint(number);
  const verdict = texts.find((text) => verdictOf(text) !== undefined);
  const odd = texts.find((text) => isWord(text) && verdictOf(text) === undefined);
  if (verdict === undefined || odd === undefined) return 'Write such for each text, 1 and 0 for instance.';
  return `Verdicts such as ${shown(verdict)} are read where no other word stands beside them: write what ${shown(odd)} is, NA (missing) or 0.`;
}

/** Names of columns that hold answers, which are no scores. */
const ANSWERS: ReadonlySet<string> = new Set(['response', 'answer', 'output', 'completion', 'prediction', 'selection']);

/** Tells whether pandas or an unnamed first column names the rows. */
const isIndexed = ({ index, names }: ScoreTable) => (index?.length ?? 0) > 0 || isUnnamed(names[0]!);

/** The rows of one metric, where a text column names several. Errors: SCHEMA_INVALID, USAGE. */
function metricRows({
  table,
  names,
  options,
  values,
  codes,
}: OpenTable): { readonly table: ScoreTable; readonly metric: string } | undefined {
  const column = namedFor('metric', names).find((name) => isText(values(name)));
  if (column === undefined) {
    if (options.metric === undefined) return undefined;
    fail(
      'USAGE',
      null,
      `--metric ${options.metric} of a table without a text column metric`,
      `A column of values is chosen with --value-column; there is ${listedNames(names)}.`,
    );
  }
  const coded = codes(column);
  const texts = coded.values.map(asText);
  if (options.metric === undefined) {
    if (texts.length === 1) return undefined;
    const task = telling(namedFor('task', names), table);
    if (task.length === 1 && determines(codes(task[0]!), coded)) return undefined;
    fail(
      'SCHEMA_INVALID',
      { file: table.file },
      `column ${shown(column)} names ${texts.length} metrics: ${listedNames(texts)}`,
      `Say which rows to take: ${offered('--metric', texts)}.`,
    );
  }
  const wanted = texts.indexOf(options.metric);
  if (wanted < 0)
    fail(
      'SCHEMA_INVALID',
      { file: table.file },
      `--metric ${options.metric} is no metric in column ${shown(column)}; there is ${listedNames(texts)}`,
      `Give one of them: ${offered('--metric', texts)}.`,
    );
  return {
    table: someRows(
      table,
      rowsWhere(coded, (code) => code === wanted),
    ),
    metric: options.metric,
  };
}
