import { describe, expect, it } from 'vitest';
import { csvText, parseCsv } from '../../src/util/csv.js';

describe('comma-separated text', () => {
  it('survives a round trip with commas, quotes and line breaks in fields', () => {
    const rows = [
      ['a,b', 'say "x"', 'two\nlines'],
      ['', '1', 'plain'],
      ['"', ',', '""'],
    ];
    const text = csvText(['x', 'y', 'z'], rows);
    expect(parseCsv(text)).toEqual({ header: ['x', 'y', 'z'], rows });
  });

  it('reads one column, CRLF ends, an empty last field and a missing last line end', () => {
    expect(parseCsv('a,b\r\n1,"2"\r\n3,').rows).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
    expect(parseCsv('a\n1\n2\n')).toEqual({ header: ['a'], rows: [['1'], ['2']] });
    expect(parseCsv('a,b\n').rows).toEqual([]);
    expect(parseCsv('a,b\n,\r\n').rows).toEqual([['', '']]);
  });

  it('keeps text that looks like a number as it was written', () => {
    expect(parseCsv('a\n007\n1.0\n').rows).toEqual([['007'], ['1.0']]);
  });

  it('names the line of a record with too few or too many fields, also after a field of several lines', () => {
    expect(() => parseCsv('a,b\n1,2\n3\n', 't.csv')).toThrow(
      't.csv, line 3: 1 fields, 2 expected: "3"',
    );
    expect(() => parseCsv('a,b\n"x\ny",2\n1,2,3\n')).toThrow(/line 4: 3 fields, 2 expected/);
  });

  it('refuses an empty table and broken quoting', () => {
    expect(() => parseCsv('\n')).toThrow(/a header is expected/);
    expect(() => parseCsv('a,b\n"1,2\n')).toThrow(/line 2: a quoted field never ends/);
    expect(() => parseCsv('a,b\n"1"x,2\n')).toThrow(/followed by more text/);
    expect(() => parseCsv('a,b\n1"x,2\n')).toThrow(/a quote inside an unquoted field/);
  });
});
