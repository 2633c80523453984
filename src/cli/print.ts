import Table from 'cli-table3';

/** Text from a file, safe for a terminal: control characters, escape sequences among them, become spaces. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, ' ');
}

/** Prints a line on standard output. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints one JSON value on standard output, for `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints rows under a header, numbers to the right. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const numeric = head.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+$/.test(String(row[i]))),
  );
  const none = [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
  ];
  const sides = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    chars: Object.fromEntries(
      [...none, ...sides].map((side) => [side, '']).concat([['middle', '  ']]),
    ),
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
