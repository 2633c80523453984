import { LedgerWriter } from '../ledger/ledger-writer.js';
import { currentHolder, probeProcess } from './holder.js';
import { plain } from './print.js';

/** Opens a ledger for writing in the name of this process, says what was put right, and closes it after `work`. */
export async function withLedger<T>(dir: string, work: (ledger: LedgerWriter) => Promise<T>): Promise<T> {
  const ledger = await LedgerWriter.open({
    dir,
    holder: currentHolder(),
    probe: probeProcess,
    clock: Date.now,
  });
  try {
    for (const note of ledger.notes) process.stderr.write(`flavourbench: ${plain(note)}\n`);
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
