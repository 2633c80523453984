import { join } from 'node:path';
import { claims } from '../../../analyses/contrast/claims.js';
import type { StudyResult } from '../../../analyses/contrast/study.js';
import { familyTable, mainTable, seedTable } from '../../../analyses/contrast/tables.js';
import { canonicalDigest } from '../../../io/canonical.js';
import type { Envelope } from '../../../io/envelope.js';
import type { OutputFile } from '../../../io/outputs.js';
import { readObject } from '../../../io/read-file.js';
import { escapeMarkdown, latexTable, markdownTable, tableCsv } from '../../../io/report-table.js';
import { fail } from '../../../util/error.js';
import { wrapped } from '../../analysis-output.js';
import { printLine, printTable } from '../../print.js';
import { writeFiles } from '../../write-output.js';

export interface StudyReport {
  readonly out: string;
  /** Results in stage order; the last is the one at hand. */
  readonly results: readonly StudyResult[];
  readonly threshold: number;
  readonly alpha: number;
  /** What was trained, for the claims. */
  readonly learner: string;
}

/** Reads the primary result, to stand beside the secondary one. Errors: SCHEMA_INVALID. */
export function readPrimary(path: string, seal: { readonly results_sha256: string }): StudyResult {
  const document = readObject(path) as unknown as Envelope<unknown, StudyResult>;
  if (document.results?.stage !== 'primary') {
    fail(
      'SCHEMA_INVALID',
      { file: path },
      'a primary analysis expected',
      'Give the analysis.json of the primary stage.',
    );
  }
  if (canonicalDigest(document.results) !== seal.results_sha256) {
    fail(
      'DIGEST_MISMATCH',
      { file: path },
      'the analysis that was sealed expected, found another',
      'Give the analysis.json that stands beside the seal.',
      { exit: 4 },
    );
  }
  return document.results;
}

/** Writes tables, figure and claims of a study, and beside them the documents they were made from, by name. */
export async function writeStudyReport(
  report: StudyReport,
  documents: Readonly<Record<string, string>>,
): Promise<void> {
  const { out, results, threshold, alpha, learner } = report;
  const files: OutputFile[] = [];
  const write = (name: string, data: string | Uint8Array) => files.push({ path: join(out, name), data });
  const [{ drawContrast }, { transferFigureData }, { renderPng }, { withFont }] = await Promise.all([
    import('../../../analyses/contrast/figure.js'),
    import('../../../analyses/contrast/marks.js'),
    import('../../../draw/encode/png.js'),
    import('../../../draw/encode/font.js'),
  ]);
  for (const table of [mainTable(results, alpha), familyTable(results), seedTable(results)]) {
    write(`${table.name}.tex`, latexTable(table));
    write(`${table.name}.md`, markdownTable(table));
    write(`${table.name}.csv`, tableCsv(table));
  }
  const studies = results.map((result) => ({ results: result, plan: { threshold_points: threshold, alpha } }));
  const light = drawContrast(studies, { theme: 'light', size: 'screen' });
  write('transfer.svg', await withFont(light));
  write('transfer.png', renderPng(light));
  write('transfer-dark.svg', await withFont(drawContrast(studies, { theme: 'dark', size: 'screen' })));
  write('transfer.csv', transferFigureData(results));
  const { said, unsaid } = claims(results.at(-1)!, escapeMarkdown(learner), alpha);
  write('claims.md', `## Allowed\n\n${said}\n\n## Not allowed\n\n${unsaid}\n`);
  for (const [name, text] of Object.entries(documents)) write(name, text);
  await writeFiles(files, { replace: true });
}

/** Prints the main and the seed table, and the claims. */
export function printStudyReport({ results, learner, alpha }: StudyReport): void {
  for (const { columns, rows } of [mainTable(results, alpha), seedTable(results)]) {
    printTable(
      columns.map(({ title }) => title),
      rows,
    );
    printLine('');
  }
  const { said, unsaid } = claims(results.at(-1)!, learner, alpha);
  printLine(wrapped(`${said}\n${unsaid}`, 100));
}
