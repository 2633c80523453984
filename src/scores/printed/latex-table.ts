import { fail } from '../../util/error.js';
import { type PrintedRow, type PrintedTable, WRITE_PLAIN } from './printed-row.js';

/** So many lines are looked at. */
const SEEN = 60;
/** What may stand behind the end of a row. */
const AFTER = /^\s*(?:\[[^\]]*\]\s*)?(?:\\[a-z]+.*|%.*)?$/;
/** Commands that draw lines and set sizes between rows. */
const BETWEEN =
  /\\(?:hline|toprule|midrule|bottomrule|centering|small|footnotesize|tabularnewline|(?:addlinespace|specialrule)\b|c?(?:mid)?line|cmidrule|rowcolor|caption|label)(?:\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\})*/g;
/** Commands that only dress what stands in their braces, and citations, which are no part of a name. */
const DRESS = /\\(?:text(?:bf|it|tt|sc|rm|sf)?|emph|underline|uline|math(?:bf|rm|it)|mbox|bfseries|bf)\s*\{([^{}]*)\}/g;
const CITED = /~?\\(?:cite[a-z]*|footnote|tnote|ref)\*?(?:\[[^[\]]*\])*\{[^{}]*\}/g;

/**
 * Reads a table of LaTeX: cells between `&`, rows that end in `\\`. Undefined where none stands there. Errors: FORMAT_UNKNOWN for cells that span
 * others, commands whose meaning is not certain, and two tables.
 */
export function latexTable(lines: readonly string[], file: string): PrintedTable | undefined {
  const early = lines.slice(0, SEEN);
  const begun = /^\s*\\(?:begin|documentclass|usepackage)\b/.test(early.find((line) => line.trim() !== '') ?? '');
  if (!begun && !early.some(isRow)) return undefined;
  const begins = lines.flatMap((line, i) =>
    /\\begin\{(?:tabular|longtable|tabularx|array|tblr)\*?\}/.test(line) ? [i] : [],
  );
  if (begins.length > 1)
    fail('FORMAT_UNKNOWN', { file, line: begins[1]! + 1 }, 'holds more than one table of LaTeX', WRITE_PLAIN);
  const [begin] = begins;
  const end = lines.findIndex(
    (line, i) => i >= (begin ?? 0) && /\\end\{(?:tabular|longtable|tabularx|array|tblr)\*?\}/.test(line),
  );
  const rows: PrintedRow[] = [];
  let held = '';
  let first = 0;
  const close = () => {
    const written = held.replace(BETWEEN, ' ').trim();
    held = '';
    if (written.includes('&')) rows.push({ line: first, cells: cellsOf(written, { file, line: first }) });
  };
  for (let i = begin === undefined ? 0 : begin + 1; i < (end < 0 ? lines.length : end); i += 1) {
    const parts = lines[i]!.replace(/(?<!\\)%.*$/, '').split(/\\\\(?:\[[^\]]{0,40}\])?/);
    parts.forEach((part, p) => {
      if (held.trim() === '') first = i + 1;
      held += ` ${part}`;
      if (p < parts.length - 1) close();
    });
  }
  close();
  return rows.length > 1 ? { kind: 'LaTeX', rows: withIndexName(rows) } : undefined;
}

/** Rows in which the name of the first column, which pandas sets in a row of its own, stands where it belongs. */
function withIndexName(rows: readonly PrintedRow[]): readonly PrintedRow[] {
  const [head, second, ...rest] = rows;
  const [name = '', ...others] = second?.cells ?? [];
  if (head?.cells[0] !== '' || name === '' || rest.length === 0 || others.some((cell) => cell !== '')) return rows;
  return [{ line: head.line, cells: [name, ...head.cells.slice(1)] }, ...rest];
}

/** Tells whether a line is a row: cells between `&`, then the end of a row, each found in one pass over the line. */
function isRow(line: string): boolean {
  const cell = line.search(/(?<!\\)&/);
  return cell >= 0 && line.includes('\\\\', cell) && AFTER.test(line.slice(line.lastIndexOf('\\\\') + 2));
}

/** The cells of a row as they would be set. Errors: FORMAT_UNKNOWN for a command that is not known. */
function cellsOf(row: string, place: { readonly file: string; readonly line: number }): string[] {
  return row.split(/(?<!\\)&/).map((cell) => {
    let text = cell
      .replace(CITED, '')
      .replace(/\$/g, '')
      .replace(/\\pm\b/g, '±');
    for (let depth = 0; depth < 4 && DRESS.test(text); depth += 1) text = text.replace(DRESS, '$1');
    text = text
      .replace(/\\(?:bf|bfseries|it|tt|quad|,|;|!| )(?![a-z])/g, ' ')
      .replace(/\\([%_&#$])/g, '$1')
      .replace(/~/g, ' ')
      .replace(/^\s*\{([^{}]*)\}\s*$/, '$1')
      .trim();
    const command = /\\[a-z]+/i.exec(text)?.[0];
    if (command !== undefined)
      fail('FORMAT_UNKNOWN', place, `is LaTeX with ${command} in a cell, which is not read`, WRITE_PLAIN);
    return /^-{2,3}$/.test(text) ? '-' : text;
  });
}
