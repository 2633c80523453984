import { dirname } from 'node:path';
import { canonicalJson, sealed } from '../io/canonical.js';
import { stageAll, writeOnce } from '../io/file.js';
import { openStore } from '../io/write/guard.js';
import { makeFolder } from '../io/write/temporary.js';
import { fail } from '../util/error.js';
import type { CellBinding } from './cell-key.js';
import { listInspections } from './inspection.js';
import {
  type AttemptEvent,
  entryOf,
  JOURNAL_SCHEMA,
  type JournalEvent,
  type LedgerEvent,
  type RecordEntry,
  type ScheduleCount,
  type ShardDeclaration,
} from './journal-event.js';
import { repairTail } from './journal-scan.js';
import {
  applyEvent,
  type CellState,
  type LedgerState,
  recordProblem,
  scheduleName,
  type Totals,
} from './journal-state.js';
import { assertOneName, JournalWriter, journalFile, openJournal } from './journal-writer.js';
import { kernelLock } from './kernel-lock.js';
import {
  abandonedBeside,
  assertLedgerOrEmpty,
  finishMoves,
  layout,
  onDisk,
  type RecordFile,
  sweepTemporary,
} from './ledger-folder.js';
import { type Holder, lockLost, type ProcessProbe, releaseLock, takeLock } from './ledger-lock.js';
import { loadLedger, readRecordFile } from './ledger-view.js';
import { makeRecord, type RecordDraft, type ResponseRecord } from './record.js';

export interface LedgerOptions {
  readonly dir: string;
  readonly holder: Holder;
  readonly probe: ProcessProbe;
  /** Milliseconds since 1970, as `Date.now` gives them. */
  readonly clock: () => number;
  /** False: nothing is flushed to the disk, for answers that are computed and can be made again. */
  readonly sync?: boolean;
  /** The user says that a holder of the lock who cannot be seen from here is gone. */
  readonly takeOver?: boolean;
  /** Asks for the kernel's lock of the journal; `kernelLock` unless given. */
  readonly kernel?: typeof kernelLock;
}

/** Records whose files are flushed together; each is open for that time. */
const BATCH = 256;

/** The one writer of a ledger folder. Everything it promises is on the disk when the promise resolves. */
export class LedgerWriter {
  private closed = false;

  private constructor(
    readonly dir: string,
    /** What was found and put right on opening, in words. */
    readonly notes: readonly string[],
    /** The folded journal; read it, do not change it. */
    readonly state: LedgerState,
    private readonly files: Map<string, RecordFile>,
    private readonly journal: JournalWriter,
    private readonly options: LedgerOptions,
    private readonly held: Holder,
  ) {}

  /**
   * Opens or creates a ledger: takes the lock, proves the journal, indexes the records by name, repairs what a killed writer
   * leaves (torn last line, unjournalled record, unfinished move). Anything else that is wrong stops with the place.
   */
  static async open(options: LedgerOptions): Promise<LedgerWriter> {
    const { dir, holder, probe, sync, takeOver = false, kernel = kernelLock } = options;
    assertLedgerOrEmpty(dir);
    openStore(dir);
    onDisk(dir, () => makeFolder(dir));
    const path = layout.journal(dir);
    const handle = await openJournal(path);
    let held: Holder | undefined;
    try {
      assertOneName(handle, path);
      const sight = { self: holder, probe, kernel: await kernel(handle.fd), journal: journalFile(handle), takeOver };
      const taken = onDisk(dir, () => takeLock(dir, sight));
      const { previous } = taken;
      held = taken.held;
      const lost = () => lockLost(dir, taken.held);
      const notes: string[] = [];
      const tail = onDisk(dir, () => repairTail(dir));
      const view = loadLedger(dir);
      const { chain, bytes } = view.scan;
      const journal = new JournalWriter({ path, handle, chain, bytes, sync, lost });
      const ledger = new LedgerWriter(dir, notes, view.state, view.files, journal, options, taken.held);
      if (view.scan.lines === 0) await ledger.book({ type: 'ledger_created', schema: JOURNAL_SCHEMA });
      if (previous) {
        notes.push(`took over the lock of process ${previous.pid}, which is gone`);
        // Who held it is said to the caller; a journal is released whole, and names no host.
        await ledger.book({ type: 'lock_taken_over', previous: {} });
      }
      if (tail) {
        notes.push(`put ${tail.bytes} bytes of a torn last journal line aside (${tail.file})`);
        await ledger.book({ type: 'tail_repaired', kept_sha256: tail.sha256, bytes: tail.bytes });
      }
      sweepTemporary([...view.temporary, ...abandonedBeside(dir)]);
      for (const record of view.adopted) {
        await journal.append({ type: 'record_written', ...entryOf(record), at: ledger.now() }).durable;
      }
      if (view.adopted.length > 0)
        notes.push(`entered ${view.adopted.length} records that a stopped writer had not journalled`);
      onDisk(dir, () => finishMoves(dir, view.unmoved));
      for (const stamp of listInspections(dir))
        if (!view.state.inspections.has(stamp)) await ledger.book({ type: 'scores_inspected', stamp_sha256: stamp });
      return ledger;
    } catch (error) {
      if (held) releaseLock(dir, held);
      await handle.close();
      throw error;
    }
  }

