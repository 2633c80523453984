import { type CodedColumn, columnOfCodes, tidyCodes } from '../io/coded.js';
import { DELIMITERS, type DelimitedTable, readDelimited } from '../io/delimited.js';
import { delimiterOf } from '../io/dialect.js';
import { assertName } from '../io/held/name-bound.js';
import { assertText, textBytes } from '../io/text-bytes.js';
import { decodeText } from '../io/utf8.js';
import { fail, shown } from '../util/error.js';
import { shellWord } from '../util/text.js';
import { listedNames } from './column-names.js';
import { headerLevels } from './header-levels.js';
import { csvOfPrinted, printedTable } from './printed/printed-table.js';
import { type ScoreTable, scoreTable } from './score-table.js';

const KINDS = { comma: 'CSV', semicolon: 'CSV, semicolons', tab: 'TSV', bar: 'CSV, bars' } as const;

const COMMA_DECIMAL = /^\s*[+-]?\d*,\d+\s*%?\s*$/;
const POINT_DECIMAL = /^\s*[+-]?\d*\.\d+\s*%?\s*$/;
const THOUSANDS = /^\s*[+-]?[1-9]\d{0,2},\d{3}\s*%?\s*$/;

/** Names of a first column that had none: as it stands, and as pandas writes it once it has read it. */
const UNNAMED = new Set(['', 'Unnamed: 0']);

/**
 * Reads a table of text: what separates its cells is found from them. A first column without a name is an index. Errors: CSV_INVALID,
 * TEXT_INVALID_UTF8; FORMAT_UNKNOWN for what is no text; those of `printedTable` for one that was printed for people (reading 1.2).
 */
export function delimitedTable(written: Uint8Array, file: string): ScoreTable {
  const { bytes, encoding } = textBytes(written, file);
  assertText(bytes, file);
  const said = saidDelimiter(bytes);
  assertNoComments(bytes, file);
  const found = said?.delimiter ?? delimiterOf(bytes);
  const printed = said === undefined ? printedText(bytes, file, found !== undefined) : undefined;
  const delimiter = printed ? 'comma' : (found ?? 'comma');
  const body = printed?.bytes ?? (said ? bytes.subarray(said.length) : bytes);
  const text = readDelimited(body, { file, delimiter: DELIMITERS[delimiter] });
  const line = (row: number) => text.line(row) + (said ? 1 : 0);
  const names = columnNames(text, { file, line: line(0) }, line);
  const semicolons = delimiter === 'semicolon';
  return scoreTable({
    file,
    kind: [printed?.kind ?? KINDS[delimiter], ...(encoding ? [encoding] : [])].join(', '),
    rows: text.rows - 1,
    columns: new Map(
      names.map((name, at) => [
        name,
        columnOfCodes(() => decimalPoints(codesAt(text, at), { file, name, semicolons })),
      ]),
    ),
    ...(UNNAMED.has(names[0]!) && names.length > 1 ? { index: [names[0]!] } : {}),
    place: (row) => ({ file, line: line(row + 1) }),
  });
}

/** So many bytes of a text show whether a program printed it for people. */
const BEGINNING = 65_536;
/** What a table between lines or of LaTeX has in its first rows. */
const PRINTED = /[│┃║┆╎]|[-=]\+[-=]|\\\\/;
const isPrinted = (text: string): boolean =>
  PRINTED.test(text) || text.split('\n').some((line) => line.includes('|') && /--|\|\s*:?-:?\s*\|/.test(line));

/** A table that was printed for people, as CSV with the same lines; undefined where it is none. Errors: those of `printedTable`. */
function printedText(
  bytes: Uint8Array,
  file: string,
  separated: boolean,
): { kind: string; bytes: Uint8Array } | undefined {
  if (separated && !isPrinted(new TextDecoder().decode(bytes.subarray(0, BEGINNING)))) return undefined;
  const table = printedTable(decodeText(file, bytes), { file, separated });
  return table && { kind: table.kind, bytes: new TextEncoder().encode(csvOfPrinted(table.rows)) };
}

