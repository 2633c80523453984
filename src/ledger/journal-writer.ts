import { closeSync, constants, fstatSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { diskHint, type FlavourError, fail, failure } from '../util/error.js';
import type { JournalEvent } from './journal-event.js';
import { encodeLine } from './journal-line.js';
import { writeFailed } from './ledger-folder.js';

interface Waiting {
  readonly line: string;
  readonly folder: string | undefined;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

function syncFolder(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** No link is followed and no pipe waited for; systems that lack these have no such files. */
const APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a journal for appending, made where there is none, readable by its owner alone. Errors: LEDGER_WRITE_FAILED (exit 5). */
export async function openJournal(path: string): Promise<FileHandle> {
  try {
    return await open(path, APPEND, 0o600);
  } catch (error) {
    throw diskHint(error) ? writeFailed(path, error) : error;
  }
}

/** Names the file of an open journal among all files of the running system, by device and number. */
export function journalFile({ fd }: FileHandle): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * Proves that a journal has one name: what is appended to one that two folders share would stand in both, and break the other's history.
 * Errors: INPUT_NOT_REGULAR.
 */
export function assertOneName({ fd }: FileHandle, path: string): void {
  const { nlink } = fstatSync(fd);
  if (nlink > 1)
    fail(
      'INPUT_NOT_REGULAR',
      { file: path },
      `has ${nlink} names (hard links): what is written here would be written there too`,
      'Make it a file of its own, by copying it and moving the copy into its place.',
    );
}

interface JournalOptions {
  readonly path: string;
  /** The open journal (`openJournal`), which the writer closes. */
  readonly handle: FileHandle;
  /** Head of its chain, and its length in bytes. */
  readonly chain: string;
  readonly bytes: number;
  /** Without it lines are written in order but not flushed to the disk: for a ledger that can be made again. */
  readonly sync?: boolean;
  /** Who has taken the lock from us, asked before each append; undefined while we hold it. */
  readonly lost?: () => string | undefined;
}

/**
 * Appends lines durably. Lines that arrive while a flush is under way share the next one (group commit), so throughput does not
 * depend on the speed of a single fsync. Before each append it is proved that the lock is ours and that nobody else has written to the
 * journal. After a failed write or proof the journal accepts nothing more: its end is unknown.
 */
export class JournalWriter {
  private queue: Waiting[] = [];
  private flushing: Promise<void> | undefined;
  private broken: FlavourError | undefined;
  private head: string;
  private bytes: number;

  constructor(private readonly options: JournalOptions) {
    this.head = options.chain;
    this.bytes = options.bytes;
  }

  get chain(): string {
    return this.head;
  }

  /** Proves that the journal is still ours to write to. Errors: LEDGER_TAKEN (exit 5); the error that broke it. */
  prove(): void {
    if (this.broken) throw this.broken;
    const { path, handle, lost } = this.options;
    const own = fstatSync(handle.fd);
    const there = lstatSync(path, { throwIfNoEntry: false });
    const what =
      lost?.() ??
      (own.size !== this.bytes
        ? `the journal has ${own.size} bytes where ${this.bytes} were written: somebody else writes to it`
        : there?.ino !== own.ino
          ? 'the journal was moved or replaced'
          : undefined);
    if (what === undefined) return;
    this.broken = failure(
      'LEDGER_TAKEN',
      { file: path },
      `this process no longer holds the lock: ${what}`,
      'Nothing more was sent or written. Let one process write; `flavourbench ledger verify DIR` then says whether anything was mixed, and `flavourbench ledger salvage DIR --out NEW` makes a whole ledger of it.',
      { exit: 5 },
    );
    throw this.broken;
  }

  /**
   * Queues one event; `durable` resolves when its bytes are on the disk. A `folder` is synced before the line is written, so that a
   * line never speaks of a file whose name could still be lost. Errors: LEDGER_TAKEN, LEDGER_WRITE_FAILED (exit 5), also of `durable`.
   */
  append(event: JournalEvent, folder?: string): { eventSha256: string; durable: Promise<void> } {
    if (this.broken) throw this.broken;
    const { line, eventSha256, chain } = encodeLine(event, this.head);
    this.head = chain;
    const durable = new Promise<void>((resolve, reject) => {
      this.queue.push({ line, folder, resolve, reject });
    });
    this.flushing ??= this.flush();
    return { eventSha256, durable };
  }

  private async flush(): Promise<void> {
    const { path, handle, sync = true } = this.options;
    await Promise.resolve();
    while (this.queue.length > 0) {
      const batch = this.queue;
      this.queue = [];
      try {
        this.prove();
        const folders = sync ? batch.flatMap((w) => w.folder ?? []) : [];
        for (const folder of new Set(folders)) syncFolder(folder);
        const data = Buffer.from(batch.map((w) => `${w.line}\n`).join(''), 'utf8');
        await handle.appendFile(data);
        if (sync) await handle.datasync();
        this.bytes += data.length;
        this.prove();
        for (const waiting of batch) waiting.resolve();
      } catch (cause) {
        this.broken ??= writeFailed(path, cause);
        for (const waiting of batch) waiting.reject(this.broken);
      }
    }
    this.flushing = undefined;
  }

  /** Finishes pending writes, runs `last` and closes the journal, with which the kernel's lock of it ends. */
  async close(last: () => void = () => {}): Promise<void> {
    await this.flushing;
    try {
      last();
    } finally {
      await this.options.handle.close();
    }
  }
}
