import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rateLine } from '../../src/cli/commands/rescore/rate.js';
import { endTerminal, terminalWrites } from '../support/stderr-terminal.js';

let written: string[];

beforeEach(() => {
  written = terminalWrites();
});
afterEach(() => {
  endTerminal();
});

/** What the line shows after so many seconds more. */
function shownAfter(seconds: number, line: ReturnType<typeof rateLine>, rows: number, megabytes: number, more = {}) {
  vi.advanceTimersByTime(seconds * 1000);
  line.update({ rows, bytes: megabytes * 1e6, passedOver: false, ...more });
  return written.at(-1)?.split('] ').at(-1);
}

describe('the line of a batch', () => {
  it('shows rows, rows and megabytes a second, and the time left', () => {
    const line = rateLine(100e6);
    expect(shownAfter(4, line, 100_000, 20)).toBe('100,000 rows 25,000 rows/s 5 MB/s 16s left');
    expect(shownAfter(1, line, 500_000, 100)).toBe('500,000 rows 100,000 rows/s 20 MB/s 0s left');
    line.stop();
  });

  it('takes parts that were done before for no speed: their rows count, their time does not', () => {
    const line = rateLine(100e6);
    expect(shownAfter(2, line, 300_000, 60, { passedOver: true })).toBe('300,000 rows done before');
    expect(shownAfter(4, line, 400_000, 80)).toBe('400,000 rows 25,000 rows/s 5 MB/s 4s left');
    line.stop();
  });

  it('says no time left where the size is not known, as of a pipe, and who works elsewhere', () => {
    const line = rateLine(0);
    expect(shownAfter(4, line, 100_000, 20, { who: '2 workers' })).toBe(
      '\r\u001b[K100,000 rows 25,000 rows/s 5 MB/s 2 workers',
    );
    line.stop();
  });
});
