import { FlavourError, shown } from './error.js';
import { readText } from './file.js';

export interface CsvTable {
  readonly header: readonly string[];
  /** Rows of as many fields as the header. */
  readonly rows: readonly (readonly string[])[];
}

function malformed(file: string | undefined, line: number, what: string): FlavourError {
  const name = file === undefined ? 'the table' : file;
  return new FlavourError('SCHEMA_INVALID', `${name}, line ${line}: ${what}`, {
    hint: 'Quote fields that hold commas or quotes, and double a quote inside one.',
    where: file === undefined ? { line } : { file, line },
  });
}

/**
 * Records of comma-separated text (RFC 4180), with the line each begins at. Unlike the lenient readers at hand it keeps
 * a short or long record as it is, so that the caller can name it. Blank lines are skipped.
 */
function* records(text: string, file?: string): Generator<{ line: number; fields: string[] }> {
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const fields: string[] = [];
    const begin = line;
    let open = true;
    while (open) {
      let end: number;
      if (text.charCodeAt(at) === 34) {
        let quote = text.indexOf('"', at + 1);
        while (quote >= 0 && text.charCodeAt(quote + 1) === 34)
          quote = text.indexOf('"', quote + 2);
        if (quote < 0) throw malformed(file, line, 'a quoted field never ends');
        const value = text.slice(at + 1, quote);
        fields.push(value.replaceAll('""', '"'));
        line += value.split('\n').length - 1;
        end = quote + 1;
      } else {
        end = at;
        for (;;) {
          const code = text.charCodeAt(end);
          if (code === 34) throw malformed(file, line, 'a quote inside an unquoted field');
          if (code === 44 || code === 10 || Number.isNaN(code)) break;
          end += 1;
        }
        const crlf = text.charCodeAt(end) === 10 && text.charCodeAt(end - 1) === 13 && end > at;
        fields.push(text.slice(at, crlf ? end - 1 : end));
        if (crlf) end -= 1;
      }
      if (text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10) end += 1;
      const code = text.charCodeAt(end);
      if (code !== 44 && code !== 10 && end < text.length) {
        throw malformed(file, line, 'a quoted field is followed by more text');
      }
      open = code === 44;
      at = end + 1;
    }
    line += 1;
    if (fields.length > 1 || fields[0] !== '') yield { line: begin, fields };
  }
}

/** Parses comma-separated text with a header. Errors: SCHEMA_INVALID names the line of a malformed or ragged record. */
export function parseCsv(text: string, file?: string): CsvTable {
  const all = records(text, file);
  const first = all.next();
  if (first.done) throw malformed(file, 1, 'empty; a header is expected');
  const header = first.value.fields;
  const rows: string[][] = [];
  for (const { line, fields } of all) {
    if (fields.length !== header.length) {
      const what = `${fields.length} fields, ${header.length} expected: ${shown(fields.join(','))}`;
      throw malformed(file, line, what);
    }
    rows.push(fields);
  }
  return { header, rows };
}

/** The table in a regular UTF-8 file. */
export function readCsv(path: string): CsvTable {
  return parseCsv(readText(path), path);
}

function field(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Comma-separated text with LF line ends; fields are quoted only where RFC 4180 asks for it. */
export function csvText(
  header: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
): string {
  const lines = [header.map(field).join(',')];
  for (const row of rows) {
    lines.push(
      row.map((value) => (typeof value === 'number' ? String(value) : field(value))).join(','),
    );
  }
  return `${lines.join('\n')}\n`;
}
