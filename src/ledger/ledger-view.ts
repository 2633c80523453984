import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { storedFile } from '../io/file.js';
import { MAX_LINE_BYTES } from '../io/lines.js';
import { fail } from '../util/error.js';
import { entryOf, type RecordEntry } from './journal-event.js';
import { type JournalLine, type JournalScan, scanJournal } from './journal-scan.js';
import { applyEvent, applyLine, emptyState, type LedgerState } from './journal-state.js';
import { assertLedgerFolder, layout, listRecords, type RecordFile } from './ledger-folder.js';
import { type ResponseRecord, readRecord } from './record.js';

const APPEND_ONLY = 'The journal is append-only; restore it from a copy, or start a new ledger.';

/** A ledger as it lies on the disk at one moment. */
export interface LedgerView {
  readonly dir: string;
  readonly state: LedgerState;
  readonly scan: JournalScan;
  /** Path of every record in `records/`, by digest. */
  readonly files: Map<string, RecordFile>;
  /** Records on the disk that the journal does not mention yet: a writer was stopped between the two. */
  readonly adopted: readonly ResponseRecord[];
  /** Files of quarantined records that have not been moved yet. */
  readonly unmoved: readonly RecordFile[];
  readonly temporary: readonly string[];
}

/**
 * Reads one record and proves its digest, and that its name and folder are its own. Errors: DIGEST_MISMATCH, SCHEMA_INVALID as
 * `readRecord`; LEDGER_DAMAGED (exit 4) where the file stands under another name or in another folder, or is longer than a record may be; those of
 * `storedFile` for a link, or a pipe that nobody would ever write.
 */
export function readRecordFile(file: RecordFile): ResponseRecord {
  const stat = lstatSync(file.path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) storedFile(file.path);
  const bytes = stat?.size ?? 0;
  if (bytes > MAX_LINE_BYTES)
    fail(
      'LEDGER_DAMAGED',
      { file: file.path },
      `has ${bytes} bytes, a record at most ${MAX_LINE_BYTES}`,
      'Restore the file from a copy.',
      { exit: 4 },
    );
  const record = readRecord(readFileSync(file.path, 'utf8'), file.path);
  const problem =
    record.artifact_sha256 !== file.sha256
      ? `holds record ${record.artifact_sha256}`
      : record.cell !== file.cell
        ? `holds cell ${record.cell}`
        : record.slot !== file.slot || record.key.phase !== file.phase
          ? `belongs to ${record.key.phase}/${record.slot}`
          : undefined;
  if (problem !== undefined) {
    fail(
      'LEDGER_DAMAGED',
      { file: file.path },
      problem,
      'Records are never renamed or moved by hand; restore the file from a copy.',
      { exit: 4 },
    );
  }
  return record;
}

/** Proves that a ledger stands there. Errors: those of `assertLedgerFolder`; INPUT_NOT_FOUND for a folder without a journal. */
export function assertLedger(dir: string): void {
  if (assertLedgerFolder(dir) && existsSync(layout.journal(dir))) return;
  fail(
    'INPUT_NOT_FOUND',
    { file: dir },
    'a ledger expected; there is no attempts.jsonl in it',
    'Give the folder that `collect` or `ledger import` wrote.',
  );
}

/**
 * Reads a ledger without its lock and without writing: journal lines are proved, records are indexed by file name and held
 * against the journal. A running writer does not disturb it. `onLine` gets every line once it is proved. Errors: INPUT_NOT_FOUND
 * where `dir` is no ledger, those of `assertLedgerFolder`; LEDGER_DAMAGED and LEDGER_CONFLICT (exit 4) with file and line.
 */
export function viewLedger(dir: string, onLine?: (line: JournalLine) => void): LedgerView {
  assertLedger(dir);
  return loadLedger(dir, onLine);
}

/** Reads a ledger as `viewLedger` does, also one that has no journal yet. */
export function loadLedger(dir: string, onLine?: (line: JournalLine) => void): LedgerView {
  const state = emptyState();
  const journal = layout.journal(dir);
  const written = new Map<string, { readonly line: number; readonly entry: RecordEntry }>();
  const moved = new Set<string>();
  // Before the journal, so that a running writer has journalled whatever these records cite.
  const { files: listed, temporary } = listRecords(dir);
  const scan = scanJournal(journal, (line) => {
    const event = applyLine(state, line, journal);
    if (event?.type === 'record_written') {
      written.set(event.record_sha256, { line: line.line, entry: event });
      // An import or a computed answer can give the record of a quarantined block again, byte for byte.
      moved.delete(event.record_sha256);
    }
    if (event?.type === 'block_quarantined') for (const sha256 of event.records) moved.add(sha256);
    onLine?.(line);
  });
  if (scan.lines === 0 && listed.length > 0)
    fail(
      'LEDGER_DAMAGED',
      { file: journal },
      `the journal is empty, yet ${listed.length} records were written: lines are gone`,
      APPEND_ONLY,
      { exit: 4 },
    );
  const files = new Map<string, RecordFile>();
  const unmoved: RecordFile[] = [];
  const orphans: RecordFile[] = [];
  for (const file of listed) {
    if (moved.has(file.sha256)) unmoved.push(file);
    else if (written.has(file.sha256)) files.set(file.sha256, file);
    else orphans.push(file);
  }
  for (const [sha256, { line, entry }] of written) {
    if (moved.has(sha256) || files.has(sha256)) continue;
    const { phase, slot, cell } = entry;
    const path = layout.record(dir, phase, slot, cell, sha256);
    if (existsSync(path)) {
      files.set(sha256, { path, phase, slot, cell, sha256 });
      continue;
    }
    fail(
      'LEDGER_DAMAGED',
      { file: journal, line },
      `says that record ${sha256} was written; its file is missing`,
      'Restore the file from a copy; a paid answer is never asked again behind your back.',
      { exit: 4 },
    );
  }
  const adopted = adopt({ state, orphans, files, journal });
  return { dir, state, scan, files, adopted, unmoved, temporary };
}

/**
 * Adds records without a journal line to the state. Their requests were journalled before they were sent, so a record that cites a line which
 * the journal lacks is no trace of a stopped writer.
 */
function adopt(options: {
  readonly state: LedgerState;
  readonly orphans: readonly RecordFile[];
  readonly files: Map<string, RecordFile>;
  readonly journal: string;
}): ResponseRecord[] {
  const { state, orphans, files, journal } = options;
  const records = orphans.map((file) => ({ file, record: readRecordFile(file) }));
  records.sort((a, b) => Number(a.record.supersedes !== null) - Number(b.record.supersedes !== null));
  for (const { file, record } of records) {
    const known = new Set(state.cells.get(record.cell)?.events);
    const lost = record.attempt_event_sha256s.find((sha256) => !known.has(sha256));
    if (lost !== undefined)
      fail(
        'LEDGER_DAMAGED',
        { file: journal },
        `the journal has no event ${lost}, which ${file.path} cites: lines are gone`,
        APPEND_ONLY,
        { exit: 4 },
      );
    applyEvent(
      state,
      { type: 'record_written', ...entryOf(record), at: record.recorded_at ?? '' },
      record.artifact_sha256,
    );
    files.set(file.sha256, file);
  }
  return records.map((r) => r.record);
}