  /** The time of a line; no line says an earlier one than the line before it, whatever the clock does. */
  private now(): string {
    const now = new Date(this.options.clock()).toISOString();
    const { latest } = this.state;
    return [now, latest].sort()[1]!;
  }

  private write(event: AttemptEvent | LedgerEvent, folder?: string): Promise<string> {
    if (this.closed) throw new Error('the ledger is closed');
    const dated = { ...event, at: this.now() } as JournalEvent;
    const { eventSha256, durable } = this.journal.append(dated, folder);
    applyEvent(this.state, dated, eventSha256);
    return durable.then(() => eventSha256);
  }

  /** Journals something about a request; resolves to the event's digest once it is on the disk. */
  append(event: AttemptEvent): Promise<string> {
    return this.write(event);
  }

  /** Journals something about the ledger itself. */
  book(event: LedgerEvent): Promise<string> {
    return this.write(event);
  }

  /** Stores a frozen plan under its own digest, which is returned, readable by its owner alone. Storing it again is fine. */
  putFrozenPlan(document: object): string {
    const frozenPlan = sealed(document);
    const path = layout.frozenPlan(this.dir, frozenPlan.artifact_sha256);
    onDisk(this.dir, () => writeOnce(path, `${canonicalJson(frozenPlan)}\n`, 0o600));
    return frozenPlan.artifact_sha256;
  }

  /** Says how many cells a phase has, for `status`. Nothing is written when it is already said. */
  async declareSchedule(schedule: Omit<LedgerEvent & { type: 'schedule_declared' }, 'type'>): Promise<void> {
    const { phase } = schedule;
    const said = (count: ScheduleCount) =>
      this.state.schedule.get(scheduleName({ ...count, phase }))?.cells === count.cells;
    if (schedule.counts.every(said)) return;
    await this.book({ type: 'schedule_declared', ...schedule });
  }

  /** Says which share of a plan this ledger holds, and of which budget. Nothing is written when it is already said. */
  async declareShard(shard: ShardDeclaration): Promise<void> {
    const said = this.state.shards.get(shard.index);
    if (said !== undefined && canonicalJson(said) === canonicalJson(shard)) return;
    await this.book({ type: 'shard_declared', ...shard });
  }

  /** True when the cell has a record in force, whatever its status. */
  has(cell: string): boolean {
    return this.state.cells.get(cell)?.head !== undefined;
  }

  /** The record in force, read from the disk and proved. */
  get(cell: string): ResponseRecord | undefined {
    const head = this.state.cells.get(cell)?.head;
    return head && readRecordFile(this.files.get(head.record_sha256)!);
  }

  /** The files of these records. */
  filesOf(records: readonly string[]): RecordFile[] {
    return records.map((sha256) => this.files.get(sha256)).filter((file) => file !== undefined);
  }

