export * from './cell.js';
export * from './event.js';
export { scanJournal } from './journal.js';
export { Ledger, type LedgerOptions } from './ledger.js';
export type { Holder, ProcessProbe } from './lock.js';
export { type Pending, pendingCells } from './pending.js';
export { quarantineBlock } from './quarantine.js';
export { entryOf, type LedgerView, viewLedger } from './read.js';
export {
  type Generation,
  makeRecord,
  RECORD_SCHEMA,
  type RecordDraft,
  type ResponseRecord,
  readRecord,
} from './record.js';
export { requestRetry } from './retry.js';
export { sealAmbiguous } from './seal.js';
export type { CellState, LedgerState, Totals } from './state.js';
