import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readArrow } from '../../src/io/arrow.js';
import { matrixToArrow, readMatrix } from '../../src/scores/matrix-file.js';
import { readDocument, writeDocument } from './release-world.js';

export const edit = (name: string, change: (text: string) => string) => (copy: string) => {
  const before = readFileSync(join(copy, name), 'utf8');
  const text = change(before);
  expect(text).not.toBe(before);
  writeFileSync(join(copy, name), text);
};
export const line = (number: number, change: (text: string) => string) => (text: string) =>
  text
    .split('\n')
    .map((row, i) => (i === number ? change(row) : row))
    .join('\n');
/** Changes one field of a document, found by its path. */
export const field = (name: string, path: readonly (string | number)[], value: unknown) => (copy: string) => {
  const document = readDocument(copy, name);
  const last = path.at(-1) as string;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, document);
  expect(parent[last]).toBeDefined();
  expect(parent[last]).not.toEqual(value);
  parent[last] = value;
  writeDocument(copy, name, document);
};
export const arrowCell = (name: string, column: string, row: number, value: unknown) => async (copy: string) => {
  const table = await readArrow(readFileSync(join(copy, name)), name);
  const columns = table.names.map((key) => {
    const values = [...(table.column(key) as unknown[])];
    if (key === column) values[row] = value;
    const kinds = { string: 'text', boolean: 'bool', number: 'float64' } as const;
    const known = values.find((v) => v !== null) ?? '';
    return { name: key, kind: kinds[typeof known as keyof typeof kinds], values } as never;
  });
  writeFileSync(join(copy, name), arrowFile({ columns, metadata: Object.fromEntries(table.metadata) }));
};

export const ROW = 40;
const PAIR = ['results', 'pairwise_comparisons', 3] as const;
const MODEL = ['results', 'models', 2] as const;
const ANSWER = /FINAL_SELECTION: ([A-H])/;
const other = (letter: string) => (letter === 'A' ? 'B' : 'A');