/** How comments begin. The name of a first column may begin with a mark too, as one that counts does. */
const COMMENT = /^(?:[#%]|\/\/|--) ?\S/;

/** Refuses lines of comments above the names. Errors: CSV_INVALID with the command that leaves them out. */
function assertNoComments(bytes: Uint8Array, file: string): void {
  const lines = new TextDecoder().decode(bytes.subarray(0, BEGINNING)).split('\n');
  const first = lines.findIndex((line) => !COMMENT.test(line));
  if (first < 1) return;
  const marks = (line: string) => line.replace(/[^,;\t|]/g, '').length;
  // A line with as many separators as the one below it names the columns.
  const named = lines[first - 1]!;
  const from = marks(named) > 0 && marks(named) === marks(lines[first]!) ? first - 1 : first;
  if (from === 0 || marks(lines[from]!) === 0) return;
  fail(
    'CSV_INVALID',
    { file, line: 1 },
    `${from === 1 ? 'is a comment' : `begins ${from} lines of comments`}: the first line names the columns`,
    `Leave ${from === 1 ? 'it' : 'them'} out: \`tail -n +${from + 1} ${shellWord(file)} | flavourbench -\`.`,
  );
}

/** What a first line `sep=;` says, as spreadsheets write it, and how long it is. */
function saidDelimiter(bytes: Uint8Array): { delimiter: keyof typeof DELIMITERS; length: number } | undefined {
  const found = /^sep=(.)\r?\n/.exec(String.fromCharCode(...bytes.subarray(0, 8)));
  const named = Object.entries(DELIMITERS).find(([, byte]) => byte === found?.[1]?.charCodeAt(0));
  return found && named ? { delimiter: named[0] as keyof typeof DELIMITERS, length: found[0].length } : undefined;
}

/** The codes of a column below the header. */
function codesAt({ cells, columns, rows, texts }: DelimitedTable, at: number): CodedColumn {
  const codes = new Int32Array(rows - 1);
  for (let row = 0, cell = columns + at; row < codes.length; row += 1, cell += columns) codes[row] = cells[cell]!;
  return tidyCodes(codes, texts.length, (code) => texts[code]);
}

/** The names of the columns; the last ones without name and without content are none. Errors: CSV_INVALID for a second name or an unnamed column. */
function columnNames(
  text: DelimitedTable,
  place: { file: string; line: number },
  line: (row: number) => number,
): string[] {
  const names = Array.from({ length: text.columns }, (_, at) => text.texts[text.cells[at]!]!);
  while (
    names.length > 1 &&
    names.at(-1) === '' &&
    codesAt(text, names.length - 1).values.every((value) => value === '')
  )
    names.pop();
  if (['Tasks', 'Metric', 'Value', 'Stderr'].every((name) => names.includes(name)))
    fail(
      'SCHEMA_INVALID',
      { file: place.file },
      'is the table that lm-evaluation-harness prints: one mean an evaluation of one model, no scores on samples',
      'Run the harness with --log_samples and give the folder with its samples_TASK_TIME.jsonl. Means alone are read as a table: a row a model, a column an evaluation.',
    );
  const known = new Set<string>();
  names.forEach((name, i) => {
    assertName(`column ${i + 1}`, name, place);
    if ((name === '' && i > 0) || known.has(name)) {
      const above = name === '' ? titleHint(text, place.file, line) : headlessHint(names, place.file);
      fail(
        'CSV_INVALID',
        place,
        `column ${i + 1} is ${name === '' ? 'unnamed' : `a second ${shown(name)}`}`,
        `The first line names the columns, each once.${above === '' ? (headerLevels(text)?.hint ?? '') : above}`,
      );
    }
    known.add(name);
  });
  const levels = headerLevels(text);
  if (levels?.isSure)
    fail(
      'CSV_INVALID',
      { file: place.file, line: line(1) },
      `names the columns a second time: ${listedNames(levels.names)}`,
      levels.hint.trim(),
    );
  return names;
}

/** Where most cells of the first line are empty it may be a title: the command that begins with the first line that is full. */
function titleHint(
  { cells, columns, rows, texts }: DelimitedTable,
  file: string,
  line: (row: number) => number,
): string {
  const filled = (row: number) => {
    let count = 0;
    for (let at = 0; at < columns; at += 1) count += Number(texts[cells[row * columns + at]!] !== '');
    return count;
  };
  // A first full line that holds numbers is a row of values, below names in several lines.
  const holdsNumbers = (row: number) =>
    Array.from({ length: columns }, (_, at) => texts[cells[row * columns + at]!]!).some((text) =>
      /^\s*[+-]?[.\d]/.test(text),
    );
  if (2 * filled(0) > columns) return '';
  for (let row = 1; row < Math.min(rows - 1, 20); row += 1)
    if (filled(row) === columns && !holdsNumbers(row))
      return ` If what stands above is a title: \`tail -n +${line(row)} ${shellWord(file)} | flavourbench -\`.`;
  return '';
}

/** Where names of columns are numbers, the first line may hold values: the command that puts names above it. */
function headlessHint(names: readonly string[], file: string): string {
  if (names.slice(1).some((name) => !/^[+-]?[\d.]+%?$/.test(name))) return '';
  const made = ['model', ...names.slice(1).map((_, i) => `t${i + 1}`)].join();
  return made.length > 120
    ? ' Where it holds values, put the names of the columns above it.'
    : ` Where it holds values: \`sed '1i ${made}' ${shellWord(file)} | flavourbench -\`.`;
}

const POINTS = /^\s*[+-]?[1-9]\d{0,2}(?:\.\d{3})+\s*$/;
const WHOLE = /^\s*[+-]?\d+\s*$/;

/**
 * Refuses a column whose points may separate thousands: before each three digits, beside whole numbers of three digits. Where semicolons separate
 * cells, decimals often have commas. Errors: CELL_NOT_INTEGER.
 */
function assertNoThousands(
  texts: readonly string[],
  { file, name }: { readonly file: string; readonly name: string },
): void {
  const pointed = texts.find((text) => POINTS.test(text));
  const whole = texts.find((text) => WHOLE.test(text) && Math.abs(Number(text)) >= 100);
  if (pointed === undefined || whole === undefined) return;
  if (texts.some((text) => /[.,]/.test(text) && !POINTS.test(text))) return;
  fail(
    'CELL_NOT_INTEGER',
    { file },
    `column ${shown(name)} holds ${shown(pointed)} and ${shown(whole)}: the point may separate thousands or decimals`,
    'Leave out points that separate thousands, or write decimals with commas, 1,234.',
  );
}

/**
 * Writes decimal commas as points: in a column that has some and no decimal point. Where commas separate cells or tabs do, a column in which
 * every comma may be one of thousands is left as it is.
 */
function decimalPoints(
  column: CodedColumn,
  { file, name, semicolons }: { readonly file: string; readonly name: string; readonly semicolons: boolean },
): CodedColumn {
  const texts = column.values as readonly string[];
  if (semicolons) assertNoThousands(texts, { file, name });
  const commas = texts.filter((text) => COMMA_DECIMAL.test(text));
  if (commas.length === 0 || texts.some((text) => POINT_DECIMAL.test(text))) return column;
  if (!semicolons && commas.every((text) => THOUSANDS.test(text))) return column;
  return { ...column, values: texts.map((text) => (COMMA_DECIMAL.test(text) ? text.replace(',', '.') : text)) };
}
