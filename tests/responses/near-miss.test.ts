import { describe, expect, it } from 'vitest';
import { choiceIndex } from '../../src/responses/choices.js';
import { nearMiss } from '../../src/responses/near-miss.js';
import { readText } from '../../src/responses/parser.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';

const choices = choiceIndex(['oat', 'rye', 'rice', 'corn', 'teff', 'spelt', 'millet', 'barley']);

/** What the parser says, and what a lenient reader would take and why. */
function read(text: string): [string, string] | undefined {
  const { code } = readText(text, choices, 'v4');
  expect(code).toBeLessThan(0);
  const found = nearMiss(text, code, choices);
  return found && [found.kind, PORTFOLIOS[found.action]!];
}

describe('near misses', () => {
  it.each([
    ['reasoning', 'ACF', '<think>\nFINAL_SELECTION: A,C,F\nor perhaps'],
    ['reasoning', 'ACF', '<think>FINAL_SELECTION: A,C,F</think>\nDone.'],
    ['marker', 'ACF', 'Final answer: F, C, A'],
    ['marker', 'ABC', '**Final Selection:** oat, rye, rice'],
    ['emphasis', 'ACF', 'FINAL_SELECTION: **A**, **C**, **F**'],
    ['latex', 'ACF', 'FINAL_SELECTION: \\boxed{A,C,F}'],
    ['latex', 'ACF', 'FINAL_SELECTION: $\\boxed{\\text A, C, F}$'],
    ['brackets', 'ACF', 'FINAL_SELECTION: [A, C, F]'],
    ['brackets', 'ACF', 'FINAL_SELECTION: "A", "C", "F"'],
    ['names', 'ACF', 'FINAL_SELECTION: A (oat), C (rice), F (spelt)'],
    ['names', 'ACF', 'FINAL_SELECTION: A. oat, C. rice, F. spelt'],
    ['names', 'ACD', 'FINAL_SELECTION: oats, rice and corn'],
    ['trailing', 'ACF', 'FINAL_SELECTION: A,C,F.'],
    ['trailing', 'ACF', 'FINAL_SELECTION: A, C, F because they are soft'],
    ['trailing', 'ACF', 'FINAL_SELECTION: oat, rice, spelt.'],
    ['separators', 'ACF', 'FINAL_SELECTION: A C F'],
    ['separators', 'ACF', 'FINAL_SELECTION: ACF'],
    ['separators', 'ACF', 'FINAL_SELECTION: A / C / F'],
    ['list', 'ACF', 'FINAL_SELECTION:\n- A\n- C\n- F'],
    ['list', 'ACF', 'FINAL_SELECTION:\n1. oat\n2. rice\n3. **spelt**'],
    ['several', 'ACF', 'FINAL_SELECTION: **[A; C; F].**'],
    ['latex', 'ACF', 'So the answer is \\boxed{A,C,F}.'],
  ])('calls a selection that only %s hides by that, %s: %j', (kind, selection, text) => {
    expect(read(text)).toEqual([kind, selection]);
  });

  it.each([
    'I cannot choose.',
    'A, B and C are all fine.',
    'FINAL_SELECTION: A, A, C',
    'FINAL_SELECTION: A,B',
    'FINAL_SELECTION: A,B,C,D',
    'FINAL_SELECTION: water, salt, air',
    'FINAL_SELECTION: A,B,C\nFINAL_SELECTION: A,B,D',
  ])('finds nothing where three candidates are not named: %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('stays linear in hostile texts', () => {
    for (const text of [
      'final '.repeat(200_000),
      '('.repeat(1_000_000),
      `FINAL_SELECTION: ${'A,'.repeat(500_000)}`,
      '\\boxed{'.repeat(150_000),
    ]) {
      const begun = process.cpuUsage();
      nearMiss(text, -1, choices);
      expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000);
    }
  });
});
