import { fail, shown } from '../util/error.js';
import { general } from '../util/format.js';
import {
  columnNamed,
  failUndecided,
  isSummary,
  listedNames,
  namedFor,
  plainName,
  quoted,
  splitNames,
} from './column-names.js';
import { isDates } from './dates.js';
import { dropOption, isFactName } from './fact-names.js';
import { chosenTasks } from './long-shape.js';
import { longOptions } from './melted.js';
import { countsRows, isUnnamed, type OpenTable, offered, optionalRole, type Shape } from './open-table.js';
import { asText } from './score-table.js';
import { rowsWhere, someRows } from './table-rows.js';
import { assertValues, isText, type ValueColumn, valueColumn } from './values.js';

interface RowNames {
  /** Columns whose texts, joined, name a row. */
  readonly columns: readonly string[];
  /** Rows are tasks. */
  readonly turned: boolean;
}

/** Tells what the columns of a table with a row a model or a task are (reading 1.12). Errors: SCHEMA_INVALID, COLUMN_UNKNOWN, CELL_NOT_INTEGER. */
export function wideShape(
  open: OpenTable,
  found: { readonly model: readonly string[]; readonly task: readonly string[] },
): Shape {
  const { columns: rowNames, turned } = rowNamesOf(open, found);
  const free = (name: string) => !rowNames.includes(name);
  const repeated = rowNames.length > 0 && repeats(open, rowNames);
  const attempt = repeated
    ? optionalRole(open, 'attempt', { what: 'number the attempts', free })
    : open.options.attemptColumn;
  const described = turned ? taskColumns(open, free) : {};
  const used = new Set([...rowNames, ...Object.values(described), ...(attempt === undefined ? [] : [attempt])]);
  const only = open.options.only && splitNames(open.options.only, (name) => open.table.names.includes(name));
  const index = open.table.index ?? [];
  const leftOut: string[] = [];
  const cells = open.names.filter((name) => {
    if (used.has(name)) return false;
    const column = open.values(name);
    const asked = only?.some((wanted) => wanted === name || plainName(wanted) === plainName(name)) ?? false;
    const kept =
      asked ||
      !(
        isSummary(name) ||
        isText(column) ||
        index.includes(name) ||
        isUnnamed(name) ||
        isAttempt(open, name) ||
        countsRows(open, name) ||
        isEmpty(open, name)
      );
    if (!kept) leftOut.push(name);
    return kept && (turned || only === undefined || asked);
  });
  if (only !== undefined && !turned) for (const name of only) columnNamed('--only', name, open.table);
  if (!turned && open.dropped.length > 0) columnNamed('--drop', open.dropped[0]!, open.table);
  if (cells.length === 0)
    fail(
      'SCHEMA_INVALID',
      { file: open.table.file },
      `no column holds values; there is ${listedNames(open.names)}`,
      leftOut.some(isSummary)
        ? 'Columns of these names are summaries or facts about models, no tasks; --only NAME takes them all the same.'
        : noValuesHint(open, leftOut),
    );
  if (!turned && only === undefined && cells.every(isFactName))
    fail(
      'SCHEMA_INVALID',
      { file: open.table.file },
      `${cells.length === 1 ? 'the only column' : 'all columns'} of numbers, ${listedNames(cells)}, ${cells.length === 1 ? 'is' : 'are'} called as summaries or facts about models are: there are no scores on tasks`,
      `What can be told of models needs their score on each task; --only ${quoted(cells.join())} takes ${cells.length === 1 ? 'it' : 'them'} all the same.`,
    );
  const columns = cells.map((name) => open.values(name));
  assertValues(open.table, columns, 'Or leave the column out with --drop.');
  const table = turned ? withoutSummaries(open, rowNames, leftOut) : open.table;
  const values = table === open.table ? columns : cells.map((name) => valueColumn(table, name));
  return {
    form: turned ? 'turned' : 'wide',
    ...{ table, values, leftOut },
    model: turned ? [] : rowNames,
    task: turned ? rowNames : [],
    ...described,
    ...(attempt === undefined ? {} : { attempt }),
    warnings: turned ? [] : sideWarnings(open, rowNames, cells),
  };
}

