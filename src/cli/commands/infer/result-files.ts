import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MissingCell, ScoreMatrix } from '../../../core/matrix.js';
import { inferenceTables, leaderboardCsv, pairwiseCsv } from '../../../inference/columns.js';
import type { Inference } from '../../../inference/result.js';
import { arrowFile } from '../../../io/arrow/write-arrow.js';
import { csvText } from '../../../io/csv.js';
import { writeAtomic } from '../../../io/file.js';
import type { OutputFile } from '../../../io/write/outputs.js';
import { hasPage, withoutPage } from '../../folder-page.js';
import { type OutForm, outTarget } from '../../out-target.js';
import { printNote } from '../../print.js';
import { writeFiles } from '../../write-output.js';

const MISSING = 'missing.csv';
const RESULT = 'inference.json';
const PAGE = 'inference.html';

interface ResultText {
  /** The document. */
  readonly text: string;
  readonly resultsSha256: string;
  /** The complete scores; null where cells are missing. */
  readonly matrix: ScoreMatrix | null;
  /** Words of the call. */
  readonly command: readonly string[];
}

interface ResultOptions extends ResultText {
  /** A file, or a folder of all. */
  readonly out: string;
  /** Replace a file of other content that `out` names. */
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Writes the list of missing cells beside where the result would stand. */
export function withheld(out: string | undefined, missing: readonly MissingCell[]): void {
  if (out === undefined || 'file' in outTarget(out)) return;
  const rows = missing.map(({ model, task, reason }) => [model, task, reason]);
  writeAtomic(join(out, MISSING), csvText(['model', 'task', 'reason'], rows));
  if (existsSync(join(out, RESULT))) printNote(`the other files in ${out} are the result of an earlier run`);
}

/**
 * Writes the one file that `--out` names, or into a folder the document, its tables and the page. A folder takes no picture of its own: the page draws it,
 * and to load and run what draws it here takes a third of a cold call.
 */
export async function writeResults(inference: Inference, { out, force, json, quiet, ...result }: ResultOptions) {
  const target = outTarget(out);
  if ('file' in target) {
    const made = { path: target.file, data: await singleFile(target.form, inference, result) };
    await writeFiles([made], { replace: force === true });
    return;
  }
  const { folder } = target;
  const count = inference.models.length;
  const paged = hasPage(count);
  const { models, pairs, replication } = inferenceTables(inference, result.resultsSha256);
  const files: readonly (readonly [string, OutputFile['data']])[] = [
    ['models.arrow', arrowFile(models)],
    ['pairs.arrow', arrowFile(pairs)],
    ['replication.arrow', arrowFile(replication)],
    ['leaderboard.csv', leaderboardCsv(inference)],
    ['pairwise.csv', pairwiseCsv(inference)],
    ...(paged ? ([[PAGE, await page(result)]] as const) : []),
    [RESULT, result.text],
  ];
  await writeFiles(
    files.map(([name, data]) => ({ path: join(folder, name), data })),
    { replace: true },
  );
  rmSync(join(folder, MISSING), { force: true });
  if (!paged) withoutPage({ ...{ folder, name: PAGE, models: count }, json, quiet });
}

/** Makes the page of a result, with its scores inside. */
async function page({ text, matrix, command }: ResultText): Promise<Uint8Array> {
  const { resultPage } = await import('../../explorer-page.js');
  return resultPage({ documents: [{ name: RESULT, text }], matrix, command });
}

async function drawnRanks(inference: Inference): Promise<string> {
  const [{ auditOf }, { drawRankAudit }] = await Promise.all([
    import('../../../analyses/rank-audit/audit.js'),
    import('../../../analyses/rank-audit/figure.js'),
  ]);
  const { alpha } = inference.plan;
  return drawRankAudit(auditOf(inference), { theme: 'light', size: 'screen', alpha });
}

/** Makes the one file that `--out` names: document, leaderboard as a table, the figure of ranks, or a page of both. */
async function singleFile(form: OutForm, inference: Inference, result: ResultText): Promise<string | Uint8Array> {
  if (form === 'json') return result.text;
  if (form === 'html') return page(result);
  if (form === 'csv') return leaderboardCsv(inference);
  if (form === 'arrow') return arrowFile(inferenceTables(inference, result.resultsSha256).models);
  const figure = await drawnRanks(inference);
  if (form === 'svg') return (await import('../../../draw/encode/font.js')).withFont(figure);
  return (await import('../../../draw/encode/png.js')).renderPng(figure);
}
