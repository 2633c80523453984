import type { DelimitedTable } from '../io/delimited.js';

/** Names of columns that stand in two lines, as pandas writes columns of two levels. */
interface HeaderLevels {
  /** What the second line calls them. */
  readonly names: readonly string[];
  /** Nothing else is written so: the second line has no name for the index, or the third line names it alone. */
  readonly isSure: boolean;
  /** How to write one line of names. */
  readonly hint: string;
}

const NO_NAME = /^(?:[+-]?[.,\d]|(?:n\/?a|nan|null|none|-)?$)/i;

/** Tells whether the first two lines of a table name its columns; undefined where the second is a row like the others. */
export function headerLevels({ cells, columns, rows, texts }: DelimitedTable): HeaderLevels | undefined {
  if (rows < 4 || columns < 3) return undefined;
  const row = (at: number) => Array.from({ length: columns }, (_, i) => texts[cells[at * columns + i]!]!);
  const [first, second, third, fourth] = [0, 1, 2, 3].map(row) as [string[], string[], string[], string[]];
  const index = Math.max(
    1,
    second.findIndex((name) => name !== ''),
  );
  const names = second.slice(index);
  const above = first.slice(index);
  const isNumbers = (line: readonly string[]) => line.slice(index).some((text) => /^\s*[+-]?[.,]?\d/.test(text));
  if (names.some((name) => NO_NAME.test(name.trim())) || !(isNumbers(third) || isNumbers(fourth))) return undefined;
  const namesIndex = third[0] !== '' && third.slice(index).every((text) => text === '');
  const isSure = second[0] === '' || namesIndex;
  if (!isSure && new Set(above.filter((name) => name !== '')).size === above.length) return undefined;
  const isUnique = new Set(names).size === names.length;
  return {
    names,
    isSure,
    hint: isUnique
      ? ' Two lines name the columns here: in pandas `df.columns = df.columns.get_level_values(-1)` before `df.to_csv`.'
      : ` Two lines name the columns here: in pandas take one part, \`df[${JSON.stringify(above.find((name) => name !== '') ?? '')}].to_csv\`, or join both, \`df.columns = df.columns.map("/".join)\` before \`df.to_csv\`.`,
  };
}
