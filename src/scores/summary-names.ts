import { shown } from '../util/error.js';
import { listedNames, plainName, quoted } from './column-names.js';
import { isTaskFact } from './fact-names.js';
import { asText, type ScoreTable } from './score-table.js';
import { rowsWhere, someRows } from './table-rows.js';

/** What rows that summarise others are called. */
const SUMMARY_ROWS: ReadonlySet<string> = new Set(['average', 'avg', 'mean', 'total', 'overall']);

/** Tells whether a row is called as a summary of the others is. */
export const isSummaryRow = (name: string): boolean => SUMMARY_ROWS.has(plainName(name));

/** What a description of a table by pandas calls its rows, and a row of errors, beside those above: a model may be called so too. */
const DESCRIBED: ReadonlySet<string> = new Set([
  ...[
    'count',
    'std',
    'stddev',
    'stdev',
    'stderr',
    'sem',
    'var',
    'variance',
    'min',
    'max',
    'median',
    '25%',
    '50%',
    '75%',
  ],
]);

/** Margins of pandas are called `All` unless a call says otherwise. */
const isMarginName = (name: string): boolean => isSummaryRow(name) || plainName(name) === 'all';

/** The one name under which a row stands for all models and a column for all tasks, or the other way round, as margins of a pivoted table do. */
export function marginOf(rows: readonly string[], columns: readonly string[]): string | undefined {
  const both = rows.filter((name) => isMarginName(name) && columns.includes(name));
  return both.length === 1 ? both[0] : undefined;
}

/** The rows of a table that are none of its margins: those whose texts in no column are that name. */
export function withoutMargin(table: ScoreTable, columns: readonly string[], margin: string): ScoreTable {
  return columns.reduce((rest, column) => {
    const coded = rest.coded(column)!;
    const kept = coded.values.map((value) => asText(value) !== margin);
    return kept.every(Boolean)
      ? rest
      : someRows(
          rest,
          rowsWhere(coded, (code) => kept[code]!),
        );
  }, table);
}

export const marginWords = (margin: string): string =>
  `row and column ${shown(margin)} are margins, over all others, and left out`;

/** Says of models that are called as summaries of others, or as facts about tasks, that they are compared (reading 1.12), as a sentence without a full stop. */
export function summaryModelWords(models: readonly string[]): string[] {
  const said = (names: readonly string[], what: string) =>
    names.length === 0 || names.length === models.length
      ? []
      : [
          `${listedNames(names)} ${names.length === 1 ? 'is compared as a model; if it is' : 'are compared as models; if they are'} ${what}, --without ${quoted(names.join())}`,
        ];
  const summary = models.filter((name) => isMarginName(name) || DESCRIBED.has(plainName(name)));
  const facts = models.filter((name) => isTaskFact(name) && !summary.includes(name));
  return [
    ...said(summary, summary.length === 1 ? 'a summary' : 'summaries'),
    ...said(facts, facts.length === 1 ? 'a fact about tasks' : 'facts about tasks'),
  ];
}
