import { describe, expect, it } from 'vitest';
import { readScoreText, refusal } from '../support/score-text.js';

describe('a number that a model has beside its name', () => {
  it.each(['model_id', 'Model ID', 'system id'])('is no task: %s', async (name) => {
    const { matrix, reading } = await readScoreText(
      `${name},model_name,MMLU,ARC\n7,a,61,71\n20,b,55,66\n33,c,50,60\n`,
      {
        modelColumn: 'model_name',
      },
    );
    expect([matrix.models, matrix.tasks]).toEqual([
      ['a', 'b', 'c'],
      ['MMLU', 'ARC'],
    ]);
    expect(reading.text).toContain(`left out: ${name}`);
  });

  it('is found without an option, and taken where it is asked for', async () => {
    const table = 'model_id,Model,MMLU,ARC\n7,a,61,71\n20,b,55,66\n';
    expect((await readScoreText(table)).matrix.tasks).toEqual(['MMLU', 'ARC']);
    expect((await readScoreText(table, { only: ['model_id', 'ARC'] })).matrix.tasks).toEqual(['model_id', 'ARC']);
  });
});

describe('a table of questions by models whose only texts are labels', () => {
  it.each([
    ['qid,gpt,claude,subject\n1,8,7,math\n2,6,9,bio\n3,7,7,chem\n', 'qid', 'subject'],
    ['prompt_id,gpt,claude,winner\n1,8,7,gpt\n2,6,9,claude\n3,7,7,tie\n', 'prompt_id', 'winner'],
    ['id,gpt,claude,note\n1,8,7,good\n2,6,9,bad\n3,7,7,so so\n', 'id', 'note'],
    ['qid,gpt,claude,who\n1,8,7,x\n2,6,9,y\n3,7,7,z\n', 'qid', 'who'],
  ])('is asked about, and read as the call says: %j', async (text, task, label) => {
    const { code, hint } = await refusal(text);
    expect(code).toBe('SCHEMA_INVALID');
    expect(hint).toBe(
      `Where rows are tasks and columns models: --task-column ${task}; where it names the models: --model-column ${label}.`,
    );
    const { matrix } = await readScoreText(text, { taskColumn: task });
    expect([matrix.models, matrix.tasks]).toEqual([
      ['gpt', 'claude'],
      ['1', '2', '3'],
    ]);
    expect((await readScoreText(text, { modelColumn: label })).matrix.models).toHaveLength(3);
  });

  it.each(['name', 'team', 'who', 'lab'])('is told from one whose texts may be models: %s', async (name) => {
    const { matrix } = await readScoreText(`id,${name},t,u\n1,x,1,0\n2,y,0,1\n`);
    expect(matrix.models).toEqual(['x', 'y']);
  });
});

describe('columns that measure the measurement', () => {
  it.each(['ci_low,ci_high', '95% CI low,95% CI high', 'fit_time,score_time', 'lower,upper'])(
    'are named: %s',
    async (names) => {
      const { warnings } = await readScoreText(
        `model,accuracy,${names}\na,0.8,0.75,0.85\nb,0.7,0.65,0.75\nc,0.6,0.55,0.65\n`,
      );
      const [low, high] = names.split(',');
      expect(warnings).toEqual([
        expect.stringContaining(
          `"${low}", "${high}" count as tasks and are called as facts about models or summaries are`,
        ),
      ]);
    },
  );
});

describe('a table of models against models', () => {
  const names = ['a', 'b', 'c'];
  const wide = `model,${names.join()}\n${names.map((name, i) => `${name},${names.map((_, j) => 50 + 10 * (j - i)).join()}`).join('\n')}\n`;
  const long = `model,task,value\n${names.flatMap((one) => names.map((two) => `${one},${two},1`)).join('\n')}\n`;

  it.each([
    ['a row a model', wide],
    ['in another order', wide.replace('model,a,b,c', 'model,c,b,a')],
    ['a row a pair', long],
  ])('holds no scores on tasks: %s', async (_, text) => {
    expect(await refusal(text)).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('rows and columns have the same names'),
    });
  });

  it('is told from one in which some names are alike', async () => {
    expect((await readScoreText('model,a,b,d\na,1,0,1\nb,0,1,1\nc,1,1,1\n')).matrix.tasks).toEqual(['a', 'b', 'd']);
  });
});
