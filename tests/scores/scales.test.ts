import { describe, expect, it } from 'vitest';
import { readScoreText, refusal } from '../support/score-text.js';

describe('values finer than any scale (reading 1.13)', () => {
  it('of some tasks are named, with the change', async () => {
    const { warnings, matrix } = await readScoreText('model,t,u,v\na,3.4e-10,1,0\nb,2.6e-10,0,1\nc,1e-10,1,1\n');
    expect(matrix.tasks).toEqual(['t', 'u', 'v']);
    expect(warnings).toContain(
      'values of "t" are rounded by up to 3.4e-10, which blurs them: nothing finer than 1e-9 points is held; write them in a smaller unit',
    );
  });

  it('are refused where no task keeps a difference, and read where they are none', async () => {
    const tiny = await refusal('model,t,u\na,5e-12,1e-300\nb,1e-12,5e-324\n');
    expect(tiny).toMatchObject({ code: 'BOUND_EXCEEDED', message: expect.stringContaining('less than is held') });
    expect((await readScoreText('model,t,u\na,5,1\nb,1,1\n')).warnings).toEqual([]);
    expect((await readScoreText('model,t,u\na,1e-12,1e-12\nb,1e-12,1e-12\n')).matrix.models).toEqual(['a', 'b']);
  });
});

describe('points before three digits where semicolons separate', () => {
  const table = (...cells: readonly string[]) => `model;t;u\n${cells.map((cell, i) => `m${i};${cell};1\n`).join('')}`;

  it('beside whole numbers of three digits are refused: they mean two things', async () => {
    expect(await refusal(table('1.234', '1.111', '999'))).toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: 'x.csv: column "t" holds "1.234" and "999": the point may separate thousands or decimals',
      hint: expect.stringContaining('Leave out points'),
    });
  });

  it.each([[['1.234', '1.111', '2']], [['0.234', '999', '1.111']], [['1.234', '1.5', '999']], [['999', '1000', '3']]])(
    'are decimals in %j',
    async (cells) => {
      expect((await readScoreText(table(...cells))).matrix.models).toHaveLength(3);
    },
  );
});

describe('tasks of unlike ranges (reading 1.12)', () => {
  it('are not called far outside where half of them would be', async () => {
    for (const text of ['model,A,B\na,90.1,80.2\nb,91.1,82.2\n', 'model,A,B,C\na,3.1,3,10\nb,4.5,4.4,10\nc,4,4,9\n'])
      expect((await readScoreText(text)).warnings.filter((words) => words.includes('outside'))).toEqual([]);
  });

  it('one of which is far from all others is named', async () => {
    const { warnings } = await readScoreText('model,A,B,C,D\na,0.1,0.3,0.5,900\nb,0.4,0.2,0.7,400\n');
    expect(warnings).toEqual([expect.stringContaining('task "D" reaches from 400 to 900')]);
  });
});
