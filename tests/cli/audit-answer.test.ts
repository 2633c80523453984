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

describe('what the answer asks about a table', () => {
  /** Answers a table that stands in a text. */
  const over = async (text: string, ...options: readonly string[]) => {
    const path = join(dir, 'table.csv');
    writeFileSync(path, text);
    const { code, stdout, stderr } = await cliInline([path, '--draws', '100', '--flips', '200', ...options]);
    expect([code, stderr]).toEqual([0, '']);
    return stdout.trimEnd().split('\n');
  };
  const names = Array.from({ length: 20 }, (_, m) => `model-${m}`);

  it('whose values may be ranks, of which the least is best', async () => {
    const ranks = (shift: number) => names.map((_, m) => ((m + shift) % 20) + 1);
    const columns = [ranks(0), ranks(1), ranks(2)];
    const table = (add: number) =>
      `model,easy,hard,code\n${names.map((name, m) => [name, ...columns.map((column) => column[m]! + add)].join()).join('\n')}\n`;
    const lines = (await over(table(0))).join(' ');
    expect(lines).toContain('are these ranks? the greatest counts as best;');
    expect((await over(table(9))).join(' ')).not.toContain('ranks?');
    const grades = names.map((name, m) => `${name},${(m % 5) + 1},${(m % 4) + 1}`).join('\n');
    expect((await over(`model,easy,hard\n${grades}\n`)).join(' ')).not.toContain('ranks?');
  });

  it('with a column that is called as what is better when it is lower', async () => {
    const wide = 'model,lambada_ppl,boolq\na,3.1,0.5\nb,4.2,0.6\nc,3.9,.7\n';
    expect((await over(wide)).join(' ')).toContain('is lambada_ppl better when lower? the greater counts as better');
    const long = 'model,task,loss\na,t,0.5\na,u,0.6\nb,t,0.6\nb,u,0.2\n';
    expect((await over(long, '--value-column', 'loss')).join(' ')).toContain('is loss better when lower?');
    expect((await over(wide.replace('lambada_ppl', 'glossary'))).join(' ')).not.toContain('lower?');
  });

  it('two of whose names look alike', async () => {
    const lines = (await over('model,t,u\nz\u200b,1,0\nz,0,1\n')).join(' ');
    expect(lines).toContain('Next: are "z\\u200b" and "z" (characters without width) one model? --table');
    const long = 'm'.repeat(60);
    expect((await over(`model,t,u\n${long},1,0\n${long} ,0,1\n`)).join(' ')).toContain('Next: some names look alike;');
    expect((await over('model,t,u\nz,1,0\ny,0,1\n')).join(' ')).not.toContain('look alike');
  });

  it('a column of which holds the scale back: said with the largest change, and one way out', async () => {
    const lines = await over('model,stamp,t,u\na,3000000000.25,.5,1\nb,1,.25,.3\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.join(' ')).toContain('0 to 3000000000 (rounded by up to 0.5), from model /');
    expect(lines.join(' ').match(/--drop stamp/g)).toHaveLength(1);
  });

  it('keeps what the scores are from in the line of what was read, where it is short of places', async () => {
    const facts = ['organization', 'licence', 'knowledge cutoff'];
    const rows = names.map((name, m) =>
      [m + 1, name, 1400.5 - 8 * m, ...facts.map((fact) => `${fact} ${m % 3}`), 9000 + m].join(),
    );
    const lines = await over(`rank,model,arena_score,${facts.join()},votes\n${rows.join('\n')}\n`);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines[0]).toMatch(/^20 models x 2 tasks, 1248\.5 to 9019, from model \/ .*votes; left out: 4 columns\.$/);
  });
});
