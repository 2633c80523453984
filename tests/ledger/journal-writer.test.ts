import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/ledger/journal-event.js';
import { CHAIN_START } from '../../src/ledger/journal-line.js';
import { scanJournal } from '../../src/ledger/journal-scan.js';
import { JournalWriter, openJournal } from '../../src/ledger/journal-writer.js';
import { freshFolder } from '../support/folders.js';

const event = (note: string): JournalEvent => ({
  type: 'invalid_response',
  cell: 'c'.repeat(64),
  attempt_id: 'a',
  attempt_index: 0,
  metadata: { note },
  at: '2026-08-20T00:00:00.000Z',
});

describe('the writer of a journal', () => {
  it('keeps every event, in order, whatever text is in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), async (notes) => {
        const path = join(freshFolder(), 'attempts.jsonl');
        const writer = new JournalWriter({ path, handle: await openJournal(path), chain: CHAIN_START, bytes: 0 });
        await Promise.all(notes.map((note) => writer.append(event(note)).durable));
        await writer.close();
        const read: unknown[] = [];
        const scan = scanJournal(path, ({ text }) => read.push(JSON.parse(text)));
        expect(read).toEqual(notes.map(event));
        expect(scan).toMatchObject({ lines: notes.length, chain: writer.chain });
        expect(scan.bytes).toBe(readFileSync(path).length);
      }),
      { numRuns: 40 },
    );
  });

  it('accepts nothing more after a failed write, and says that room is needed', async () => {
    const path = '/dev/full';
    const writer = new JournalWriter({ path, handle: await openJournal(path), chain: CHAIN_START, bytes: 0 });
    const both = await Promise.allSettled([writer.append(event('one')).durable, writer.append(event('two')).durable]);
    for (const result of both)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'LEDGER_WRITE_FAILED', exit: 5 },
      });
    expect(() => writer.append(event('three'))).toThrow(/ENOSPC/);
    await writer.close();
  });
});
