import { join } from 'node:path';
import { z } from 'zod';
import { claims } from '../../../analyses/contrast/claims.js';
import { type ContrastPlan, contrast } from '../../../analyses/contrast/contrast.js';
import { contrastData } from '../../../analyses/contrast/marks.js';
import type { StudyResults } from '../../../analyses/contrast/study.js';
import { familyTable, mainTable, seedTable } from '../../../analyses/contrast/tables.js';
import { canonicalDigest } from '../../../io/canonical.js';
import { csvText } from '../../../io/csv.js';
import { readObject } from '../../../io/read-file.js';
import { escapeMarkdown, latexTable, markdownTable, tableCsv } from '../../../io/text-table.js';
import type { OutputFile } from '../../../io/write/outputs.js';
import { fail } from '../../../util/error.js';
import { checked } from '../../../util/schema.js';
import { printLine, printTable } from '../../print.js';
import { wrapped } from '../../table-text.js';
import { textWidth } from '../../terminal.js';
import { writeFiles } from '../../write-output.js';

/** What a call of the transfer study says and writes. */
interface StudyOutput {
  readonly out: string;
  /** Results in stage order; the last is the one at hand. */
  readonly results: readonly StudyResults[];
  /** Of the study at hand. */
  readonly plan: Pick<ContrastPlan, 'alpha' | 'threshold_points'>;
  /** What was trained, for the claims. */
  readonly learner: string;
}

/** Reads the primary result, to stand beside the secondary one. Errors: SCHEMA_INVALID; DIGEST_MISMATCH. */
export function readPrimary(path: string, seal: { readonly results_sha256: string }): StudyResults {
  const { results } = readObject(path);
  const hint = 'Give the analysis.json of the primary stage.';
  const primary = z.looseObject({ stage: z.literal('primary', 'a primary analysis expected') });
  checked(primary, results, { file: path, path: 'results' }, hint);
  if (canonicalDigest(results) !== seal.results_sha256) {
    fail(
      'DIGEST_MISMATCH',
      { file: path },
      'is not the analysis that was sealed',
      'Give the analysis.json that stands beside the seal.',
      { exit: 4 },
    );
  }
  return checked(contrast.schema.results, results, { file: path, path: 'results' }, hint);
}

/** Writes tables, figure and claims of a study, and beside them the documents they were made from, by name. */
export async function writeStudy(
  { out, results, plan, learner }: StudyOutput,
  documents: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const files: OutputFile[] = [];
  const write = (name: string, data: string | Uint8Array) => files.push({ path: join(out, name), data });
  const [{ drawContrast }, { renderPng }, { withFont }] = await Promise.all([
    import('../../../analyses/contrast/figure.js'),
    import('../../../draw/encode/png.js'),
    import('../../../draw/encode/font.js'),
  ]);
  for (const table of [mainTable(results, plan.alpha), familyTable(results), seedTable(results)]) {
    write(`${table.name}.tex`, latexTable(table));
    write(`${table.name}.md`, markdownTable(table));
    write(`${table.name}.csv`, tableCsv(table));
  }
  const studies = results.map((own) => ({ results: own, plan }));
  const light = drawContrast(studies, { theme: 'light', size: 'screen' });
  write('transfer.svg', await withFont(light));
  write('transfer.png', renderPng(light));
  write('transfer-dark.svg', await withFont(drawContrast(studies, { theme: 'dark', size: 'screen' })));
  const { header, rows } = contrastData(results);
  write('transfer.csv', csvText(header, rows));
  const { allowed, notAllowed } = claims(results.at(-1)!, escapeMarkdown(learner), plan.alpha);
  write('claims.md', `## Allowed\n\n${allowed}\n\n## Not allowed\n\n${notAllowed}\n`);
  for (const [name, text] of Object.entries(documents)) write(name, text);
  await writeFiles(files, { replace: true });
}

/** Prints the main and the seed table, and the claims. */
export function printStudy({ results, learner, plan: { alpha } }: StudyOutput): void {
  for (const { columns, rows } of [mainTable(results, alpha), seedTable(results)]) {
    printTable(
      columns.map(({ title }) => title),
      rows,
    );
    printLine('');
  }
  const { allowed, notAllowed } = claims(results.at(-1)!, learner, alpha);
  printLine(wrapped(`${allowed}\n${notAllowed}`, textWidth));
}