/** What is changed, how, and how the first difference must name it. */
export const MUTATIONS: readonly (readonly [string, (copy: string) => void | Promise<void>, RegExp])[] = [
  [
    'a character of an answer',
    edit('observations.jsonl', (text) => text.replace(ANSWER, (_, a) => `FINAL_SELECTION: ${other(a)}`)),
    /observations\.jsonl: line \d+ \(simulated\/.*fb-executable-/,
  ],
  [
    'a score of an answer',
    edit(
      'observations.jsonl',
      line(ROW, (row) => row.replace(/"score_bps":\d+/, '"score_bps":1')),
    ),
    /observations\.jsonl: line 41 \(.*release_scoring/,
  ],
  [
    'a selection of an answer',
    edit(
      'observations.jsonl',
      line(ROW, (row) => row.replace(/"selection":"..."/, '"selection":"XYZ"')),
    ),
    /observations\.jsonl: line 41 \(.*release_scoring/,
  ],
  [
    'a core flag of an answer',
    edit(
      'observations.jsonl',
      line(ROW, (row) => row.replace(/"in_core":(true|false)/, (_, b) => `"in_core":${b !== 'true'}`)),
    ),
    /observations\.jsonl: line 41/,
  ],
  [
    'a digest of an answer',
    edit(
      'observations.jsonl',
      line(ROW, (row) => row.replace(/"artifact_sha256":"./, (m) => `${m.slice(0, -1)}${m.endsWith('0') ? '1' : '0'}`)),
    ),
    /observations\.jsonl: line 41/,
  ],
  [
    'two answers swapped',
    edit('observations.jsonl', (text) => {
      const rows = text.split('\n');
      [rows[0], rows[1]] = [rows[1]!, rows[0]!];
      return rows.join('\n');
    }),
    /observations\.jsonl: line 1 /,
  ],
  [
    'a p-value',
    field('inference.json', [...PAIR, 'sign_flip_p'], 0.123),
    /inference\.json: results\.pairwise_comparisons\[3\] \(.*\)\.sign_flip_p/,
  ],
  ['a Holm p', field('inference.json', [...PAIR, 'holm_p'], 0.0123), /pairwise_comparisons\[3\] \(.*\)\.holm_p/],
  [
    'a direction',
    field('inference.json', [...PAIR, 'direction'], 'tie'),
    /pairwise_comparisons\[3\] \(.*\)\.direction/,
  ],
  ['an end of an interval', field('inference.json', [...PAIR, 'bootstrap_95_ci', 0], -50), /bootstrap_95_ci\[0\]/],
  [
    'a score',
    field('inference.json', [...MODEL, 'flavourbench_score'], 99),
    /results\.models\[2\] \(.*\)\.flavourbench_score/,
  ],
  [
    'a rank',
    field('inference.json', [...MODEL, 'point_estimate_rank'], 6),
    /results\.models\[2\] \(.*\)\.point_estimate_rank/,
  ],
  ['a group', field('inference.json', [...MODEL, 'statistical_rank_group'], 9), /statistical_rank_group/],
  [
    'an end of a rank interval',
    field('inference.json', [...MODEL, 'bootstrap_rank_95_interval', 1], 1),
    /bootstrap_rank_95_interval\[1\]/,
  ],
  ['a standard error', field('inference.json', [...MODEL, 'score_standard_error'], 0.5), /score_standard_error/],
  ['a chance p', field('inference.json', [...MODEL, 'chance_comparison', 'holm_p'], 0.5), /chance_comparison\.holm_p/],
  [
    'the critical value',
    field('inference.json', ['results', 'inference', 'max_t_critical_value'], 3),
    /max_t_critical_value/,
  ],
  [
    'a panel correlation',
    field('inference.json', ['results', 'panel_replication', 'score_pearson'], 0.5),
    /score_pearson/,
  ],
  ['the seed of the plan', field('release.json', ['plan', 'seed'], '1'), /inference\.json/],
  [
    'a count of the design',
    field('release.json', ['results', 'design', 'primary_tasks_per_model'], 25),
    /release\.json: results\.design\.primary_tasks_per_model/,
  ],
  [
    'the set of answers',
    field('release.json', ['results', 'responses', 'set_sha256'], '0'.repeat(64)),
    /release\.json: results\.responses\.set_sha256/,
  ],
  [
    'a route',
    field('models.json', ['models', 1, 'routes', 0, 'transport'], 'elsewhere'),
    /models\.json: models\[1\] \(.*\)\.routes\[0\]\.transport/,
  ],
  [
    'a case',
    field('cases.json', ['cases', 0, 'task_id'], 'fb-executable-substitution-999'),
    /cases\.json: cases\[0\].*task_id/,
  ],
  [
    'an answer of a case',
    field('cases.json', ['cases', 1, 'higher_ranked', 'answer'], 'FINAL_SELECTION: A,B,C!'),
    /cases\.json: cases\[1\].*higher_ranked\.answer/,
  ],
  [
    'a cell of the score matrix',
    async (copy) => {
      const name = join(copy, 'matrix.arrow');
      const { matrix } = await readMatrix(readFileSync(name), { file: name });
      matrix.values[30] = (matrix.values[30]! + 1) % 10000;
      writeFileSync(name, await matrixToArrow(matrix));
    },
    /matrix\.arrow: row 31 \(simulated\/.*, fb-.*\), value/,
  ],
  ['a validity bit', arrowCell('validity.arrow', 'parseable', 50, false), /validity\.arrow: row 51 \(.*\), parseable/],
  [
    'a completion bit',
    arrowCell('validity.arrow', 'completed', 51, false),
    /validity\.arrow: row 52 \(.*\), completed/,
  ],
  [
    'an answer in columns',
    arrowCell('observations.arrow', 'answer', 7, 'FINAL_SELECTION: A,B,C.'),
    /observations\.arrow: row 8 \(.*\), answer/,
  ],
  ['a group in columns', arrowCell('models.arrow', 'group', 1, 4), /models\.arrow: row 2 \(.*\), group/],
  ['a p in columns', arrowCell('pairs.arrow', 'sign_flip_p', 4, 0.5), /pairs\.arrow: row 5 \(.*\), sign_flip_p/],
  [
    'a panel score in columns',
    arrowCell('replication.arrow', 'first_panel', 0, 1),
    /replication\.arrow: row 1 \(.*\), first_panel/,
  ],
  ['a digit of the card', edit('README.md', (text) => text.replace(/\| 1 \| /, '| 2 | ')), /README\.md: line \d+/],
  [
    'a figure’s data',
    edit(
      'figures/forest.csv',
      line(2, (row) => row.replace(/\d(?=\D*$)/, (d) => String((Number(d) + 1) % 10))),
    ),
    /figures\/forest\.csv: line 3/,
  ],
  [
    'a cell of a table',
    edit(
      'tables/leaderboard.csv',
      line(1, (row) => `${row}1`),
    ),
    /tables\/leaderboard\.csv: line 2/,
  ],
  ['a macro', edit('tables/macros.tex', (text) => text.replace(/\{(\d)/, '{9$1')), /tables\/macros\.tex: line \d+/],
];
