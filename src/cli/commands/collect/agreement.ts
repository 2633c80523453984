import { AGREEMENT_FLOOR, type AnswerSource, repeatAgreement } from '../../../collect/repeat-agreement.js';
import type { CellJob } from '../../../collect/schedule.js';
import { stampInspection } from '../../../ledger/inspection.js';
import { type LedgerView, readRecordFile, viewLedger } from '../../../ledger/ledger-view.js';
import { withLedger } from '../../open-ledger.js';
import { plain, printJson, printLine, printTable } from '../../print.js';

interface AgreementFlags {
  readonly ledger: string;
  readonly liveScores?: boolean;
  readonly takeOver?: boolean;
  readonly json?: boolean;
}

/** Stamps a ledger before scores of it are shown. Errors: LEDGER_LOCKED while a run writes. */
async function stamped(flags: AgreementFlags, { state }: LedgerView): Promise<void> {
  const { records } = state.totals;
  await withLedger(flags.ledger, flags, (ledger) => stampInspection(ledger, { at: new Date().toISOString(), records }));
}

/** Prints how far each model agrees with itself under rotated labels; no call is made. The ledger is read without its lock. */
export async function showAgreement(jobs: readonly CellJob[], flags: AgreementFlags): Promise<void> {
  const view = viewLedger(flags.ledger);
  const head: AnswerSource['head'] = (cell) => view.state.cells.get(cell)?.head;
  const source: AnswerSource = {
    head,
    record: (cell) => {
      const file = view.files.get(head(cell)?.record_sha256 ?? '');
      return file && readRecordFile(file);
    },
  };
  const scores = flags.liveScores ?? false;
  if (scores) await stamped(flags, view);
  const rows = repeatAgreement({ source, jobs, scores });
  if (flags.json) {
    printJson(rows);
    return;
  }
  if (rows.length === 0) printLine('no repeat phase was collected: add `repeat` to the phases of the plan');
  else
    printTable(
      ['model', 'pairs', 'jaccard', 'identical', `floor ${AGREEMENT_FLOOR}`, 'score difference'],
      rows.map((row) => [
        plain(row.model_id),
        row.pairs,
        row.jaccard === null ? '-' : row.jaccard.toFixed(3),
        row.identical,
        row.jaccard === null ? '-' : row.below_floor ? 'below' : 'met',
        row.score_difference === null ? '-' : row.score_difference.toFixed(2),
      ]),
    );
  if (scores) printLine('this ledger is now stamped scores_inspected');
}
