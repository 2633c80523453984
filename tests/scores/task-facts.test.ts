import { describe, expect, it } from 'vitest';
import { isTaskFact } from '../../src/scores/fact-names.js';
import { readScoreText, refusal } from '../support/score-text.js';

const turned = (name: string) => `task,${name},a,b\nt,3,1,0\nu,2,0,1\nv,9,1,1\n`;

describe('facts about tasks beside models (reading 1.12)', () => {
  it.each([
    'weight',
    'Task Weight',
    'difficulty',
    'n_samples',
    '# items',
    'Number of questions',
    'support',
    'max_score',
    'Max. score'.replace('.', ''),
    'year',
  ])('are no models, and that is said: %s', async (name) => {
    const { matrix, reading, warnings } = await readScoreText(turned(name));
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['t', 'u', 'v'],
      [1, 0, 1, 0, 1, 1],
    ]);
    expect(reading.text).toContain(`left out: ${name}`);
    expect(warnings[0]).toContain(
      `"${name}" is called as a fact about tasks is and left out: if it is a model, give it another name`,
    );
    expect(warnings[0]?.includes('all tasks of a family weigh the same')).toBe(/weight/i.test(name));
  });

  it.each(['Qwen-Max', 'gpt-4', 'human', 'random', 'base', 'MiniMax', 'large', 'Yi'])(
    'are not called as models are: %s',
    async (name) => {
      expect(isTaskFact(name)).toBe(false);
      expect((await readScoreText(turned(name))).matrix.models).toEqual([name, 'a', 'b']);
    },
  );

  it('that stand in a row of a table with a row a model are named', async () => {
    const { matrix, warnings } = await readScoreText('model,t,u\na,1,0\nb,0,1\nmax_score,1,1\n');
    expect(matrix.models).toEqual(['a', 'b', 'max_score']);
    expect(warnings).toEqual(['"max_score" is compared as a model; if it is a fact about tasks, --without max_score']);
  });

  it.each([
    ['std', '"std" is compared as a model; if it is a summary, --without std'],
    ['25%', '"25%" is compared as a model; if it is a summary, --without 25%'],
  ])('and rows of a description of the table are named too: %s', async (name, words) => {
    expect((await readScoreText(`model,t,u\na,1,0\nb,0,1\n${name},1,1\n`)).warnings).toEqual([words]);
  });

  it.each(['category', 'Group', 'domain'])(
    'that sort models into kinds count as tasks, and that is said: %s',
    async (name) => {
      const { matrix, warnings } = await readScoreText(`system,${name},t,u,v\na,1,1,0,1\nb,2,0,1,0\nc,1,1,1,0\n`);
      expect(matrix.tasks).toEqual([name, 't', 'u', 'v']);
      expect(warnings[0]).toBe(
        `"${name}" counts as a task and is called as facts about models or summaries are; if no task, --drop ${name}`,
      );
    },
  );

  it('that weigh the tasks of a table with a row a cell are not used, and that is said', async () => {
    const { matrix, warnings } = await readScoreText('model,task,value,weight\na,t,1,2\na,u,0,1\nb,t,0,2\nb,u,1,1\n');
    expect([...matrix.values]).toEqual([1, 0, 0, 1]);
    expect(warnings).toEqual(['"weight" is left out: all tasks of a family weigh the same']);
  });
});

describe('numbers that name the rows of a model together with it', () => {
  it('are offered where a model stands in several rows', async () => {
    const table = 'model,shots,t,u\na,0,1,0\na,5,1,1\nb,0,0,0\nb,5,0,1\n';
    const { code, hint } = await refusal(table);
    expect([code, hint]).toEqual([
      'CELL_DUPLICATE',
      'The rows differ in "shots": --attempt-column shots if it counts repeats, --model-column model,shots if it is part of the name; else keep one row.',
    ]);
    const joined = await readScoreText(table, { modelColumn: 'model,shots' });
    expect([joined.matrix.models.length, joined.matrix.tasks]).toEqual([4, ['t', 'u']]);
  });
});
