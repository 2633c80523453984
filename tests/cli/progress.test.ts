import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { barText, clearProgress, progress, stages, timeLeft } from '../../src/cli/progress.js';
import { endTerminal, terminalWrites } from '../support/stderr-terminal.js';

let written: string[];

/** Lets the clock go on to a time, milliseconds from the start of the test. */
const wait = (until: number) => vi.advanceTimersByTime(until - performance.now());

beforeEach(() => {
  written = terminalWrites();
});
afterEach(() => {
  clearProgress();
  endTerminal();
});

describe('the line of a long work', () => {
  it('appears after two seconds, at most ten times a second, and goes when the work ends', () => {
    const line = progress('answers.jsonl', 'bytes');
    wait(1999);
    line.update(10, 100);
    expect(written).toEqual([]);
    wait(2000);
    line.update(25, 100);
    expect(written).toEqual([`\r\u001b[Kanswers.jsonl [${'='.repeat(6)}${' '.repeat(18)}] 25/100 bytes 6s left`]);
    wait(2099);
    line.update(26, 100);
    expect(written).toHaveLength(1);
    wait(2100);
    line.update(30, 100);
    expect(written).toHaveLength(2);
    line.stop();
    line.stop();
    expect(written.slice(2)).toEqual(['\r\u001b[K']);
  });

  it('is not written where standard error is no terminal', () => {
    process.stderr.isTTY = false;
    const line = progress('answers.jsonl', 'bytes');
    wait(9000);
    line.update(25, 100);
    line.stop();
    expect(written).toEqual([]);
  });

  it('shows the stage at hand, and passes over calls of the engine once the work tells of its rounds', () => {
    const { onProgress, onCall, stop } = stages();
    wait(3000);
    onCall('sign flips', 1, 4);
    onProgress('data sets', 1, 2);
    onCall('bootstrap draws', 1, 4);
    expect(written.map((text) => /\[K([a-z ]+) \[/.exec(text)?.[1])).toEqual(['sign flips', 'data sets']);
    stop();
  });

  it('writes how long it will take as hours, minutes or seconds', () => {
    expect([59.4, 60, 3599.6, 7322, Number.NaN].map(timeLeft)).toEqual(['59s', '1m0s', '1h0m', '2h2m', '-']);
  });

  it('never overflows its bar', () => {
    expect([-1, 0.5, 2].map(barText)).toEqual([
      `[${' '.repeat(24)}]`,
      `[${'='.repeat(12)}${' '.repeat(12)}]`,
      `[${'='.repeat(24)}]`,
    ]);
  });
});
