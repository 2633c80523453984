import { lstatSync, readFileSync } from 'node:fs';
import { FlavourError } from '../util/error.js';
import type { JournalEvent, RecordEntry } from './event.js';
import { type JournalLine, type JournalScan, scanJournal } from './journal.js';
import { layout, listRecords, type RecordFile } from './layout.js';
import { type ResponseRecord, readRecord } from './record.js';
import { applyEvent, applyLine, emptyState, type LedgerState } from './state.js';

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
    throw new FlavourError('LEDGER_DAMAGED', `${file.path} ${problem}`, {
      hint: 'Records are never renamed or moved by hand; restore the file from a copy.',
      where: { file: file.path },
      exit: 4,
    });
  }
  return record;
}

/** A folder that can be read as a ledger, or an error that says what it is. */
function assertLedger(dir: string): void {
  const stat = lstatSync(dir, { throwIfNoEntry: false });
  const there = stat?.isDirectory() && lstatSync(layout.journal(dir), { throwIfNoEntry: false });
  if (!there) {
    throw new FlavourError('INPUT_NOT_FOUND', `${dir} is not a ledger: it has no attempts.jsonl`, {
      hint: 'Give the folder that `collect` or `ledger import` wrote.',
      where: { file: dir },
    });
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
  const written = new Map<string, number>();
  const moved = new Set<string>();
  const scan = scanJournal(journal, (line) => {
    let event: JournalEvent | undefined;
    try {
      event = applyLine(state, line.text, line.eventSha256);
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      throw new FlavourError(error.code, `${journal}:${line.line} ${error.message}`, {
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        where: { file: journal, line: line.line },
        exit: 4,
      });
    }
    if (event?.type === 'record_written') {
      written.set(event.record_sha256, line.line);
      // An import or a computed answer can give the record of a quarantined block again, byte for byte.
      moved.delete(event.record_sha256);
    }
    if (event?.type === 'block_quarantined') for (const sha256 of event.records) moved.add(sha256);
    onLine?.(line);
  });
  const { files: listed, temporary } = listRecords(dir);
  const files = new Map<string, RecordFile>();
  const unmoved: RecordFile[] = [];
  const orphans: RecordFile[] = [];
  for (const file of listed) {
    if (moved.has(file.sha256)) unmoved.push(file);
    else if (written.has(file.sha256)) files.set(file.sha256, file);
    else orphans.push(file);
  }
  for (const [sha256, line] of written) {
    if (moved.has(sha256) || files.has(sha256)) continue;
    throw new FlavourError(
      'LEDGER_DAMAGED',
      `${journal}:${line} says that record ${sha256} was written; its file is missing`,
      {
        hint: 'Restore the file from a copy; a paid answer is never asked again behind your back.',
        where: { file: journal, line },
        exit: 4,
      },
    );
  }
  const adopted = adopt(state, orphans, files);
  return { dir, state, scan, files, adopted, unmoved, temporary };
}

function adopt(
  state: LedgerState,
  orphans: readonly RecordFile[],
  files: Map<string, RecordFile>,
): ResponseRecord[] {
  const records = orphans.map((file) => ({ file, record: readRecordFile(file) }));
  records.sort(
    (a, b) => Number(a.record.supersedes !== null) - Number(b.record.supersedes !== null),
  );
  for (const { file, record } of records) {
    applyEvent(
      state,
      { type: 'record_written', ...entryOf(record), at: record.recorded_at ?? '' },
      record.artifact_sha256,
    );
    files.set(file.sha256, file);
  }
  return records.map((r) => r.record);
}
