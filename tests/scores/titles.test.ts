import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readScoreText, refusal } from '../support/score-text.js';
import { type BookCell, workbook } from '../support/workbook.js';

const HEAD = ['Model', 'MMLU', 'ARC'];
const BODY = [
  ['a', 61, 71],
  ['b', 55, 66],
] as const;
const readBook = (rows: readonly (readonly BookCell[])[]) => scoresOf([{ name: 'x.xlsx', bytes: workbook(rows) }]);

describe('comments above a table', () => {
  it.each([
    ['# made by a script\n# on a day\n', 'begins 2 lines of comments', 3],
    ['% results\n', 'is a comment', 2],
    ['// a, b\n', 'is a comment', 2],
  ])('are named with the command that begins below them: %j', async (above, what, line) => {
    const table = 'model,MMLU,ARC\na,61,71\nb,55,66\n';
    const { code, message, hint } = await refusal(`${above}${table}`);
    expect([code, message]).toEqual(['CSV_INVALID', expect.stringContaining(`line 1: ${what}: the first line names`)]);
    expect(hint).toContain(`\`tail -n +${line} x.csv | flavourbench -\``);
  });

  it('are no names that begin with a mark', async () => {
    expect((await readScoreText('#,MMLU\na,61\nb,55\n')).matrix.tasks).toEqual(['MMLU']);
    expect((await readScoreText('#model,MMLU\na,61\nb,55\n')).matrix.tasks).toEqual(['MMLU']);
  });
});

describe('a title above a table', () => {
  it('in text is named with the command that begins below it', async () => {
    const table = `${[HEAD, ...BODY].map((row) => row.join()).join('\n')}\n`;
    const { code, hint } = await refusal(`Results of autumn,,\n,,\n${table}`);
    expect([code, hint]).toEqual(['CSV_INVALID', expect.stringContaining('`tail -n +3 x.csv | flavourbench -`')]);
    const below = `Results of autumn,,\n,,\n${table}`.split('\n').slice(2).join('\n');
    expect((await readScoreText(below)).matrix.tasks).toEqual(['MMLU', 'ARC']);
  });

  it('in a workbook is named with the row that the table begins in', async () => {
    await expect(readBook([['Results of autumn'], [], HEAD, ...BODY])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      hint: expect.stringContaining('If what stands above row 3 is a title'),
    });
    const { matrix } = await readBook([[], HEAD, ...BODY]);
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['MMLU', 'ARC'],
      [61, 71, 55, 66],
    ]);
  });

  it('is told from a row of means below, which is named', async () => {
    const { matrix, warnings } = await readBook([HEAD, ...BODY, ['Average', 58, 68.5]]);
    expect(matrix.models).toEqual(['a', 'b', 'Average']);
    expect(warnings).toEqual([expect.stringContaining('if it is a summary, --without Average')]);
  });
});

describe('a sheet of a workbook', () => {
  it('may begin in any row and column', async () => {
    const { matrix } = await readBook([[], ...[HEAD, ...BODY].map((row) => [null, null, ...row])]);
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['MMLU', 'ARC'],
      [61, 71, 55, 66],
    ]);
    const gap = readBook([HEAD, ...BODY].map((row) => [null, row[0]!, null, ...row.slice(1)]));
    await expect(gap).rejects.toThrow('column 3 of the sheet "Results" is unnamed');
  });

  it('is the first that is not hidden', async () => {
    for (const state of ['hidden', 'veryHidden']) {
      const bytes = workbook([HEAD, ...BODY], {
        hidden: `<sheet name="Notes" sheetId="9" state="${state}" r:id="rId9"/>`,
      });
      const { reading } = await scoresOf([{ name: 'x.xlsx', bytes }]);
      expect(reading.text).toContain(
        '2 models x 2 tasks, 55 to 71 (scale 1), from Model / MMLU, ARC; read as Excel, sheet "Results"',
      );
    }
  });
});

