import { join } from 'node:path';
import { type AuditComparison, comparisonWords } from '../../../analyses/rank-audit/compare-audits.js';
import { columnsOf } from '../../../io/arrow.js';
import { columnsCsv } from '../../../io/csv.js';
import { envelope, type InputFile, type RunFacts } from '../../../io/envelope.js';
import { fail } from '../../../util/error.js';
import { fixed, placesFor, pointsText } from '../../../util/format.js';
import { plain } from '../../../util/text.js';
import { RNG_ID } from '../../../util/version.js';
import type { AnalysisOutputOptions } from '../../analysis-output.js';
import { type OutTarget, outTarget } from '../../out-target.js';
import { printLine, printText, printWords } from '../../print.js';
import { cutNames, tableText, wrapped } from '../../table-text.js';
import { terminal } from '../../terminal.js';
import { writeFiles } from '../../write-output.js';

const NAME = 'rank-audit-comparison';

/** Reads where a comparison goes. Errors: USAGE for a form that it does not have. */
export function comparisonTarget(out: string): OutTarget {
  const target = outTarget(out);
  if ('file' in target && target.form !== 'json' && target.form !== 'csv')
    fail(
      'USAGE',
      null,
      `--out ${out}: a comparison is written as json or csv`,
      'Give a name with one of these endings, or a folder for both.',
    );
  return target;
}

export interface ComparisonOutput {
  /** What was read of the first table and of the second, a line each. */
  readonly read: readonly [string, string];
  /** Sentences about claims that hold. */
  readonly held: readonly string[];
  readonly comparison: AuditComparison;
  /** Plans of the two audits. */
  readonly plan: { readonly before: object; readonly after: object };
  readonly files: readonly InputFile[];
  readonly seed: bigint | null;
  readonly streams: Readonly<Record<string, number | string>>;
  readonly facts: RunFacts;
  readonly options: AnalysisOutputOptions & { readonly table?: boolean };
}

/** Writes and prints what changed between two tables. */
export async function writeComparison(output: ComparisonOutput): Promise<void> {
  const { comparison, plan, files, seed, streams, facts, options } = output;
  const { text } = envelope({
    schema: `flavourbench-${NAME}/1`,
    ...{ plan, inputs: files, rng: RNG_ID.philox, seed, streams },
    results: comparison,
    run: facts,
  });
  const { out, json, quiet, force } = options;
  if (out !== undefined) {
    const csv = scoresCsv(comparison);
    const target = comparisonTarget(out);
    const made =
      'file' in target
        ? [{ path: target.file, data: target.form === 'json' ? text : csv }]
        : [
            { path: join(target.folder, `${NAME}.csv`), data: csv },
            { path: join(target.folder, `${NAME}.json`), data: text },
          ];
    await writeFiles(made, { replace: 'folder' in target || force === true });
  }
  if (json) printText(text);
  else if (!quiet) {
    const [first, second] = output.read.map(plain);
    const lines = [`First: ${first}.`, `Second: ${second === first ? 'likewise' : second}.`];
    printWords(lines.map((line) => wrapped(line, Math.min(terminal.columns, 80))).join('\n'));
    printWords(comparisonText(comparison, options.table === true));
    for (const line of output.held) printWords(wrapped(plain(line), terminal.columns));
    if (out !== undefined) printLine(`Written to ${out}`);
  }
}

function scoresCsv({ scores }: AuditComparison): string {
  return columnsCsv(
    columnsOf(scores, {
      model: ['text', (row) => row.model],
      before: ['float64', (row) => row.before],
      after: ['float64', (row) => row.after],
      change: ['float64', (row) => row.change],
      rank_before: ['int32', (row) => row.rank_before],
      rank_after: ['int32', (row) => row.rank_after],
    }),
  );
}

/** Places that a name takes at most in a sentence. */
const NAMED = 24;

function comparisonText(comparison: AuditComparison, tabled: boolean): string {
  const { scores, models } = comparison;
  const places = placesFor(scores.flatMap(({ before, after }) => [before, after]));
  const score = (points: number) => fixed(points, places);
  const changed = (points: number, change: number) =>
    fixed(points, Math.max(places, Math.min(15, placesFor([Math.abs(change)]) - 2)));
  const ids = [...scores.map(({ model }) => model), ...models.added, ...models.removed];
  const short = new Map(cutNames(ids.map(plain), NAMED).map((label, k) => [ids[k]!, label]));
  const name = (id: string) => short.get(id) ?? cutNames([plain(id)], NAMED)[0]!;
  const width = Math.min(terminal.columns, 80);
  const said = comparisonWords(comparison, name, changed).map((line) => wrapped(line, width));
  if (!tabled) return said.join('\n');
  const rows = scores.map(({ model, before, after, change, rank_before, rank_after }) => {
    const ranks = rank_before === rank_after ? String(rank_after) : `${rank_before} to ${rank_after}`;
    return [ranks, plain(model), score(before), score(after), `${change > 0 ? '+' : ''}${pointsText(change, places)}`];
  });
  const table = tableText({
    head: ['rank', 'model', 'before', 'after', 'change'],
    ...{ rows, width: terminal.columns },
    right: [false, false, true, true, true],
    cut: [false, true, false, false, false],
  });
  return `${said.join('\n')}\n\n${table}`;
}