  cells(): IterableIterator<CellState> {
    return this.state.cells.values();
  }

  /** What was ever booked here, for the budget. */
  totals(): Totals {
    return { ...this.state.totals };
  }

  /** Makes the record of a cell from a draft: binds it, cites its journal lines and, after a retry, the record it replaces. */
  compose(binding: CellBinding, draft: Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes'>): ResponseRecord {
    const cell = this.state.cells.get(binding.cell);
    return makeRecord(binding, {
      ...draft,
      attempt_event_sha256s: [...(cell?.events ?? [])],
      supersedes: cell?.head?.record_sha256 ?? null,
    });
  }

  /**
   * Writes a record: file first, then its journal line. The same record again is fine; another record for a cell that has one is a
   * conflict, unless a retry was asked for and the new record says which failure it replaces.
   */
  async putRecord(record: ResponseRecord): Promise<{ readonly isNew: boolean }> {
    const entry = entryOf(record);
    if (this.isHead(entry)) return { isNew: false };
    this.assertFits(entry);
    const file = this.fileOf(entry);
    onDisk(this.dir, () => writeOnce(file.path, `${canonicalJson(record)}\n`, 0o600, this.options.sync));
    await this.enter(entry, file);
    return { isNew: true };
  }

  /**
   * Writes many records with the promises of `putRecord`, a batch at a time: the files of a batch are flushed side by side before any
   * has its name, and its journal lines share one flush. Returns how many were new; `onProgress` hears how many are through.
   */
  async putRecords(records: readonly ResponseRecord[], onProgress?: (done: number) => void): Promise<number> {
    let written = 0;
    for (let start = 0; start < records.length; start += BATCH) {
      const batch = records
        .slice(start, start + BATCH)
        .map((record) => ({ record, entry: entryOf(record) }))
        .filter(({ entry }) => !this.isHead(entry))
        .map((item) => ({ ...item, file: this.fileOf(item.entry) }));
      const staged = await stageAll(
        batch.map(({ record, file }) => ({
          path: file.path,
          data: `${canonicalJson(record)}\n`,
        })),
        { mode: 0o600, sync: this.options.sync ?? true },
      );
      const lines: Promise<unknown>[] = [];
      try {
        for (const [i, { entry, file }] of batch.entries()) {
          if (this.isHead(entry)) continue;
          this.assertFits(entry);
          staged[i]?.place();
          lines.push(this.enter(entry, file));
        }
      } finally {
        for (const file of staged) file.abandon();
        await Promise.all(lines);
      }
      written += lines.length;
      onProgress?.(Math.min(records.length, start + BATCH));
    }
    return written;
  }

  private isHead(entry: RecordEntry): boolean {
    return this.state.cells.get(entry.cell)?.head?.record_sha256 === entry.record_sha256;
  }

  private fileOf({ phase, slot, cell, record_sha256: sha256 }: RecordEntry): RecordFile {
    return { path: layout.record(this.dir, phase, slot, cell, sha256), phase, slot, cell, sha256 };
  }

  /** Journals a record whose file is in its place. */
  private enter(entry: RecordEntry, file: RecordFile): Promise<string> {
    this.files.set(file.sha256, file);
    return this.write({ type: 'record_written', ...entry }, dirname(file.path));
  }

  /** Errors: LEDGER_CONFLICT where the cell or its block has no room for the record. */
  private assertFits(entry: RecordEntry): void {
    const cell = this.state.cells.get(entry.cell);
    const problem =
      recordProblem(this.state, entry) ??
      (cell?.head && cell.retry === undefined ? 'no retry of it was asked for' : undefined);
    if (problem !== undefined) {
      fail(
        'LEDGER_CONFLICT',
        { file: this.dir },
        `cell ${entry.cell}: ${problem}`,
        'The record in force stays; nothing was written.',
        { exit: 4 },
      );
    }
  }

  /** Finishes pending writes and gives the lock back. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.journal.close(() => releaseLock(this.dir, this.held));
  }
}
