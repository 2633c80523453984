import { fail } from '../../util/error.js';
import { CUT, type PrintedRow, type PrintedTable, WRITE_ALL, WRITE_PLAIN } from './printed-row.js';

/** What stands between cells: lines drawn by characters for it, or a bar. */
const DRAWN = /[│┃║┆╎]/;
/** A line that only draws, with a crossing, a corner or a bar in it. */
const RULE = /^[\s─━═╌┄┈─=+|:│┃║┆╎┼├┤┌┐└┘┬┴╞╪╡╔╗╚╝╠╣╦╩╬╟╢╫╤╧╭╮╰╯┏┓┗┛┳┻┡┩╇╋┠┨┿-]*$/u;
const DASHES = /[─━═=]{2}|-{2}|[─━═]/u;
const JOINT = /[+|│┃║┆╎┼├┤┌┐└┘┬┴╞╪╡╔╗╚╝╠╣╦╩╬╟╢╫╤╧╭╮╰╯┏┓┗┛┳┻┡┩╇╋┠┨┿]/u;
/** Names of types that DuckDB and polars print below the names of columns. */
const TYPE =
  /^(?:varchar|u?(?:tiny|small|big|huge)?int(?:eger)?\d*|[iuf](?:8|16|32|64|128)|str|bool(?:ean)?|cat|enum|double|float|real|decimal(?:\(\d+,\s*\d+\))?|date|time(?:stamp)?(?: with time zone)?|uuid|null)$/i;
/** What stands where rows or columns are left out. */
const LEFT_OUT = /^(?:…|\.{3}|·)$/;

/** Dashes between drawn lines are cells, as polars has them. */
const isRule = (line: string): boolean =>
  RULE.test(line) && DASHES.test(line) && JOINT.test(line) && (!DRAWN.test(line) || /[─━═╌┄┈]/.test(line));

/** The line below the names in Markdown, which may have a single dash for each column. */
const MARKDOWN = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/;

/**
 * Reads a table whose cells stand between lines: of Markdown, or in the boxes that DuckDB, psql, MySQL, SQLite, polars and others print. Undefined
 * where no line among the first ones draws. Errors: FORMAT_UNKNOWN for one that leaves something out, for a name of several lines, for two tables.
 */
export function ruledTable(lines: readonly string[], file: string): PrintedTable | undefined {
  const at = firstRow(lines);
  if (at === undefined) return undefined;
  const separator = DRAWN.test(lines[at]!) ? DRAWN : /\|/;
  const frame = frameOf(lines[at]!, separator);
  const inside = (i: number) => lines[i] !== undefined && (separator.test(lines[i]!) || isRule(lines[i]!));
  let end = at;
  while (inside(end)) end += 1;
  const second = lines.findIndex((line, i) => i > end && isRule(line));
  if (second >= 0) fail('FORMAT_UNKNOWN', { file, line: second + 1 }, 'holds more than one table', WRITE_PLAIN);
  const head: PrintedRow[] = [];
  const body: PrintedRow[] = [];
  let ruled = false;
  for (let i = at; i < end; i += 1) {
    if (isRule(lines[i]!) || (i === at + 1 && MARKDOWN.test(lines[i]!.trim()))) ruled = true;
    else (ruled ? body : head).push({ line: i + 1, cells: cellsOf(lines[i]!, separator, frame) });
  }
  const [names, ...under] = head as [PrintedRow, ...PrintedRow[]];
  const other = under.find(({ cells }) => !cells.every((cell) => cell === '---' || TYPE.test(cell)));
  if (other)
    fail('FORMAT_UNKNOWN', { file, line: other.line }, 'has names of columns that go over several lines', WRITE_PLAIN);
  const rows = body.filter(({ cells, line }) => {
    const [only] = cells;
    if (cells.some((cell) => LEFT_OUT.test(cell))) fail('FORMAT_UNKNOWN', { file, line }, CUT, WRITE_ALL);
    if (cells.length > 1 || only === undefined || !/^\d+ rows?\b/.test(only)) return true;
    if (/shown/.test(only)) fail('FORMAT_UNKNOWN', { file, line }, CUT, WRITE_ALL);
    return false;
  });
  const cut = names.cells.some((cell) => LEFT_OUT.test(cell));
  if (cut) fail('FORMAT_UNKNOWN', { file, line: names.line }, CUT, WRITE_ALL);
  return { kind: separator === DRAWN ? 'a table in a box' : 'a table between bars', rows: [names, ...rows] };
}

/** The line of the names: the first one with cells, a line that draws next to it. */
function firstRow(lines: readonly string[]): number | undefined {
  let met = 0;
  for (let i = 0; i < lines.length && met < 8; i += 1) {
    const line = lines[i]!;
    if (line.trim() === '') continue;
    met += 1;
    if (isRule(line) || !/[│┃║┆╎|]/.test(line)) continue;
    const drawn =
      [lines[i - 1], lines[i + 1]].some((next) => next !== undefined && isRule(next)) ||
      MARKDOWN.test((lines[i + 1] ?? '').trim());
    if (drawn) return i;
    if (!DRAWN.test(line)) return undefined;
  }
  return undefined;
}

/** On which sides the line of the names is closed; all rows are closed likewise, however empty their first and last cells are. */
interface Frame {
  readonly left: boolean;
  readonly right: boolean;
}

function frameOf(line: string, separator: RegExp): Frame {
  const written = line.trim();
  return { left: separator.test(written[0]!), right: separator.test(written.at(-1)!) };
}

function cellsOf(line: string, separator: RegExp, { left, right }: Frame): string[] {
  const written = line.trim();
  const bars = separator === DRAWN ? written : written.replaceAll('\\|', '\u0000');
  const cells = bars.split(separator).map((cell) => plainCell(cell.replaceAll('\u0000', '|').trim(), separator));
  const from = left && cells[0] === '' ? 1 : 0;
  return cells.slice(from, right && cells.at(-1) === '' && cells.length > from + 1 ? -1 : undefined);
}

/** A cell without what Markdown dresses it in: bold, code, a link. */
function plainCell(cell: string, separator: RegExp): string {
  if (separator === DRAWN) return cell;
  const link = /^\[([^[\]]*)\]\([^()\s]*\)$/.exec(cell)?.[1] ?? cell;
  return /^(\*{1,3}|_{1,3}|`+)([^*`]+)\1$/.exec(link)?.[2] ?? link;
}
