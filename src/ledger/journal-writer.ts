import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { FlavourError } from '../util/error.js';
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

/**
 * Appends lines durably. Lines that arrive while a flush is under way share the next one (group commit), so throughput does not
 * depend on the speed of a single fsync. After a failed write the journal accepts nothing more: its end is unknown.
 */
export class JournalWriter {
  private queue: Waiting[] = [];
  private flushing: Promise<void> | undefined;
  private broken: FlavourError | undefined;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private head: string,
    private readonly sync: boolean,
  ) {}

  /** Without `sync` lines are written in order but not flushed to the disk: for a ledger that can be made again. */
  static async open(path: string, chain: string, sync = true): Promise<JournalWriter> {
    return new JournalWriter(path, await open(path, 'a', 0o600), chain, sync);
  }

  get chain(): string {
    return this.head;
  }

  /**
   * Queues one event; `durable` resolves when its bytes are on the disk. A `folder` is synced before the line is written, so that a
   * line never speaks of a file whose name could still be lost.
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
    await Promise.resolve();
    while (this.queue.length > 0) {
      const batch = this.queue;
      this.queue = [];
      try {
        if (this.broken) throw this.broken;
        const folders = this.sync ? batch.flatMap((w) => w.folder ?? []) : [];
        for (const folder of new Set(folders)) syncFolder(folder);
        await this.handle.appendFile(batch.map((w) => `${w.line}\n`).join(''));
        if (this.sync) await this.handle.datasync();
        for (const waiting of batch) waiting.resolve();
      } catch (cause) {
        this.broken ??= writeFailed(this.path, cause);
        for (const waiting of batch) waiting.reject(this.broken);
      }
    }
    this.flushing = undefined;
  }

  async close(): Promise<void> {
    await this.flushing;
    await this.handle.close();
  }
}
