import { fail, shown } from '../util/error.js';
import { counted, general } from '../util/format.js';
import { shellWord } from '../util/text.js';
import { aloneHint, besideNumber } from './beside-numbers.js';
import { columnNamed, isSummary, listedNames, namedFor, plainName, quoted, splitNames } from './column-names.js';
import { dropOption, isFactName, isTaskFact, taskFactWords } from './fact-names.js';
import { assertNoScores } from './left-out.js';
import { chosenTasks } from './long-shape.js';
import { countsRows, isUnnamed, type OpenTable, optionalRole, type Shape } from './open-table.js';
import { rowNamesOf } from './row-names.js';
import { asText } from './score-table.js';
import { isSummaryRow, marginOf, marginWords, withoutMargin } from './summary-names.js';
import { rowsWhere, someRows } from './table-rows.js';
import { assertValues, isText, type ValueColumn, valueColumn } from './values.js';
import { isVerdictLetter, verdictOf } from './verdicts.js';

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
  const margin =
    only === undefined && rowNames.length === 1 ? marginOf(textsOf(open, rowNames[0]!), open.table.names) : undefined;
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
        isEmpty(open, name) ||
        (turned && isTaskFact(name)) ||
        // A number of what the rows are, beside its name.
        namedFor(turned ? 'task' : 'model', [name]).length > 0
      );
    if (!kept || name === margin) leftOut.push(name);
    return kept && name !== margin && (turned || only === undefined || asked);
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
  if (only === undefined) assertNoScores(open, columns, leftOut);
  const rest = turned ? withoutSummaries(open, rowNames, leftOut) : open.table;
  const table = margin === undefined ? rest : withoutMargin(rest, rowNames, margin);
  const facts = turned ? leftOut.filter((name) => !isSummary(name) && isTaskFact(name)) : [];
  const values = table === open.table ? columns : cells.map((name) => valueColumn(table, name));
  return {
    form: turned ? 'turned' : 'wide',
    ...{ table, values, leftOut },
    model: turned ? [] : rowNames,
    task: turned ? rowNames : [],
    ...described,
    ...(attempt === undefined ? {} : { attempt }),
    warnings: [
      ...(margin === undefined ? [] : [marginWords(margin)]),
      ...(facts.length > 0 ? [taskFactWords(facts)] : []),
      ...(turned ? [] : sideWarnings(open, rowNames, cells)),
    ],
  };
}

const textsOf = ({ codes }: OpenTable, name: string): string[] => codes(name).values.map(asText);

