import { describe, expect, it } from 'vitest';
import { besideNumber } from '../../src/scores/beside-numbers.js';
import { readScoreText, refusal } from '../support/score-text.js';

describe('a cell that holds a number with something beside it', () => {
  it.each([
    ['83.1 ± 0.4', '83.1'],
    ['83.1±.4%', '83.1'],
    ['83.1 +/- 0.4', '83.1'],
    ['-3 (0.4)', '-3'],
    ['83.1 [82, 84]', '83.1'],
    ['**83.1**', '83.1'],
    ['_83_', '83'],
    ['`83`', '83'],
    ['83.1†', '83.1'],
    ['83 *', '83'],
    ['83.1²', '83.1'],
    ['~83', '83'],
    ['> 83', '83'],
    ['≤0.5', '0.5'],
    ['↑ 83', '83'],
    ['83 ▼', '83'],
    ['<b>83</b>', '83'],
    ['83<sup>a</sup>', '83'],
    ['83.1% (+2)', '83.1%'],
    ['48/50', '0.96'],
    ['3 of 4', '0.75'],
  ])('%s: it is %s', (text, number) => {
    expect(besideNumber(text)).toBe(number);
  });

  it.each([
    '83.1',
    '',
    'n/a',
    '7B',
    '128k',
    '$0.50',
    'v1.2',
    '2024-06-01',
    '12:30',
    'GPT-4',
    '(a)',
    '5/4',
    '1.2.3',
    '1 2',
    '1,000',
  ])('%j is none', (text) => {
    expect(besideNumber(text)).toBeUndefined();
  });

  it('is found in one pass, however its marks stand', () => {
    const start = performance.now();
    for (const mark of ['*', '(', '±1', '<b>', '<sup>', ' ', '†(', '\ufe0f'])
      expect(besideNumber(`${`1${mark.repeat(40)}`.slice(0, 98)}x`)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('a column of such cells (reading 1.12)', () => {
  const wide = (cell: (value: number) => string) => `model,t,u\na,${cell(83.1)},1\nb,${cell(80)},0\nc,${cell(79)},1\n`;

  it.each(['±0.4', '†', ' (0.4)', '/100'])('is no text that is left out: %s', async (mark) => {
    const { code, message, hint } = await refusal(wide((value) => `${Math.round(value)}${mark}`));
    expect([code, message]).toEqual([
      'CELL_NOT_INTEGER',
      expect.stringContaining(`x.csv, line 2: column "t" is "83${mark}"; a number`),
    ]);
    expect(hint).toContain(`Write the number alone, ${mark === '/100' ? '0.83' : '83'};`);
    expect(hint).toContain('--drop t');
  });

  it('is left out where the call says so, or where it is called as a fact', async () => {
    expect(
      (
        await readScoreText(
          wide((value) => `${value}†`),
          { drop: ['t'] },
        )
      ).matrix.tasks,
    ).toEqual(['u']);
    const price = await readScoreText(wide((value) => `~${value}`).replace('model,t', 'model,Params'));
    expect([price.matrix.tasks, price.reading.text]).toEqual([['u'], expect.stringContaining('left out: Params')]);
  });

  it('of a few such cells among other texts is a text', async () => {
    const table = 'model,note,t\na,83†,1\nb,new,0\nc,old,1\n';
    expect((await readScoreText(table)).matrix.tasks).toEqual(['t']);
  });

  it('is named where no other column holds values, in either shape', async () => {
    expect((await refusal('model,t\na,83 ± 1\nb,80 ± 1\n')).hint).toContain('Write the number alone, 83;');
    expect((await refusal('model,task,value\na,t,83 ± 1\nb,t,80 ± 1\n')).hint).toContain('Write the number alone, 83;');
  });
});
