import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/ledger/journal-event.js';
import { encodeLine } from '../../src/ledger/journal-line.js';
import { scanJournal } from '../../src/ledger/journal-scan.js';
import { layout } from '../../src/ledger/ledger-folder.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { pendingCells, sealAmbiguous } from '../../src/ledger/resume.js';
import { answerDraft, bindingFor, openLedger, startCell } from '../ledger/support.js';
import { freshFolder } from '../support/folders.js';

let dir: string;
let journal: string;
const bindings = ['a', 'b', 'c'].map((task) => bindingFor({ task }));

beforeEach(async () => {
  dir = freshFolder();
  journal = layout.journal(dir);
  const ledger = await openLedger(dir);
  for (const binding of bindings) {
    await startCell(ledger, binding, ['response_received']);
    await ledger.putRecord(ledger.compose(binding, answerDraft()));
  }
  await ledger.close();
});

const lines = () => readFileSync(journal, 'utf8').split('\n').slice(0, -1);
const recordPath = () => {
  const block = layout.block(dir, 'primary', bindings[0]!.slot);
  return join(block, readdirSync(block).sort()[0]!);
};
const failure = (): unknown => {
  try {
    viewLedger(dir);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a journal of which lines are gone', () => {
  it.each([
    ['all of it', () => []],
    ['all but its first line', () => lines().slice(0, 1)],
    ['its second half', () => lines().slice(0, 5)],
  ])('stops the next writer: %s', async (_, kept) => {
    writeFileSync(
      journal,
      kept()
        .map((line) => `${line}\n`)
        .join(''),
    );
    const cut = readFileSync(journal);
    expect(failure()).toMatchObject({ code: 'LEDGER_DAMAGED', exit: 4 });
    await expect(openLedger(dir)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED', exit: 4 });
    expect(readFileSync(journal)).toEqual(cut);
  });

  it('differs from that of a writer that was stopped before it journalled a record', async () => {
    const ending = lines().slice(0, -1);
    expect(lines().at(-1)).toContain('record_written');
    writeFileSync(journal, ending.map((line) => `${line}\n`).join(''));
    const ledger = await openLedger(dir);
    expect(ledger.notes.join()).toMatch(/entered 1 records/);
    await ledger.close();
    expect(viewLedger(dir).adopted).toEqual([]);
  });
});

describe('a torn last line', () => {
  // PrimeIntellect-ai/verifiers#803, PrimeIntellect-ai/verifiers#1376, PrimeIntellect-ai/verifiers#1564: a torn last line was
  // appended to, and the middle of the file was lost.
  it('is cut off and kept, at every length it can have', async () => {
    const whole = readFileSync(journal);
    const last = `${lines().at(-1)}\n`;
    for (const cut of [1, 2, 40, 100, last.length - 2]) {
      const torn = whole.subarray(0, whole.length - last.length + cut);
      writeFileSync(journal, torn);
      expect(viewLedger(dir).scan.tail.length).toBe(cut);
      const ledger = await openLedger(dir);
      expect(ledger.notes.join()).toMatch(/torn last journal line/);
      expect(pendingCells(ledger.state, bindings)).toMatchObject({ completed: 3, pending: [] });
      await ledger.close();
      expect(readFileSync(journal).subarray(0, whole.length - last.length)).toEqual(
        whole.subarray(0, whole.length - last.length),
      );
      expect(viewLedger(dir).scan.tail.length).toBe(0);
    }
    expect(readdirSync(layout.quarantine(dir)).every((n) => n.startsWith('torn-line-'))).toBe(true);
  });

  it('that only lacks its line end is completed, not lost', async () => {
    const whole = readFileSync(journal);
    writeFileSync(journal, whole.subarray(0, whole.length - 1));
    await (await openLedger(dir)).close();
    expect(readFileSync(journal)).toEqual(whole);
  });

  it('of zero bytes, as a power cut leaves it, is cut off', async () => {
    const whole = readFileSync(journal);
    appendFileSync(journal, Buffer.alloc(500));
    await (await openLedger(dir)).close();
    expect(readFileSync(journal).subarray(0, whole.length)).toEqual(whole);
  });
});

describe('the next writer of a damaged ledger', () => {
  it.each([
    ['a changed byte', (all: string[]) => all.with(3, all[3]!.replace('"at":"2026', '"at":"2027'))],
    ['a dropped line', (all: string[]) => all.toSpliced(3, 1)],
    ['two lines swapped', (all: string[]) => all.with(3, all[4]!).with(4, all[3]!)],
    ['a repeated line', (all: string[]) => all.toSpliced(3, 0, all[2]!)],
    ['a line of something else', (all: string[]) => all.toSpliced(3, 0, '{"hello":1}')],
    ['a bad last line with its line end', (all: string[]) => [...all, '{"chain":"']],
  ])('stops at the line of %s', (_, change) => {
    const changed = change(lines());
    writeFileSync(journal, `${changed.join('\n')}\n`);
    const line = changed.length > 10 && changed.at(-1) === '{"chain":"' ? changed.length : 4;
    expect(failure()).toMatchObject({
      code: 'LEDGER_DAMAGED',
      exit: 4,
      where: { file: journal, line },
    });
  });

  it('stops where a record is missing: the answer was paid and is not asked again in silence', () => {
    rmSync(recordPath());
    expect(failure()).toMatchObject({ code: 'LEDGER_DAMAGED', where: { file: journal } });
  });

  it('finds a record that was changed in one byte when it reads it', async () => {
    const path = recordPath();
    writeFileSync(path, readFileSync(path, 'utf8').replace('A,B,C', 'A,B,D'));
    const ledger = await openLedger(dir);
    const cell = path.split('/').at(-1)!.slice(0, 64);
    expect(() => ledger.get(cell)).toThrow(/content and artifact_sha256 differ/);
    await ledger.close();
  });

  it('stops at a record that lies under another name', () => {
    const path = recordPath();
    renameSync(path, path.replace(/-[0-9a-f]{64}\.json$/, `-${'0'.repeat(64)}.json`));
    expect(failure()).toMatchObject({ exit: 4 });
  });

  it('stops at a record that says it is five gigabytes long, and reads none of it', async () => {
    const path = recordPath();
    truncateSync(path, 5e9);
    const ledger = await openLedger(dir);
    const cell = path.split('/').at(-1)!.slice(0, 64);
    expect(() => ledger.get(cell)).toThrow(/has 5000000000 bytes, a record at most 67108864/);
    await ledger.close();
  });

  it('stops at a second record of a cell that claims to replace nothing', async () => {
    const other = freshFolder();
    const ledger = await openLedger(other);
    const record = ledger.compose(bindings[0]!, answerDraft('FINAL_SELECTION: D,E,F'));
    await ledger.putRecord(record);
    await ledger.close();
    const name = `${record.cell}-${record.artifact_sha256}.json`;
    const block = layout.block(other, 'primary', record.slot);
    writeFileSync(join(layout.block(dir, 'primary', record.slot), name), readFileSync(join(block, name)));
    expect(failure()).toMatchObject({ code: 'LEDGER_CONFLICT', exit: 4 });
  });

  it('stops at a folder that no ledger has', () => {
    mkdirSync(join(dir, 'records', 'primary', bindings[0]!.slot, 'copy'));
    expect(failure()).toMatchObject({ code: 'LEDGER_DAMAGED' });
  });
});

describe('a journal whose digests hold but which something else wrote', () => {
  it.each([
    ['an unknown event', { type: 'score_written', score: 1 }, /unknown type "score_written"/],
    ['no type', { hello: 1 }, /the event has no type/],
    [
      'a record without a status',
      { type: 'record_written', cell: 'a'.repeat(64) },
      /record_written\.record_sha256: a text expected/,
    ],
    [
      'a schedule of nothing',
      { type: 'schedule_declared', phase: 'primary', counts: 7 },
      /schedule_declared\.manifest_sha256: a text expected/,
    ],
  ])('stops the next writer at its line: %s', (_, event, message) => {
    const all = lines();
    const { chain } = scanJournal(journal, () => undefined);
    const { line } = encodeLine({ ...event, at: 'now' } as unknown as JournalEvent, chain);
    appendFileSync(journal, `${line}\n`);
    expect(failure()).toMatchObject({
      code: 'LEDGER_DAMAGED',
      exit: 4,
      message: expect.stringMatching(message),
      where: { file: journal, line: all.length + 1 },
    });
  });

  it('cannot have a begun cell sealed that has no binding', async () => {
    const { chain } = scanJournal(journal, () => undefined);
    const event = {
      type: 'request_started',
      cell: 'b'.repeat(64),
      attempt_id: 'x',
      attempt_index: 0,
    };
    const { line } = encodeLine({ ...event, at: 'now' } as JournalEvent, chain);
    appendFileSync(journal, `${line}\n`);
    const ledger = await openLedger(dir);
    await expect(sealAmbiguous(ledger, { recordedAt: 'now' })).rejects.toMatchObject({
      code: 'LEDGER_DAMAGED',
    });
    await ledger.close();
  });
});

describe('a folder that is taken for a ledger', () => {
  it('is refused when a record in it is a link', () => {
    const path = recordPath();
    renameSync(path, join(dir, 'elsewhere.json'));
    symlinkSync(join(dir, 'elsewhere.json'), path);
    expect(failure()).toMatchObject({ code: 'LEDGER_DAMAGED', where: { file: path } });
  });

  it('is not begun among other files', async () => {
    const other = freshFolder();
    writeFileSync(join(other, 'notes.txt'), 'mine');
    await expect(openLedger(other)).rejects.toThrow(/not a ledger and not empty: it holds notes.txt/);
    expect(readdirSync(other)).toEqual(['notes.txt']);
  });
});

describe('what a stopped writer leaves', () => {
  it('is completed: a record without its journal line is entered, not asked again', async () => {
    const kept = lines().slice(0, -1);
    writeFileSync(journal, `${kept.join('\n')}\n`);
    expect(viewLedger(dir).adopted).toHaveLength(1);
    const ledger = await openLedger(dir);
    expect(ledger.notes.join()).toMatch(/entered 1 records/);
    expect(pendingCells(ledger.state, bindings)).toMatchObject({ completed: 3, pending: [] });
    expect(ledger.totals().cost_micros).toBe(4500);
    await ledger.close();
    expect(viewLedger(dir).adopted).toHaveLength(0);
  });

  it('is removed where it is a temporary file, by the next writer and not by a reader', async () => {
    const path = join(layout.block(dir, 'primary', bindings[0]!.slot), `.${'a'.repeat(18)}.tmp`);
    writeFileSync(path, 'half a rec');
    expect(viewLedger(dir).temporary).toEqual([path]);
    await (await openLedger(dir)).close();
    expect(viewLedger(dir).temporary).toEqual([]);
  });
});
