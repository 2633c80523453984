import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { readInput, storedFile, writeAtomic, writeOnce } from '../io/file.js';
import { makeFolder } from '../io/write/temporary.js';
import { FlavourError } from '../util/error.js';
import { PHASES } from './cell-key.js';
import { JOURNAL_SCHEMA, type JournalEvent } from './journal-event.js';
import { journalText } from './journal-line.js';
import { assertNewLedger, layout, listRecords, onDisk, quarantinedPath, type RecordFile } from './ledger-folder.js';
import { readRecordFile } from './ledger-view.js';
import { otherFiles } from './merge-ledgers.js';
import type { ResponseRecord } from './record.js';
import { chooseEvents } from './salvage-events.js';
import { type LostLine, lostText, survivingLines } from './salvage-lines.js';

/** What a salvage kept and what it could not. Money is micro-USD. */
interface Salvage {
  readonly events: number;
  readonly records: number;
  /** Lines that do not follow from the line before them. */
  readonly breaks: number;
  /** Stretches of the journal that prove nothing; their bytes are kept in quarantine. */
  readonly lost_lines: readonly { readonly line: number; readonly bytes: number; readonly why: string }[];
  /** Lines that prove and contradict the history that was kept. */
  readonly dropped_events: number;
  /** Records that the journal speaks of and no file proves: their cells are sealed or asked by the next run. */
  readonly lost_records: readonly { readonly record: string; readonly cell: string; readonly why: string }[];
  /** Records that are kept in quarantine, because another record of their cell is in force. */
  readonly unplaced: readonly { readonly record: string; readonly cell: string; readonly why: string }[];
  /** Paid for requests that no record in force answers. */
  readonly cost_micros: number;
  readonly uncertain_micros: number;
}

/** Record files of the ledger, those in quarantine too. */
function recordFiles(dir: string): RecordFile[] {
  const aside = join(layout.quarantine(dir), 'records');
  const moved = existsSync(aside)
    ? readdirSync(aside, { recursive: true, withFileTypes: true }).flatMap((entry) => {
        const [phase, slot] = relative(aside, entry.parentPath).split(/[\\/]/);
        const [, cell, digest] = /^([0-9a-f]{64})-([0-9a-f]{64})\.json$/.exec(entry.name) ?? [];
        const known = PHASES.find((name) => name === phase);
        if (!entry.isFile() || !known || !slot || !cell || !digest) return [];
        return [{ path: join(entry.parentPath, entry.name), phase: known, slot, cell, sha256: digest }];
      })
    : [];
  return [...listRecords(dir).files, ...moved];
}

interface ProvedRecords {
  readonly records: Map<string, ResponseRecord>;
  /** Why a file proves nothing, by the digest in its name. */
  readonly refused: Map<string, string>;
}

function proved(files: readonly RecordFile[]): ProvedRecords {
  const records = new Map<string, ResponseRecord>();
  const refused = new Map<string, string>();
  for (const file of files) {
    try {
      records.set(file.sha256, readRecordFile(file));
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      refused.set(file.sha256, error.message);
    }
  }
  return { records, refused };
}

/**
 * Makes a whole ledger, in a new folder, of one that is damaged: every journal line whose own digest holds and every record that proves, in
 * one history. What contradicts it, as two writers at once leave it, is kept in quarantine and stays paid for; what is lost is named.
 * Nothing of the damaged ledger changes, and nobody may write to it meanwhile. Errors: those of `assertNewLedger`;
 * LEDGER_DAMAGED (exit 4) for what is no file of a ledger.
 */
export function salvageLedger(options: { readonly dir: string; readonly out: string; readonly at: string }): Salvage {
  const { dir, out, at } = options;
  assertNewLedger(out);
  const journal = readInput(storedFile(layout.journal(dir)));
  const { events, lost, breaks } = survivingLines(journal);
  const files = recordFiles(dir);
  const { records, refused } = proved(files);
  const chosen = chooseEvents({ events, records });
  const aside = new Set(chosen.events.flatMap((event) => (event.type === 'block_quarantined' ? event.records : [])));
  const lostRecords = chosen.lost.map(({ record_sha256: record, cell }) => ({
    record,
    cell,
    why: refused.get(record) ?? 'its file is missing',
  }));
  const note: JournalEvent = {
    type: 'salvaged',
    journal_sha256: sha256(journal),
    breaks,
    lost_lines: lost.length,
    lost_events: chosen.lostEvents,
    lost_records: lostRecords.map(({ record }) => record).sort(),
    unplaced_records: chosen.unplaced.map(({ record }) => record.artifact_sha256).sort(),
    cost_micros: chosen.cost_micros,
    uncertain_micros: chosen.uncertain_micros,
    tokens: chosen.tokens,
    at,
  };
  const unplaced = new Set(note.unplaced_records);
  onDisk(out, () => {
    makeFolder(out);
    for (const path of otherFiles(dir)) {
      const target = join(out, relative(dir, path));
      if (!relative(join(layout.quarantine(dir), 'records'), path).startsWith('..')) continue;
      writeOnce(target, readInput(storedFile(path)), statSync(path).mode & 0o777);
    }
    for (const file of files) {
      const record = records.get(file.sha256);
      if (!record) continue;
      const { phase, slot, cell, sha256: digest } = file;
      const target = unplaced.has(digest)
        ? join(layout.quarantine(out), 'unplaced', phase, slot, `${cell}-${digest}.json`)
        : aside.has(digest)
          ? quarantinedPath(out, file)
          : layout.record(out, phase, slot, cell, digest);
      makeFolder(dirname(target));
      writeOnce(target, `${canonicalJson(record)}\n`, 0o600);
    }
    if (lost.length > 0) writeOnce(join(layout.quarantine(out), lostText(lost).name), lostText(lost).data, 0o600);
    const created: JournalEvent = { type: 'ledger_created', schema: JOURNAL_SCHEMA, at };
    writeAtomic(layout.journal(out), journalText([created, ...chosen.events, note]), 0o600);
  });
  return {
    events: chosen.events.length,
    records: records.size - unplaced.size,
    breaks,
    lost_lines: lost.map(shownLine),
    dropped_events: chosen.dropped,
    lost_records: lostRecords,
    unplaced: chosen.unplaced.map(({ record: { artifact_sha256: record, cell }, why }) => ({ record, cell, why })),
    cost_micros: chosen.cost_micros,
    uncertain_micros: chosen.uncertain_micros,
  };
}

const shownLine = ({ line, bytes, why }: LostLine) => ({ line, bytes: bytes.length, why });
