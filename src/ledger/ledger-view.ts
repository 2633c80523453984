import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { FlavourError, fail, failure } from '../util/error.js';
import type { JournalEvent, RecordEntry } from './journal-event.js';
import { type JournalLine, type JournalScan, scanJournal } from './journal-scan.js';
import { applyEvent, applyLine, emptyState, type LedgerState } from './journal-state.js';
import { layout, listRecords, type RecordFile } from './ledger-folder.js';
import { type ResponseRecord, readRecord } from './record.js';

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

/** Perhaps accepted, or accepted with a reply that does not tell its cost. */
function costUnknown({ outcome, generation }: ResponseRecord): boolean {
  return generation === null ? outcome === 'ambiguous' : generation.billing_status === 'unknown';
}

/** The journal's summary of a record. */
export function entryOf(record: ResponseRecord): RecordEntry {
  const { key, generation } = record;
  return {
    cell: record.cell,
    record_sha256: record.artifact_sha256,
    supersedes: record.supersedes,
    slot: record.slot,
    model_id: key.model_id,
    contract_sha256: record.contract_sha256,
    phase: key.phase,
    panel: record.panel,
    family: record.family,
    task_id: record.task_id,
    repeat: key.repeat,
    status: record.status,
    outcome: record.outcome,
    parse: record.parse?.outcome ?? null,
    source: record.source,
    rank_eligible: record.rank_eligible,
    cost_micros: generation?.cost_micros ?? record.budget?.actual_micros ?? 0,
    uncertain_micros: costUnknown(record) ? (record.budget?.reserved_micros ?? 0) : 0,
    tokens: (generation?.prompt_tokens ?? 0) + (generation?.completion_tokens ?? 0),
  };
}

/** Reads and proves one record: digest, name, folder, cell. */
export function readRecordFile(file: RecordFile): ResponseRecord {
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

/** A folder that can be read as a ledger, or an error that says what it is. */
function assertLedger(dir: string): void {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  const there = stat?.isDirectory() && lstatSync(layout.journal(dir), { throwIfNoEntry: false });
  if (!there) {
    fail(
      'INPUT_NOT_FOUND',
      { file: dir },
      'is not a ledger: it has no attempts.jsonl',
      'Give the folder that `collect` or `ledger import` wrote.',
    );
  }
}

/**
 * Reads a ledger without its lock and without writing: journal lines are proved, records are indexed by file name and held
 * against the journal. A running writer does not disturb it.
 */
export function viewLedger(dir: string, onLine?: (line: JournalLine) => void): LedgerView {
  assertLedger(dir);
  return loadLedger(dir, onLine);
}

export function loadLedger(dir: string, onLine?: (line: JournalLine) => void): LedgerView {
  const state = emptyState();
  const journal = layout.journal(dir);
  const written = new Map<string, { readonly line: number; readonly entry: RecordEntry }>();
  const moved = new Set<string>();
  // Before the journal, so that a running writer has journalled whatever these records cite.
  const { files: listed, temporary } = listRecords(dir);
  const scan = scanJournal(journal, (line) => {
    let event: JournalEvent | undefined;
    try {
      event = applyLine(state, line.text, line.eventSha256);
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      throw new FlavourError(error.code, `${journal}:${line.line} ${error.message}`, {
        hint: error.hint,
        where: { file: journal, line: line.line },
        exit: 4,
      });
    }
    if (event?.type === 'record_written') {
      written.set(event.record_sha256, { line: line.line, entry: event });
      // An import or a computed answer can give the record of a quarantined block again, byte for byte.
      moved.delete(event.record_sha256);
    }
    if (event?.type === 'block_quarantined') for (const sha256 of event.records) moved.add(sha256);
    onLine?.(line);
  });
  if (scan.lines === 0 && listed.length > 0)
    throw cutJournal(journal, `is empty, yet ${listed.length} records were written`);
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

/** A journal that lacks lines which were on the disk before what stands there now. */
function cutJournal(journal: string, problem: string): FlavourError {
  return failure(
    'LEDGER_DAMAGED',
    { file: journal },
    `${problem}: lines are gone`,
    'The journal is append-only; restore it from a copy, or start a new ledger.',
    { exit: 4 },
  );
}

/**
 * Folds records without a journal line. Their requests were journalled before they were sent, so a record that cites a line which
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
    if (lost !== undefined) throw cutJournal(journal, `has no event ${lost}, which ${file.path} cites`);
    applyEvent(
      state,
      { type: 'record_written', ...entryOf(record), at: record.recorded_at ?? '' },
      record.artifact_sha256,
    );
    files.set(file.sha256, file);
  }
  return records.map((r) => r.record);
}
