import { readFileSync } from 'node:fs';
import type { Basis, How } from './values.js';

interface DocumentedRow {
  readonly pattern: string;
  readonly basis: Basis | 'missing';
  /** Null where the value was not compared. */
  readonly how: How | null;
  readonly count: number;
  readonly matches: (key: string) => boolean;
}

const SECTIONS: Readonly<Record<string, DocumentedRow['basis']>> = {
  'From public inputs': 'inputs',
  'From other published values': 'values',
  'From files that are not here': 'missing',
};

/** Models without which other tasks are selected. */
const CHANGED = ['anthropic/claude-fable-5', 'z-ai/glm-5.2', 'mistralai/mistral-large-2512', 'meta/muse-glimmer-30b'];
const UNCHANGED = `(?!(?:${CHANGED.join('|').replaceAll('.', '\\.')})\\.).+`;

/** What the pages say of how a value was compared. */
const HOW: Readonly<Record<string, How>> = {
  recomputed: 'recomputed',
  'compared with a constant': 'constant',
  'compared with another document': 'document',
};

/** `{a,b}` is either, `*` is anything, `<...>` one part of a key: without dots unless it is a model or a stratum; `<unchanged>` a model not in `CHANGED`. */
function matcher(pattern: string): (key: string) => boolean {
  const source = pattern
    .replaceAll(/[.+()[\]^$|\\/]/g, '\\$&')
    .replaceAll(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`)
    .replaceAll('<unchanged>', UNCHANGED)
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
    const found = /^\| `([^`]+)` \| (\d[\d,]*) \| ([^|]+) \|/.exec(line);
    if (found === null || basis === undefined) continue;
    const [, pattern, count, how] = found as unknown as [string, string, string, string];
    rows.push({
      pattern,
      basis,
      how: basis === 'missing' ? null : (HOW[how] ?? null),
      count: number(count),
      matches: matcher(pattern),
    });
  }
  return {
    rows,
    /** The numbers of the summary: from inputs, from values, missing; then recomputed, constants, other documents. */
    totals: [...text.matchAll(/^\| [a-z][^|]* \| ([\d,]+) \|$/gm)].map(([, total]) => number(total!)),
    /** What the rows say of a key: one basis and one way when the page is right. */
    rowsOf: (key: string) => rows.filter(({ matches }) => matches(key)).map(({ basis, how }) => ({ basis, how })),
  };
}
