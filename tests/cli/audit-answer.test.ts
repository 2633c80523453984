import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/cli/table-text.js';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'answer-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Writes a wide table and asks for its answer. */
async function answer(names: readonly string[], rows: readonly (readonly number[])[], ...options: readonly string[]) {
  const path = join(dir, 'scores.csv');
  const line = (name: string, row: readonly number[]) => `"${name.replaceAll('"', '""')}",${row.join()}`;
  const head = `model,${rows[0]!.map((_, t) => `t${t}`).join()}`;
  writeFileSync(path, `${[head, ...names.map((name, m) => line(name, rows[m]!))].join('\n')}\n`);
  // Half a million pairs take their time.
  const sizes = names.length < 1000 ? ['--draws', '200', '--flips', '2000'] : ['--draws', '40', '--flips', '50'];
  const { code, stdout, stderr } = await cliInline([path, ...sizes, ...options]);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  return { lines, text: lines.map((text) => text.trim()).join(' ') };
}

const tasks = Array.from({ length: 60 }, (_, t) => t);
const skilled = (share: number, shift = 0) => tasks.map((t) => Number((t * 37 + shift) % 60 < share * 60));
const long = (end: string) => `vendor/${'very-'.repeat(60)}${end}`;

const CASES: Readonly<Record<string, readonly [names: readonly string[], rows: readonly (readonly number[])[]]>> = {
  'one model': [['alone'], [skilled(0.5)]],
  'two models apart': [
    ['up', 'down'],
    [skilled(0.9), skilled(0.2)],
  ],
  'two models of equal scores': [
    ['x', 'y'],
    [skilled(0.5), skilled(0.5, 7)],
  ],
  'three identical models': [
    ['x', 'y', 'z'],
    [skilled(0.5), skilled(0.5), skilled(0.5)],
  ],
  'one task': [
    ['x', 'y'],
    [[1], [0]],
  ],
  'four tasks, all won': [
    ['x', 'y'],
    [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
  ],
  'a thousand models': [
    Array.from({ length: 1000 }, (_, m) => `m${m}`),
    Array.from({ length: 1000 }, (_, m) => [0, 1, 2].map((t) => (m * 13 + t * 5) % 2)),
  ],
  'names of control characters': [
    ['a\u001b[31mb', 'c\u202ed'],
    [skilled(0.5), skilled(0.45, 9)],
  ],
  'names of 300 letters': [
    [long('one'), long('two'), long('three')],
    [skilled(0.6), skilled(0.55, 9), skilled(0.5, 11)],
  ],
};

describe.each(Object.entries(CASES))('the answer over %s', (_, [names, rows]) => {
  const many = names.length === 1000;

  it('is at most ten lines, and with the table below it on request nothing is wider than 80 columns', async () => {
    for (const table of many ? [true] : [false, true]) {
      const { lines } = await answer(names, rows, ...(table ? ['--table'] : []));
      for (const line of lines) {
        expect(columnsOf(line)).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
      const end = lines.indexOf('');
      expect(table ? end : lines.length).toBeLessThanOrEqual(10);
      expect(lines[0]).toContain(`${many ? '1,000' : names.length} model`);
      if (table) expect(lines.slice(end).join('\n')).toMatch(/^ *rank .*model/m);
      else expect(lines.join(' ')).toContain('Next: --table');
    }
  });
});

describe('what the answer says', () => {
  it('is certain where the data are', async () => {
    const { text } = await answer(...CASES['two models apart']!);
    expect(text).toContain('up is best: told apart from every other model');
    expect(text).not.toContain('open');
  });

  it('gives no number of tasks where scores are equal', async () => {
    const { text } = await answer(...CASES['two models of equal scores']!);
    expect(text).toContain('x and y share the highest score');
    expect(text).toContain('x and y: equal scores, no number is known');
  });

  it('says that no scores could have told two models apart', async () => {
    const { text } = await answer(...CASES['four tasks, all won']!);
    expect(text).toContain(
      'No scores on 4 tasks could tell these two models apart: it takes at least 6 in which two differ.',
    );
  });

  it('compares nothing where there is one model', async () => {
    const { text } = await answer(...CASES['one model']!);
    expect(text).toContain('One model: there is nothing to compare.');
    expect(text).not.toMatch(/open|power|apart/);
  });

  it('names models by both ends of long names, and differently', async () => {
    const { text } = await answer(...CASES['names of 300 letters']!);
    expect(text).toMatch(/vendor.{0,40}…\S*one/);
    expect(text).toMatch(/…\S*two/);
  });

  it('shows the difference that these tasks would miss', async () => {
    const rows = [skilled(0.6), skilled(0.5, 31), skilled(0.45, 11)];
    const { text } = await answer(['a', 'b', 'c'], rows);
    expect(text).toMatch(
      /These 60 tasks would miss a true difference below about 0\.\d+ between two typical neighbours more than once in five\./,
    );
  });
});
