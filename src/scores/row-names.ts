import { fail, shown } from '../util/error.js';
import { shellWord } from '../util/text.js';
import { failUndecided, listedNames, plainName, quoted, ROLE_NAMES } from './column-names.js';
import { isDates } from './dates.js';
import { longOptions } from './melted.js';
import { countsRows, isUnnamed, type OpenTable, offered } from './open-table.js';
import { asText } from './score-table.js';
import { isText } from './values.js';

/** What names the rows of a table with a row a model or a task. */
interface RowNames {
  /** Columns whose texts, joined, name a row. */
  readonly columns: readonly string[];
  /** Rows are tasks. */
  readonly turned: boolean;
}

/** Finds the columns that name the rows, and whether rows are tasks. Errors: SCHEMA_INVALID where it cannot be told. */
export function rowNamesOf(
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
  if (candidates.length === 2) assertHeader(open, candidates);
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
    assertHeader(open, candidates);
    assertNoQuestions(open, candidates[0]!);
    if (!turned) assertNoLabels(open, candidates[0]!);
    return { columns: candidates, turned };
  }
  const distinct = names.filter((name) => codes(name).values.length === table.rows);
  const [likely = names[0]!] = distinct;
  const naming = `the models: ${offered('--model-column', distinct.length > 0 ? distinct : names)}; or the tasks, where models stand in columns: --task-column ${quoted(likely)}`;
  const isHeadless = names.every((name) => NUMERAL.test(name.trim()));
  return fail(
    'SCHEMA_INVALID',
    { file: table.file },
    `all columns hold numbers, and none is known to name the models; there is ${listedNames(names)}`,
    table.kind === 'JSON, lists by column'
      ? `Where each list holds the values of one model, name their tasks: \`jq 'map_values(with_entries(.key |= "t\\(. + 1)"))' ${shellWord(table.file)} > named.json\`; or say which column names ${naming}.`
      : table.kind.startsWith('JSON')
        ? `Write the names of the models too, in pandas df.reset_index().to_json(FILE, orient="records"); or say which column names ${naming}.`
        : isHeadless
          ? 'Where the first line holds values, put the names of the columns above it, and in each row the name of its model.'
          : `Say which column names ${naming}. Where none does, put the name of its model into each row.`,
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
function assertHeader({ table, names }: OpenTable, named: readonly string[]): void {
  const others = names.filter((name) => !named.includes(name) && !isUnnamed(name));
  if (others.length === 0 || !others.every((name) => NUMERAL.test(name.trim()))) return;
  const numbers = others.map(Number);
  const isCount = numbers.every((value, i) => Number.isInteger(value) && (i === 0 || value === numbers[i - 1]! + 1));
  if (isCount && named.length === 1) return;
  fail(
    'SCHEMA_INVALID',
    table.place(0).line === undefined ? { file: table.file } : { file: table.file, line: 1 },
    `the names of the columns are ${listedNames(names)}: they look like a row of values`,
    named.length === 1
      ? `Put the names of the columns above it; where these are their names, say so: --model-column ${quoted(named[0]!)}.`
      : `Put the names of the columns above it, model,task,value for instance: \`sed '1i model,task,value' ${shellWord(table.file)} | flavourbench -\`.`,
  );
}

/** Columns of these names say something of a task or an answer, and name no models. */
const LABELS: ReadonlySet<string> = new Set(
  [
    ...ROLE_NAMES.family.filter((name) => name !== 'benchmark'),
    ...['topic', 'type', 'split', 'section', 'skill', 'language', 'label', 'labels', 'tag', 'tags', 'note', 'notes'],
    ...['comment', 'comments', 'remark', 'remarks', 'winner', 'gold', 'reference', 'target', 'answer', 'explanation'],
  ].map(plainName),
);

/** Numbers of questions, beside the names of 1.11. */
const QUESTION_NUMBERS: ReadonlySet<string> = new Set(
  ['qid', 'prompt id', 'question no', 'question number', 'item no'].map(plainName),
);

/** Refuses to take for models the only texts of a table where they are called as labels, or stand beside numbers of questions. Errors: SCHEMA_INVALID. */
function assertNoLabels({ table, names, codes, options }: OpenTable, name: string): void {
  if (options.transpose !== undefined || options.taskColumn !== undefined) return;
  const number = names.find((each) => each !== name && QUESTION_NUMBERS.has(plainName(each)));
  if (number === undefined && !LABELS.has(plainName(name))) return;
  const ids = names.filter((each) => each !== name && codes(each).values.length === table.rows);
  const tasks = number ?? ids.find((each) => /^(?:id|idx|index|no|#|number)$/i.test(each)) ?? name;
  fail(
    'SCHEMA_INVALID',
    { file: table.file },
    number === undefined
      ? `no column is known to name the models: the only one of texts, ${shown(name)}, is called as a label of tasks`
      : `column ${shown(number)} numbers questions, and ${shown(name)}, the only one of texts, would name the models`,
    `Where rows are tasks and columns models: --task-column ${quoted(tasks)}; where it names the models: --model-column ${quoted(name)}.`,
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
