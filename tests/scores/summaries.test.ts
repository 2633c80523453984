import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readScoreText, refusal } from '../support/score-text.js';

/** As `pivot_table(margins=True)` of pandas writes a table. */
const MARGINS = 'model,t,u,v,All\na,1,0,0.5,0.5\nb,0,0,1,0.333\nAll,0.5,0,0.75,0.416\n';

describe('margins of a pivoted table (reading 1.12)', () => {
  it.each([
    ['a row a model', MARGINS],
    ['under another name', MARGINS.replaceAll('All', 'Total')],
    ['a row a task', 'task,a,b,All\nt,1,0,0.5\nu,0,0,0\nv,0.5,1,0.75\nAll,0.5,0.333,0.416\n'],
    [
      'a row a cell',
      `model,task,score\n${['a,t,1', 'a,u,0', 'a,v,0.5', 'a,All,0.5', 'b,t,0', 'b,u,0', 'b,v,1', 'b,All,0.333', 'All,t,0.5', 'All,u,0', 'All,v,0.75', 'All,All,0.416'].join('\n')}\n`,
    ],
  ])('are no model and no task, and that is said: %s', async (_, text) => {
    const { matrix, reading, warnings } = await readScoreText(text);
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['t', 'u', 'v'],
      [10, 0, 5, 0, 0, 10],
    ]);
    const name = text.includes('Total') ? 'Total' : 'All';
    expect(reading.text).toContain(`left out: ${name}`);
    expect(warnings).toEqual([`row and column "${name}" are margins, over all others, and left out`]);
  });

  it('go with their row where the column is dropped', async () => {
    expect((await readScoreText(MARGINS, { drop: ['All'] })).matrix.models).toEqual(['a', 'b']);
  });

  it('of which one alone is there are named: a row of that name may be a model', async () => {
    const row = MARGINS.replaceAll(/,[^,\n]*$/gm, '');
    const { matrix, warnings } = await readScoreText(row);
    expect(matrix.models).toEqual(['a', 'b', 'All']);
    expect(warnings).toEqual(['"All" is compared as a model; if it is a summary, --without All']);
  });

  it('a model that is called as a summary is named in a table with a row a cell too', async () => {
    const { warnings } = await readScoreText('model,task,score\na,t,1\na,u,0\nMean,t,0\nMean,u,1\n');
    expect(warnings).toEqual(['"Mean" is compared as a model; if it is a summary, --without Mean']);
  });
});

describe('names of columns in two lines (reading 1.2)', () => {
  it.each([
    ['above different names', ',x,y\n,t,u\na,1,0\nb,0,1\n', 'line 2: names the columns a second time: "t", "u"'],
    ['above a name for the index', 'k,x,y\nl,t,u\nmodel,,\na,1,0\nb,0,1\n', 'line 2: names the columns a second time'],
    ['above one name', 'k,x,x\nl,t,u\nmodel,,\na,1,0\nb,0,1\n', 'line 1: column 3 is a second "x"'],
    ['above two parts of an index', ',,x,x\n,,t,u\nmodel,run,,\na,r,1,0\nb,r,0,1\n', 'line 1: column 2 is unnamed'],
  ])('%s are called that, with the line of pandas that makes one of them', async (_, text, message) => {
    const refused = await refusal(text);
    expect([refused.code, refused.message]).toEqual(['CSV_INVALID', expect.stringContaining(message)]);
    expect(refused.hint).toContain('Two lines name the columns here: in pandas `df.columns = df.columns.get_level_v');
  });

  it('whose lower ones repeat are joined, or one part is taken', async () => {
    const { hint } = await refusal(',score,score,time,time\n,t,u,t,u\na,1,0,7,7\nb,0,1,7,7\n');
    expect(hint).toContain(
      'take one part, `df["score"].to_csv`, or join both, `df.columns = df.columns.map("/".join)`',
    );
  });

  it('are not seen in rows of values or words', async () => {
    const { matrix } = await readScoreText('model,t,u\na,pass,fail\nb,fail,pass\nc,pass,pass\n');
    expect(matrix.models).toEqual(['a', 'b', 'c']);
    const refused = await refusal('model,t,u\na,error,late\nb,1,0\nc,0,1\n');
    expect(refused.message).toContain('line 2: column "t" is "error"');
  });
});

/** Runs the jq of a hint over a file. */
function jq(hint: string, text: string): string {
  const [, command] = /`(jq [^`]*) x\.csv > \w+\.json`/.exec(hint) ?? [];
  expect(command, hint).toBeDefined();
  return spawnSync('sh', ['-c', command!], { input: text, encoding: 'utf8' }).stdout;
}

describe.skipIf(spawnSync('jq', ['--version']).status !== 0)('lists in the cells of JSON', () => {
  it.each([
    ['a row a model', '[{"model":"a","s":[1,0]},{"model":"b","s":[0,1]}]', ['0', '1'], [1, 0, 0, 1]],
    ['lines', '{"model":"a","s":[1,0]}\n{"model":"b","s":[0,1]}\n', ['0', '1'], [1, 0, 0, 1]],
    ['attempts', '[{"model":"a","task":"t","s":[1,0]},{"model":"b","task":"t","s":[1,1]}]', ['t'], [1, 2]],
    ['models outside', '{"a":[1,0],"b":[0,1]}', ['t1', 't2'], [1, 0, 0, 1]],
  ])('are called lists, and read after the command of the hint: %s', async (_, text, tasks, values) => {
    const { hint } = await refusal(text);
    expect(hint).toMatch(/hold(?:s the values|.* lists, such as)/);
    const { matrix } = await scoresOf([{ name: 'x.json', bytes: Buffer.from(jq(hint, text)) }]);
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([['a', 'b'], tasks, values]);
  });
});
