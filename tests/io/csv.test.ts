import { describe, expect, it } from 'vitest';
import { csvText, parseCsv } from '../../src/io/csv.js';

const table = (text: string) => parseCsv(text, { file: 't.csv' });

describe('comma-separated text', () => {
  it('survives a round trip with commas, quotes and line breaks in fields', () => {
    const rows = [
      ['a,b', 'say "x"', 'two\nlines'],
      ['', '1', 'plain'],
      ['"', ',', '""'],
    ];
    const text = csvText(['x', 'y', 'z'], rows);
    expect(table(text)).toMatchObject({ header: ['x', 'y', 'z'], rows });
  });

  it('may have one column, CRLF ends, an empty last field and no last line end', () => {
    expect(table('a,b\r\n1,"2"\r\n3,').rows).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
    expect(table('a\n1\n2\n')).toMatchObject({ header: ['a'], rows: [['1'], ['2']] });
    expect(table('a\n"1, 2"\n\n"say ""x"""\n').rows).toEqual([['1, 2'], [''], ['say "x"']]);
    expect(table('a,b\n').rows).toEqual([]);
    expect(table('a,b\n,\r\n').rows).toEqual([['', '']]);
  });

  it('keeps text that looks like a number as it was written', () => {
    expect(table('a\n007\n1.0\n').rows).toEqual([['007'], ['1.0']]);
  });

  it('is refused for a row with too few or too many fields, with its line, also after a field of several lines', () => {
    expect(() => table('a,b\n1,2\n3\n')).toThrow('t.csv, line 3: 1 cell, the header has 2');
    expect(() => table('a,b\n"x\ny",2\n1,2,3\n')).toThrow('line 4: 3 cells, the header has 2');
  });

  it('is refused where lines end in CR alone, and the error says so', () => {
    expect(() => table('a,b\r1,2\r')).toThrow('t.csv, line 1: lines end in CR alone');
  });

  it('is refused for an empty table, broken quoting and a repeated column', () => {
    expect(() => table('\n')).toThrow();
    expect(() => table('')).toThrow(/is empty/);
    expect(() => table('a,b\n"1,2\n')).toThrow(/line 2: a quoted cell is never closed/);
    expect(() => table('a,b\n"1"x,2\n')).toThrow(/text follows a closing quote/);
    expect(() => table('a,b\n1"x,2\n')).toThrow(/a quote stands inside an unquoted cell/);
    expect(() => table('a,a\n')).toThrow(/a second "a"/);
  });
});