/** Says why no column holds values, by the one that comes nearest. */
function noValuesHint({ table, codes }: OpenTable, columns: readonly string[]): string {
  const expected = 'values are numbers, true or false, yes or no, or percentages';
  const texts = columns.map((name) => ({ name, text: asText(codes(name).values[0]) }));
  const near =
    texts.find(({ text }) => /^\s*[+-]?[.\d]*\d|^\s*[{[]/.test(text)) ?? texts.find(({ text }) => VERDICT.test(text));
  if (near === undefined) return `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`;
  const key = /^\{"([\w ]+)":\s?[\d.-]+[,}]/.exec(near.text)?.[1];
  if (key !== undefined && table.kind === 'JSON, object of objects')
    return `Cells hold several values, such as ${shown(near.text)}. Take one: \`jq 'map_values(map_values(.["${key}"]))' ${table.file} > one.json\`.`;
  const thousands = /^\s*[+-]?\d{1,3}(?:,\d{3})+\s*$/.test(near.text);
  return `Column ${shown(near.name)} holds texts such as ${shown(near.text)}: ${expected}. ${thousands ? 'Leave out the commas that separate thousands.' : VERDICT.test(near.text) ? 'Write such for each text, 1 and 0 for instance.' : 'Write one of these alone in a cell.'}`;
}

/** Words and signs for what came out well or not, which are no values (reading 1.13). */
const VERDICT =
  /^\s*(?:pass|passed|fail|failed|(?:in)?correct|right|wrong|solved|unsolved|success|failure|[yntf✓✔✅✗✘❌☑])\ufe0f?\s*$/iu;

const isEmpty = ({ values, table }: OpenTable, name: string) => values(name).counts.missing === table.rows;

/** A whole number a row that counts repeats: no task, whether models repeat or not. */
const isAttempt = ({ values }: OpenTable, name: string) =>
  namedFor('attempt', [name]).length > 0 && values(name).values.every(Number.isInteger);

function repeats({ table, codes }: OpenTable, columns: readonly string[]): boolean {
  return columns.every((name) => codes(name).values.length < table.rows);
}

/** What a turned table says of its tasks. */
function taskColumns(open: OpenTable, free: (name: string) => boolean): Pick<Shape, 'family' | 'cluster' | 'panel'> {
  const role = (what: 'family' | 'cluster' | 'panel', words: string) => {
    const column = optionalRole(open, what, { what: words, free, fitting: (name) => isText(open.values(name)) });
    return column === undefined ? {} : { [what]: column };
  };
  return {
    ...role('family', 'name the parts that weigh the same'),
    ...role('cluster', 'name what stands or falls together'),
    ...role('panel', 'name the panels'),
  };
}

/** Finds the columns that name the rows, and whether rows are tasks. Errors: SCHEMA_INVALID where it cannot be told. */
function rowNamesOf(
  open: OpenTable,
  { model, task }: { readonly model: readonly string[]; readonly task: readonly string[] },
): RowNames {
  const { table, options, names, values, codes } = open;
  const turned = options.transpose === true;
  if (options.taskColumn !== undefined && (turned || options.modelColumn === undefined))
    return { columns: task, turned: true };
  if (options.modelColumn === undefined && model.length > 1)
    failUndecided(table, { columns: model, what: 'name the models', option: '--model-column', joined: true });
  if (model.length > 0) return { columns: model, turned };
  const tasks = task.filter((name) => name === names[0] || table.index?.includes(name) || isText(values(name)));
  if (tasks.length > 1) failUndecided(table, { columns: tasks, what: 'name the tasks', option: '--task-column' });
  if (tasks.length === 1) return { columns: tasks, turned: true };
  const texts = names.filter((name) => isText(values(name)));
  const index = (table.index ?? []).filter((name) => names.includes(name) && !countsRows(open, name));
  if (index.length > 0) {
    if (index.length === 1 && !turned) assertNoDates(open, index[0]!);
    return { columns: index, turned };
  }
  const unnamed = names[0] !== undefined && isUnnamed(names[0]) ? names[0] : undefined;
  if (unnamed !== undefined && (texts.length === 0 || texts.includes(unnamed))) {
    if (!turned) assertNoDates(open, unnamed);
    return { columns: [unnamed], turned };
  }
  const undated = texts.filter((name) => !isDates(codes(name)));
  const apart = undated.filter((name) => codes(name).values.length === table.rows);
  const candidates = [apart, undated, texts].find((columns) => columns.length > 0) ?? [];
  const long = longOptions(open, candidates);
  if (long !== undefined)
    fail(
      'SCHEMA_INVALID',
      { file: table.file },
      `a row a score: columns ${candidates.map(shown).join(' and ')} name models and tasks, and nothing says which is which`,
      `Say it: ${long.join('; or ')}.`,
    );
  if (candidates.length > 1)
    failUndecided(table, { columns: candidates, what: 'name the models', option: '--model-column' });
  if (candidates.length === 1) {
    if (!turned) assertNoDates(open, candidates[0]!);
    assertHeader(open, candidates[0]!);
    assertNoQuestions(open, candidates[0]!);
    return { columns: candidates, turned };
  }
  const distinct = names.filter((name) => codes(name).values.length === table.rows);
  const [likely = names[0]!] = distinct;
  const naming = `the models: ${offered('--model-column', distinct.length > 0 ? distinct : names)}; or the tasks, where models stand in columns: --task-column ${quoted(likely)}`;
  return fail(
    'SCHEMA_INVALID',
    { file: table.file },
    `all columns hold numbers, and none is known to name the models; there is ${listedNames(names)}`,
    table.kind.startsWith('JSON')
      ? `Write the names of the models too, in pandas df.reset_index().to_json(FILE, orient="records"); or say which column names ${naming}.`
      : `Say which column names ${naming}. Where the first line holds values, put the names of the columns above it.`,
  );
}

/** Refuses to take dates for models: nobody is told that a day leads. Errors: SCHEMA_INVALID. */
function assertNoDates({ table, codes }: OpenTable, column: string): void {
  if (!isDates(codes(column))) return;
  fail(
    'SCHEMA_INVALID',
    { file: table.file },
    `column ${shown(column)} holds dates such as ${shown(asText(codes(column).values[0]))}, which name no models, and no other column is known to name them`,
    `Put the names of the models beside them; where models stand in columns, --transpose; where a date does name a model, --model-column ${quoted(column)}.`,
  );
}

const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?%?$/i;

/** A first line of which all names but one are numbers, and no count, may be a row of values. Errors: SCHEMA_INVALID. */
function assertHeader({ table, names }: OpenTable, named: string): void {
  const others = names.filter((name) => name !== named);
  if (others.length === 0 || !others.every((name) => NUMERAL.test(name.trim()))) return;
  const numbers = others.map(Number);
  if (numbers.every((value, i) => Number.isInteger(value) && (i === 0 || value === numbers[i - 1]! + 1))) return;
  fail(
    'SCHEMA_INVALID',
    table.place(0).line === undefined ? { file: table.file } : { file: table.file, line: 1 },
    `the names of the columns are ${listedNames(names)}: they look like a row of values`,
    `Put the names of the columns above it; where these are their names, say so: --model-column ${quoted(named)}.`,
  );
}

/** Columns of these names hold what was asked, and so may a column of sentences. */
const ASKED: ReadonlySet<string> = new Set(
  ['prompt', 'input', 'user input', 'instruction', 'query', 'text', 'question text', 'sentence'].map(plainName),
);

/** Refuses to take for models what reads as questions. Errors: SCHEMA_INVALID with the two options that decide. */
function assertNoQuestions({ table, codes, options }: OpenTable, name: string): void {
  if (options.transpose !== undefined) return;
  const texts = codes(name).values.map(asText);
  const asked = texts.filter((text) => /\?\s*$/.test(text)).length;
  if (!ASKED.has(plainName(name)) && 2 * asked <= texts.length) return;
  fail(
    'SCHEMA_INVALID',
    { file: table.file },
    `column ${shown(name)} names the rows, such as ${shown(texts[0])}, and reads as what was asked`,
    `Where rows are tasks and columns models: --task-column ${quoted(name)}; where rows are models: --model-column ${quoted(name)}.`,
  );
}

/** Leaves out rows that are summaries of a turned table, and those that the call does; names the former in `leftOut`. */
function withoutSummaries(open: OpenTable, task: readonly string[], leftOut: string[]) {
  const table = chosenTasks(open, task) ?? open.table;
  const coded = table.coded(task[0]!)!;
  const summary = coded.values.map((value) => SUMMARY_ROWS.has(plainName(asText(value))));
  if (open.options.only !== undefined || !summary.includes(true) || summary.every(Boolean)) return table;
  for (const [code, value] of coded.values.entries()) if (summary[code]) leftOut.push(asText(value));
  return someRows(
    table,
    rowsWhere(coded, (code) => !summary[code]),
  );
}

const SUMMARY_ROWS: ReadonlySet<string> = new Set(['average', 'avg', 'mean', 'total', 'overall']);

const TASK_LIKE = /^(?:t|q|task|question|item|problem|example|sample|id)?[\s_.#-]*\d+$/i;

const isTruth = ({ counts }: ValueColumn) => counts.truth > 0 && counts.number + counts.percent === 0;

/** Says of a wide table that columns of yes and no may be no tasks, that it may lie on its side, and of rows that are called as summaries are. */
function sideWarnings(
  { options, codes, values }: OpenTable,
  rowNames: readonly string[],
  cells: readonly string[],
): string[] {
  if (options.transpose === false) return [];
  const names = codes(rowNames[0]!).values.map(asText);
  const [models, tasks] = [names.length, cells.length];
  const numbered =
    models >= 8 &&
    tasks >= 2 &&
    names.every((name) => TASK_LIKE.test(name)) &&
    !cells.every((name) => TASK_LIKE.test(name));
  const summaries = names.filter((name) => SUMMARY_ROWS.has(plainName(name)));
  const truths = cells.filter((name) => isTruth(values(name)));
  const most = cells.reduce((found, name) => Math.max(found, values(name).greatest), -Infinity);
  return [
    ...(truths.length > 0 && most > 1
      ? [
          `${listedNames(truths)} ${truths.length === 1 ? 'is' : 'are'} true or false where other tasks reach to ${general(most, 4)}; if no task, ${dropOption(truths)}`,
        ]
      : []),
    ...(numbered || (models >= 20 && models >= 5 * tasks)
      ? [
          `the table has ${models} models and ${tasks === 1 ? 'one task' : `${tasks} tasks`}${numbered ? `, and its models are called ${shown(names[0])}, ${shown(names[1])}, ...` : ''}; if rows are tasks and columns models, it lies on its side: --transpose`,
        ]
      : []),
    ...(summaries.length > 0
      ? [
          `${listedNames(summaries)} ${summaries.length === 1 ? 'is' : 'are'} compared as a model; if it is a summary, --without ${quoted(summaries.join())}`,
        ]
      : []),
  ];
}
