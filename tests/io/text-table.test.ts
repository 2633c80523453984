import { describe, expect, it } from 'vitest';
import { escapeLatex, escapeMarkdown, latexTable, markdownTable, tableCsv } from '../../src/io/text-table.js';

const HOSTILE = '=a\u0000\u001b[31m\nb|<b>\\input{x}&$_\u202e';

describe('a table of names that somebody else chose', () => {
  const table = {
    name: 'x',
    caption: 'Names.',
    columns: [{ title: 'model', align: 'left' }],
    rows: [[HOSTILE]],
  } as const;

  it('is one line a row in TeX and Markdown, without control characters or markup', () => {
    expect(escapeLatex(HOSTILE)).toBe('=a  [31m b|<b>\\textbackslash{}input\\{x\\}\\&\\$\\_ ');
    expect(latexTable(table).split('\n')).toHaveLength(8);
    expect(markdownTable(table).split('\n')[4]).toBe('| =a [31m b\\|&lt;b>\\\\input{x}&$_  |');
  });

  it('keeps every character in CSV, where they are read back', () => {
    expect(tableCsv(table)).toBe(`model\n"${HOSTILE}"\n`);
  });
});

describe('text in a Markdown sentence', () => {
  it('is shown as it is, never as markup or HTML', () => {
    expect(escapeMarkdown(HOSTILE)).toBe('=a  \\[31m b\\|\\<b\\>\\\\input\\{x\\}\\&\\$\\_ ');
    expect(escapeMarkdown('a linear probe on shelf-2 features')).toBe('a linear probe on shelf-2 features');
  });
});
