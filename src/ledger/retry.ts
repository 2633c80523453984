import { fail } from '../util/error.js';
import type { Ledger } from './ledger.js';

/**
 * Asks for failed cells again, by an explicit list. Completed cells are refused: an answer is not drawn twice until it
 * pleases. A list is served once per cell, so an interrupted `collect --retry` can be run again. Returns how many cells it opened.
 */
export async function requestRetry(
  ledger: Ledger,
  options: { readonly cells: readonly string[]; readonly listSha256: string },
): Promise<{ readonly requested: number; readonly alreadyServed: number }> {
  const writes: Promise<string>[] = [];
  let alreadyServed = 0;
  for (const id of options.cells) {
    const cell = ledger.state.cells.get(id);
    if (cell?.retried.includes(options.listSha256)) {
      alreadyServed += 1;
      continue;
    }
    if (cell?.head?.status !== 'failed') {
      fail(
        'USAGE',
        { file: ledger.dir, path: id },
        cell?.head
          ? `cell ${id} is completed; only failed cells are asked again`
          : `cell ${id} has no record in ${ledger.dir}`,
        '`ledger failures DIR` writes a list of failed cells.',
      );
    }
  }
  for (const id of new Set(options.cells)) {
    const cell = ledger.state.cells.get(id);
    if (!cell?.head || cell.retried.includes(options.listSha256) || cell.retry === options.listSha256) continue;
    writes.push(
      ledger.book({
        type: 'retry_requested',
        cell: id,
        supersedes: cell.head.record_sha256,
        list_sha256: options.listSha256,
      }),
    );
  }
  await Promise.all(writes);
  return { requested: writes.length, alreadyServed };
}
