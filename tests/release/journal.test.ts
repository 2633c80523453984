import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import type { JournalEvent } from '../../src/ledger/journal-event.js';
import { CHAIN_START, encodeLine } from '../../src/ledger/journal-line.js';
import { linesWithHosts, proveJournal, releasedJournal, standingAt } from '../../src/release/journal.js';

const AT = '2026-01-02T03:04:05.000Z';
const EVENTS = [
  { at: AT, type: 'ledger_created', schema: 'flavourbench-journal/1' },
  { at: AT, type: 'lock_taken_over', previous: { host: 'kitchen-7', pid: 42 } },
  { at: AT, type: 'scores_inspected', stamp_sha256: 'ab'.repeat(32) },
] as const satisfies readonly JournalEvent[];

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

  it('is whole, and its lines that name a host are listed', () => {
    expect(released).toBe(text);
    expect(linesWithHosts(released)).toEqual([2]);
    const said = journal([
      { at: AT, type: 'ledger_created', schema: '"host":"a","type":"lock_taken_over"},"event_sha256":"' },
    ]);
    expect(linesWithHosts(said.text)).toEqual([]);
    expect(proveJournal(Buffer.from(released), 'attempts.jsonl')).toMatchObject({ lines: 3, withheld: 0, head });
  });

  it('has lines counted whose content was left out, as version 0.1.0 did', () => {
    const blank = text.replace(
      JSON.stringify({ at: AT, previous: EVENTS[1]!.previous, type: EVENTS[1]!.type }),
      'null',
    );
    expect(blank).not.toBe(text);
    expect(proveJournal(Buffer.from(blank), 'attempts.jsonl')).toMatchObject({ lines: 3, withheld: 1, head });
  });

  it('is refused where members of an event stand out of order or twice, although every digest holds', () => {
    const proved = (event: string) => {
      const digest = sha256(event);
      const chain = sha256(`${journal([EVENTS[0]]).head}${digest}`);
      const line = `{"chain":"${chain}","event":${event},"event_sha256":"${digest}"}\n`;
      return proveJournal(Buffer.from(`${journal([EVENTS[0]]).text}${line}`), 'attempts.jsonl');
    };
    const previous = '"previous":{"host":"kitchen-7","pid":42}';
    expect(proved(`{"at":"${AT}",${previous},"type":"lock_taken_over"}`).lines).toBe(2);
    for (const event of [
      `{${previous},"at":"${AT}","type":"lock_taken_over"}`,
      `{"at":"${AT}","previous":{"pid":42,"host":"kitchen-7"},"type":"lock_taken_over"}`,
      `{"at":"${AT}","previous":{"host":"another","host":"kitchen-7","pid":42},"type":"lock_taken_over"}`,
      `{"at":"${AT}", ${previous},"type":"lock_taken_over"}`,
    ])
      expect(() => proved(event), event).toThrow('line 2: is not in canonical form');
    const counts = (members: string) => `{"at":"${AT}","previous":{${members}},"type":"lock_taken_over"}`;
    expect(proved(counts('"10":1,"9":2,"a":3,"\u{1f600}":4,"\uffee":5')).lines).toBe(2);
    expect(() => proved(counts('"9":2,"10":1'))).toThrow('line 2: is not in canonical form');
  });

  it('knows how many looks at scores there were by each head of its chain, and no head that it never had', () => {
    const { history } = proveJournal(Buffer.from(released), 'attempts.jsonl');
    const heads = EVENTS.map((_, i) => journal(EVENTS.slice(0, i + 1)).head);
    expect(heads.map((one) => standingAt(history, one))).toEqual([
      { looks: 0, records: 0 },
      { looks: 0, records: 0 },
      { looks: 1, records: 0 },
    ]);
    const between = history.heads.slice(32, 96);
    for (const none of ['', head.slice(1), between, 'ab'.repeat(32)]) expect(standingAt(history, none)).toBeUndefined();
  });

  it('leaves a torn last line out', () => {
    expect(releasedJournal(`${text}{"chain":"00`)).toBe(released);
  });

  it('tells of a line whose time is before that of the line above it, but for those that a merge brings', () => {
    const later = '2026-01-02T03:04:06.000Z';
    const moved = journal([{ ...EVENTS[0]!, at: later }, EVENTS[2]!]);
    expect(proveJournal(Buffer.from(moved.text), 'attempts.jsonl').disordered).toBe(2);
    const merged = journal([
      { ...EVENTS[0]!, at: later },
      { at: later, type: 'merged', sources: [{ head: 'ab' }] },
      EVENTS[2]!,
    ]);
    expect(proveJournal(Buffer.from(merged.text), 'attempts.jsonl').disordered).toBeNull();
    expect(proveJournal(Buffer.from(text), 'attempts.jsonl').disordered).toBeNull();
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
