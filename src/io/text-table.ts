import { plain } from '../util/text.js';
import { csvText } from './csv.js';

export interface TextColumn {
  readonly title: string;
  /** `wide` text is broken over lines: such a table fills the line. */
  readonly align: 'left' | 'right' | 'centre' | 'wide';
}

/** A table of finished texts: what a reader sees, in every form it is written in. */
export interface TextTable {
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly TextColumn[];
  readonly rows: readonly (readonly string[])[];
}

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '−': '$-$',
  Δ: '$\\Delta$',
  ρ: '$\\rho$',
  '±': '$\\pm$',
  '–': '--',
};

/** Gives a text with the characters that mean something to TeX made harmless; control characters, which it refuses, become spaces. */
export function escapeLatex(text: string): string {
  return plain(text).replace(/[&%$#_{}]|[\\~^−Δρ±–]/gu, (c) => SPECIAL[c] ?? `\\${c}`);
}

/** Writes p as the paper prints it: three decimals, below .001 two significant decimals and a power of ten. */
export function pText(p: number): string {
  if (p >= 0.001) return p.toFixed(3);
  const [mantissa, exponent] = p.toExponential(2).split('e') as [string, string];
  return `${mantissa}e${exponent}`;
}

const latexCell = (text: string): string =>
  /^\d\.\d\de-\d+$/.test(text) ? `$${text.replace(/e(-\d+)$/, '\\!\\times\\!10^{$1}')}$` : escapeLatex(text);

/** Writes a table as a Booktabs `tabular`, or `tabularx` for wide columns; columns flush with the text. */
export function latexTable(table: TextTable): string {
  const letters = table.columns.map(({ align }) => ({ left: 'l', right: 'r', centre: 'c', wide: 'X' })[align]);
  const [environment, width] = letters.includes('X') ? ['tabularx', '{\\linewidth}'] : ['tabular', ''];
  const row = (cells: readonly string[]) => `${cells.map(latexCell).join(' & ').replace(/^[[*]/, '{$&}')} \\\\`;
  return `${[
    `\\begin{${environment}}${width}{@{}${letters.join(' ')}@{}}`,
    '\\toprule',
    row(table.columns.map(({ title }) => title)),
    '\\midrule',
    ...table.rows.map(row),
    '\\bottomrule',
    `\\end{${environment}}`,
  ].join('\n')}\n`;
}

/** Gives a text that Markdown takes as it stands: no markup, no HTML, one line. */
export function escapeMarkdown(text: string): string {
  return plain(text).replace(/[\\`*_{}[\]<>|~$#&]/g, '\\$&');
}

/** Writes a table as GitHub-flavoured Markdown, caption first. */
export function markdownTable(table: TextTable): string {
  const cell = (text: string) => plain(text).replace(/[|\\]/g, '\\$&').replaceAll('<', '&lt;').replace(/\s+/g, ' ');
  const rule = table.columns.map(({ align }) => ({ left: '---', right: '---:', centre: ':---:', wide: '---' })[align]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[
    table.caption,
    '',
    line(table.columns.map(({ title }) => cell(title))),
    line(rule),
    ...table.rows.map((cells) => line(cells.map(cell))),
  ].join('\n')}\n`;
}

/** Writes a table as CSV with the column titles as header. */
export function tableCsv(table: TextTable): string {
  return csvText(
    table.columns.map(({ title }) => title),
    table.rows,
  );
}
