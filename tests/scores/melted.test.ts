import { describe, expect, it } from 'vitest';
import { readScoreText, refusal } from '../support/score-text.js';

/** Three models on four tasks, with every name its number, in the order in which pandas melts: task after task. */
const MODELS = ['ada', 'bob', 'cy'];
const TASKS = ['mmlu', 'gsm8k', 'arc', 'boolq'];
const VALUES = [
  [0.31, 0.42, 0.53, 0.64],
  [0.75, 0.86, 0.97, 0.18],
  [0.29, 0.13, 0.24, 0.35],
];
const rows = TASKS.flatMap((task, t) => MODELS.map((model, m) => ({ model, task, value: VALUES[m]![t]! })));
const table = (head: string, row: (cell: (typeof rows)[number], i: number) => readonly (string | number)[]) =>
  `${head}\n${rows.map((cell, i) => row(cell, i).join()).join('\n')}\n`;
const plain = ({ model, task, value }: (typeof rows)[number]) => [model, task, value];

const expectRead = ({
  matrix,
}: {
  matrix: { models: readonly string[]; tasks: readonly string[]; values: Float64Array };
}) => {
  expect([matrix.models, matrix.tasks]).toEqual([MODELS, TASKS]);
  expect(Array.from(matrix.values, (value) => value / 100)).toEqual(VALUES.flat());
};

/** The options of a hint, as the call of a program has them. */
function optionsIn(words: string): Record<string, string> {
  const found = words.matchAll(/--(model|task|value|attempt)-column ('[^']*'|[^\s,;.]+(?:,[^\s,;.]+)*)/g);
  return Object.fromEntries([...found].map(([, role, name]) => [`${role}Column`, name!.replaceAll("'", '')]));
}

describe('a table in long form that a program made of a wide one', () => {
  it.each([
    ["pandas' melt", table('model,variable,value', plain), 'model / variable / value'],
    [
      "pandas' melt, index written",
      table(',model,variable,value', (cell, i) => [i, ...plain(cell)]),
      'model / variable / value; left out: (unnamed)',
    ],
    [
      "pandas' melt, index reset",
      table('index,model,variable,value', (cell, i) => [i, ...plain(cell)]),
      'model / variable / value; left out: index',
    ],
    ["pandas' stack", table('model,level_1,score', plain), 'model / level_1 / score'],
    ["tidyr's pivot_longer", table('model,name,value', plain), 'model / name / value'],
    ['one with numbers of questions', table('model,id,correct', plain), 'model / id / correct'],
    ['one score a benchmark', table('Model,Benchmark,Accuracy', plain), 'Model / Benchmark / Accuracy'],
    [
      'one score a subject, with what took how long',
      table('model,subject,accuracy,seconds', (cell, i) => [...plain(cell), i / 4]),
      'model / subject / accuracy; left out: seconds',
    ],
  ])('is read as it stands: %s', async (_, text, from) => {
    const read = await readScoreText(text);
    expectRead(read);
    expect(read.reading.text).toBe(`3 models x 4 tasks, 0.13 to 0.97 (scale 100), from ${from}`);
  });

  it.each([
    ['a column of another name', table('model,what,value', plain)],
    ['a value of another name', table('model,variable,f1', plain)],
    ['an index that was the model', table('index,variable,value', plain)],
    ["R's as.data.frame(table)", table(',Var1,Var2,Freq', (cell, i) => [i + 1, ...plain(cell)])],
    ["R's reshape2", table('Var1,Var2,value', plain)],
    ['names of a harness', table('llm,prompt_name,is_right', plain)],
  ])('is refused with options that read it: %s', async (_, text) => {
    const { code, hint } = await refusal(text);
    expect(code).toBe('SCHEMA_INVALID');
    const [first] = hint.split(/; or |\. If /);
    expect(first).toMatch(/^Say (?:it|which): --(?:model|task)-column /);
    expectRead(await readScoreText(text, optionsIn(first!)));
  });

  it('whose numbers of questions begin anew in each benchmark is asked for both', async () => {
    const text = 'model,benchmark,nr,score\na,x,1,1\na,x,2,0\na,y,1,1\nb,x,1,0\nb,x,2,0\nb,y,1,1\n';
    const { hint } = await refusal(text);
    expect(hint).toContain('Say which: --task-column benchmark,nr.');
    const { matrix } = await readScoreText(text, { taskColumn: 'benchmark,nr' });
    expect([matrix.tasks, [...matrix.values]]).toEqual([
      ['x/1', 'x/2', 'y/1'],
      [1, 0, 1, 0, 0, 1],
    ]);
  });

  it('is told from one whose models repeat for another reason', async () => {
    const repeats = await readScoreText('model,seed,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n');
    expect(repeats.reading).toMatchObject({ form: 'wide', models: 2, tasks: 1 });
    const { hint } = await refusal('model,precision,score,f1\na,8,1,2\na,16,0,3\nb,8,1,4\nb,16,1,5\n');
    expect(hint).toContain('--model-column model,precision');
    expect(hint).toContain('--attempt-column precision');
    expect((await refusal('model,score\na,1\na,0\n')).code).toBe('CELL_DUPLICATE');
  });
});

describe('a table whose models stand in columns', () => {
  it('under numbers of questions is refused with the option that reads it', async () => {
    const { hint } = await refusal('id,ada,bob\n7,1,0\n9,0,0\n11,1,1\n');
    expect(hint).toContain('--task-column id');
    const { matrix } = await readScoreText('id,ada,bob\n7,1,0\n9,0,0\n11,1,1\n', { taskColumn: 'id' });
    expect([matrix.models, matrix.tasks]).toEqual([
      ['ada', 'bob'],
      ['7', '9', '11'],
    ]);
    expect([...matrix.values]).toEqual([1, 0, 1, 0, 0, 1]);
  });
});
