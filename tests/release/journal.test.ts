import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/ledger/journal-event.js';
import { CHAIN_START, encodeLine } from '../../src/ledger/journal-line.js';
import { proveJournal, releasedJournal } from '../../src/release/journal.js';

const AT = '2026-01-02T03:04:05.000Z';
const EVENTS: readonly JournalEvent[] = [
  { at: AT, type: 'ledger_created', schema: 'flavourbench-journal/1' },
  { at: AT, type: 'lock_taken_over', previous: { host: 'kitchen-7', pid: 42 } },
  { at: AT, type: 'scores_inspected', stamp_sha256: 'ab'.repeat(32) },
];

function journal(events: readonly JournalEvent[]): { text: string; head: string } {
  let head = CHAIN_START;
  const lines = events.map((event) => {
    const { line, chain } = encodeLine(event, head);
    head = chain;
    return `${line}\n`;
  });
  return { text: lines.join(''), head };
}

describe('a journal in a release', () => {
  const { text, head } = journal(EVENTS);
  const released = releasedJournal(text);

  it('names no host and keeps the chain', () => {
    expect(text).toContain('kitchen-7');
    expect(released).not.toContain('kitchen-7');
    expect(released.split('\n').map((line) => line.slice(0, 74))).toEqual(
      text.split('\n').map((line) => line.slice(0, 74)),
    );
    expect(proveJournal(Buffer.from(released), 'attempts.jsonl')).toMatchObject({
      lines: 3,
      withheld: 1,
      head,
    });
  });

  it('leaves a torn last line out', () => {
    expect(releasedJournal(`${text}{"chain":"00`)).toBe(released);
  });

  it('keeps every other event as it was', () => {
    const plain = journal(EVENTS.filter(({ type }) => type !== 'lock_taken_over')).text;
    expect(releasedJournal(plain)).toBe(plain);
    const said = journal([{ at: AT, type: 'ledger_created', schema: '"type":"lock_taken_over"' }]);
    expect(releasedJournal(said.text)).toBe(said.text);
  });

  it('names the line that was changed, dropped, moved or cut', () => {
    const lines = released.trimEnd().split('\n');
    const of = (kept: readonly (string | undefined)[]) => () =>
      proveJournal(Buffer.from(`${kept.join('\n')}\n`), 'attempts.jsonl');
    expect(of([lines[0]?.replace('/1', '/2'), lines[1], lines[2]])).toThrow('line 1: differs');
    expect(of([lines[0], lines[2]])).toThrow('line 2: does not follow');
    expect(of([lines[1], lines[0], lines[2]])).toThrow('line 1: does not follow');
    expect(of([lines[0], '{}'])).toThrow('line 2: is not a journal line');
    expect(() => proveJournal(Buffer.from(released.slice(0, -3)), 'attempts.jsonl')).toThrow('is cut off');
  });
});
