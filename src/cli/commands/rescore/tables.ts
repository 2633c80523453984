import type { BatchTotals } from '../../../responses/batch/batch-totals.js';
import type { SetParser } from '../../../responses/parser.js';
import type { ModelTally } from '../../../responses/tally.js';
import { counted, fixed } from '../../../util/format.js';
import { parserWords } from '../../parser-option.js';
import { plain, printLine, printTable } from '../../print.js';

/** Prints a line a model: rows, means, and why answers were not readable. */
function printModels(models: readonly ModelTally[]): void {
  const number = (value: number | null) => (value === null ? '-' : fixed(value, 2));
  printTable(
    ['model', 'rows', 'readable', 'optimal', 'mean', 'mean, unreadable 0', 'unreadable'],
    models.map((model) => {
      const reasons = Object.entries(model.outcomes).filter(([name, n]) => name !== 'ok' && n > 0);
      return [
        model.model || '(unnamed)',
        model.rows,
        model.outcomes.ok,
        model.optimal,
        number(model.meanReadable),
        number(model.meanAll),
        reasons.map(([name, n]) => `${name} ${n}`).join(', ') || '-',
      ];
    }),
  );
}

/** Prints what a batch came to. */
export function printTotals(
  { rows, aside, unknownTasks, bad, models, changes, nearMisses }: BatchTotals,
  parser: SetParser,
): void {
  printModels(models);
  const other = [
    aside > 0 ? `${aside} rows of tasks outside the core left aside` : '',
    unknownTasks > 0 ? `${unknownTasks} rows of unknown tasks ignored` : '',
  ].filter((part) => part !== '');
  printLine([`${rows} rows scored`, ...other].join('; '));
  const broken = Object.entries(bad);
  const total = (of: readonly (readonly [string, number])[]) => of.reduce((sum, [, n]) => sum + n, 0);
  if (broken.length > 0)
    printLine(
      `${counted(total(broken), 'bad row')} not scored: ${broken.map(([code, n]) => `${code} ${n}`).join(', ')}`,
    );
  const reasoned = models.filter((model) => model.reasoned > 0);
  printLine(
    parserWords(
      parser,
      reasoned.reduce((sum, model) => sum + model.reasoned, 0),
    ),
  );
  if (reasoned.length > 0)
    printLine(plain(`  ${reasoned.map((model) => `${model.model || '(unnamed)'} ${model.reasoned}`).join(', ')}`));
  const kinds = (list: readonly { readonly kind: string; readonly rows: number }[]): [string, number][] => {
    const sums = new Map<string, number>();
    for (const { kind, rows: n } of list) sums.set(kind, (sums.get(kind) ?? 0) + n);
    return [...sums];
  };
  const named = (list: readonly (readonly [string, number])[]) => list.map(([kind, n]) => `${kind} ${n}`).join(', ');
  const steps = new Map(changes.map(({ from, to }) => [`${from} to ${to}`, { from, to }]));
  for (const [step, { from, to }] of steps) {
    const found = kinds(changes.filter((change) => change.from === from && change.to === to));
    printLine(`selections that change from ${step}: ${total(found)} (${named(found)})`);
  }
  const near = kinds(nearMisses);
  if (near.length > 0) printLine(`near misses, counted in no score: ${total(near)} (${named(near)})`);
}