/** Says why no column holds values, by the one that comes nearest. */
function noValuesHint({ table, codes, names }: OpenTable, columns: readonly string[]): string {
  const expected = 'values are numbers, true or false, yes or no, or percentages';
  // What names the rows is left aside, but where it holds parts of its own it names none.
  const holds = (name: string) => columns.includes(name) || /^[{[]/.test(asText(codes(name).values[0]));
  const texts = names.filter(holds).map((name) => ({ name, text: asText(codes(name).values[0]) }));
  const near =
    texts.find(({ text }) => /^\s*[+-]?[.\d]*\d|^\s*[{[]/.test(text)) ?? texts.find(({ text }) => isVerdict(text));
  if (near === undefined) return `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`;
  const beside = names.find((name) => name !== near.name);
  if (beside !== undefined && /^\{(?:"[^"]*":-?[\d.]+,?)+\}$/.test(near.text) && table.kind === 'JSON, list of objects')
    return `Cells of ${shown(near.name)} hold several values, such as ${shown(near.text)}. Make columns of them: \`jq 'map({${JSON.stringify(beside)}} + .${JSON.stringify(near.name)})' ${shellWord(table.file)} > flat.json\`.`;
  const isRows = table.kind === 'JSON, list of objects' || table.kind === 'JSON Lines';
  if (near.text.startsWith('[') && isRows) {
    const cell = `.[${JSON.stringify(near.name)}]`;
    const key = namedFor('task', names).length > 0 ? 'attempt' : 'task';
    return `Cells of ${shown(near.name)} hold lists, such as ${shown(near.text)}. Make a row of each value: \`jq ${table.kind === 'JSON Lines' ? '-s ' : ''}'map(. as $row | ${cell} | to_entries | map(($row | del(${cell})) + {value: .value, ${key}: .key})) | add' ${shellWord(table.file)} > rows.json\`.`;
  }
  const key = /^\{"([\w ]+)":\s?[\d.-]+[,}]/.exec(near.text)?.[1];
  if (key !== undefined && table.kind === 'JSON, object of objects')
    return `Cells hold several values, such as ${shown(near.text)}. Take one: \`jq 'map_values(map_values(.["${key}"]))' ${shellWord(table.file)} > one.json\`.`;
  if (table.kind === 'JSON, object of objects' && /^[{[]/.test(near.text))
    return `The JSON is an object of ${counted(table.rows, 'key')}, each of which holds an object (${listedNames(names.filter((name) => name !== ''))}), and in these stand ${near.text.startsWith('[') ? 'lists' : 'objects'} such as ${shown(near.text)}. Give {model: {task: value}}, or a list of rows.`;
  const number = besideNumber(near.text);
  if (number !== undefined)
    return `Column ${shown(near.name)} holds texts such as ${shown(near.text)}. ${aloneHint(number)}`;
  const thousands = /^\s*[+-]?\d{1,3}(?:,\d{3})+\s*$/.test(near.text);
  return `Column ${shown(near.name)} holds texts such as ${shown(near.text)}: ${expected}. ${thousands ? 'Leave out the commas that separate thousands.' : isVerdict(near.text) ? 'Write such for each text, 1 and 0 for instance.' : 'Write one of these alone in a cell.'}`;
}

const isVerdict = (text: string) => isVerdictLetter(text) || verdictOf(text) !== undefined;

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

/** Leaves out rows that are summaries of a turned table, and those that the call does; names the former in `leftOut`. */
function withoutSummaries(open: OpenTable, task: readonly string[], leftOut: string[]) {
  const table = chosenTasks(open, task) ?? open.table;
  const coded = table.coded(task[0]!)!;
  const summary = coded.values.map((value) => isSummaryRow(asText(value)));
  if (open.options.only !== undefined || !summary.includes(true) || summary.every(Boolean)) return table;
  for (const [code, value] of coded.values.entries()) if (summary[code]) leftOut.push(asText(value));
  return someRows(
    table,
    rowsWhere(coded, (code) => !summary[code]),
  );
}

const TASK_LIKE = /^(?:t|q|task|question|item|problem|example|sample|id)?[\s_.#-]*\d+$/i;

/** So many models that are called as tasks are may be tasks; more where they are called by a number alone, which may count steps of training. */
const LIKE_TASKS = { named: 3, numbered: 8 };

const isTruth = ({ counts }: ValueColumn) => counts.truth > 0 && counts.number + counts.percent === 0;

/** Says of a wide table that columns of yes and no may be no tasks, and that it may lie on its side. */
function sideWarnings(
  { options, codes, values }: OpenTable,
  rowNames: readonly string[],
  cells: readonly string[],
): string[] {
  if (options.transpose === false) return [];
  const names = codes(rowNames[0]!).values.map(asText);
  const [models, tasks] = [names.length, cells.length];
  const numbered =
    models >= (names.every((name) => /^\d/.test(name)) ? LIKE_TASKS.numbered : LIKE_TASKS.named) &&
    tasks >= 2 &&
    names.every((name) => TASK_LIKE.test(name)) &&
    !cells.every((name) => TASK_LIKE.test(name));
  const truths = cells.filter((name) => isTruth(values(name)));
  const worded = cells.filter((name) => values(name).verdicts.size > 0);
  const most = cells.reduce((found, name) => Math.max(found, values(name).greatest), -Infinity);
  return [
    ...(truths.length > 0 && most > 1
      ? [
          `${listedNames(truths)} ${truths.length === 1 ? 'is' : 'are'} true or false where other tasks reach to ${general(most, 4)}; if no task, ${dropOption(truths)}`,
        ]
      : []),
    ...(worded.length > 0 && worded.length < cells.length && most <= 1
      ? [
          `${listedNames(worded)} ${worded.length === 1 ? 'counts as a task and holds' : 'count as tasks and hold'} verdicts in words where other tasks hold numbers; if no task, ${dropOption(worded)}`,
        ]
      : []),
    ...(numbered || (models >= 20 && models >= 5 * tasks)
      ? [
          `the table has ${models} models and ${tasks === 1 ? 'one task' : `${tasks} tasks`}${numbered ? `, and its models are called ${shown(names[0])}, ${shown(names[1])}, ...` : ''}; if rows are tasks and columns models, it lies on its side: --transpose`,
        ]
      : []),
  ];
}