/** Runs the command of a hint over a file, as far as it stands before the program itself. */
function piped(hint: string, text: string): string {
  const [, command] = /`([^`]*) x\.csv \| flavourbench -`/.exec(hint) ?? [];
  expect(command, hint).toBeDefined();
  return spawnSync('sh', ['-c', command!], { input: text, encoding: 'utf8' }).stdout;
}

describe('a table of text that is refused', () => {
  it.each([['without names of columns', 'a,1,0\nb,0,1\nc,1,1\n'.replace('a,1,0', 'a,1,1')]])(
    '%s is read after the command of its hint',
    async (_, text) => {
      const { hint } = await refusal(text);
      const { matrix } = await readScoreText(piped(hint, text));
      expect(matrix.models.slice(0, 2)).toEqual(['a', 'b']);
      expect(matrix.tasks).toHaveLength(2);
      expect([...matrix.values].slice(2, 4)).toEqual([0, 1]);
    },
  );

  it('without names of columns, a row a score, is read after the command of its hint', async () => {
    const text = 'a,t,0.5\na,u,1\nb,t,0\nb,u,1\n';
    const { code, message, hint } = await refusal(text);
    expect([code, message]).toEqual(['SCHEMA_INVALID', expect.stringContaining('they look like a row of values')]);
    const { matrix } = await readScoreText(piped(hint, text));
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['t', 'u'],
      [5, 10, 0, 10],
    ]);
  });

  it('because nothing but numbers stands in it is told what it lacks', async () => {
    const { hint } = await refusal('0.5 1.0 0.25\n0.1 0.7 0.2\n0.3 0.9 0.5\n');
    expect(hint).toBe(
      'Where the first line holds values, put the names of the columns above it, and in each row the name of its model.',
    );
  });

  it('because two lines name its columns is told so, and read without the first', async () => {
    const text = ',value,value\ntask,t,u\nmodel,,\na,1,0\nb,0,1\n';
    expect((await refusal(text)).hint).toContain(
      'Two lines name the columns here: in pandas `df.columns = df.columns.get_level_values(-1)`',
    );
    expect((await refusal('model,t,t\na,1,0\nb,0,1\n')).hint).not.toContain('Two lines');
  });

  it('because names without quotes hold blanks is told that nothing separates its cells', async () => {
    const text = 'model task value\n0 gpt, x t0 0.5\n1 llama 2 t0 0.25\n';
    expect((await refusal(text)).hint).toContain('The first line has no comma, semicolon, tab or bar');
  });

  it('because all its columns describe columns is told that there are no scores', async () => {
    const { message } = await refusal(
      'model,count,mean,std,min,25%,50%,75%,max\na,6,.4,.3,0,.1,.2,.3,.9\nb,6,.5,.3,.1,.1,.2,.3,.8\n',
    );
    expect(message).toContain('are called as summaries or facts about models are');
  });

  it('because its cells hold several values is flat after the command of its hint', async () => {
    const text = '[{"model":"a","scores":{"t":1,"u":0.5}},{"model":"b","scores":{"t":0,"u":0.5}}]';
    const { hint } = await refusal(text);
    expect(hint).toContain(`Make columns of them: \`jq 'map({"model"} + ."scores")' x.csv > flat.json\``);
  });

  it('because it is JSON of objects in objects in objects is described', async () => {
    expect((await refusal('{"a":{"b":{"c":[1,2]}}}')).hint).toBe(
      'The JSON is an object of 1 key, each of which holds an object ("b"), and in these stand objects such as "{\\"c\\":[1,2]}". Give {model: {task: value}}, or a list of rows.',
    );
  });

  it('for commas that separate thousands is told so', async () => {
    expect((await refusal('model,x\na,"1,234"\nb,"1,100"\n')).hint).toContain(
      'Leave out the commas that separate thousands',
    );
  });
});
