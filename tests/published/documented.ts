import { readFileSync } from 'node:fs';
import type { Basis } from './values.js';

interface DocumentedRow {
  readonly pattern: string;
  readonly basis: Basis | 'missing';
  readonly count: number;
  readonly matches: (key: string) => boolean;
}

const SECTIONS: Readonly<Record<string, DocumentedRow['basis']>> = {
  'From public inputs': 'inputs',
  'From other published values': 'values',
  'From files that are not here': 'missing',
};

/** `{a,b}` is either, `*` is anything, `<...>` one part of a key: without dots unless it is a model or a stratum. */
function matcher(pattern: string): (key: string) => boolean {
  const source = pattern
    .replaceAll(/[.+()[\]^$|\\/]/g, '\\$&')
    .replaceAll(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`)
    .replaceAll(/<(model|stratum[a-z ]*)>|\*/g, '.+')
    .replaceAll(/<[a-z]+>/g, '[^.]+');
  const whole = new RegExp(`^${source}$`);
  return (key) => whole.test(key);
}

const number = (text: string) => Number(text.replaceAll(',', ''));

/** The tables of docs/published-values.md: rows that begin with a pattern in backticks and a count. */
export function documentedValues() {
  const rows: DocumentedRow[] = [];
  let basis: DocumentedRow['basis'] | undefined;
  const text = readFileSync('docs/published-values.md', 'utf8');
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) basis = SECTIONS[line.slice(3)];
    const found = /^\| `([^`]+)` \| (\d[\d,]*) \|/.exec(line);
    if (found === null || basis === undefined) continue;
    const [, pattern, count] = found as unknown as [string, string, string];
    rows.push({
      pattern,
      basis,
      count: number(count),
      matches: matcher(pattern),
    });
  }
  return {
    rows,
    /** The numbers of the summary: from inputs, from values, missing. */
    totals: [...text.matchAll(/^\| [a-z][^|]* \| ([\d,]+) \|$/gm)].map(([, total]) => number(total!)),
    /** What the rows say of a key: one basis when the page is right. */
    basisOf: (key: string) => rows.filter(({ matches }) => matches(key)).map((row) => row.basis),
  };
}
