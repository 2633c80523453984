import Table from 'cli-table3';
import { plain, visible } from '../util/text.js';
import { colour } from './colour.js';

export { plain };

/** Line ends, and colours where there are any. */
const KEPT = colour.isColorSupported ? /(\u001b\[[0-9;]{0,8}m|\n)/ : /(\n)/;

/** Prints text on standard output, control characters made visible. */
export function printLine(text: string): void {
  const parts = text.split(KEPT).map((part, i) => (i % 2 === 0 ? visible(part) : part));
  process.stdout.write(`${parts.join('')}\n`);
}

/** Prints one JSON value on standard output, for `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints rows under a header, numbers to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const numeric = head.map((_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+$/.test(String(row[i]))));
  const none = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const sides = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    chars: Object.fromEntries([...none, ...sides].map((side) => [side, '']).concat([['middle', '  ']])),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push(row.map((cell) => plain(String(cell))));
  const text = table.toString();
  printLine(
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
  );
}
