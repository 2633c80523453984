import { describe, expect, it } from 'vitest';
import { readScoreText, refusal } from '../support/score-text.js';

const LONG = 'model,task,value\na,t,1\na,u,0\nb,t,0\nb,u,1\n';
const FOUR = [1, 0, 0, 1];

/** The table with its header and one more cell in every row. */
const wider = (header: string, cells: readonly string[]) =>
  LONG.trim()
    .split('\n')
    .map((line, i) => `${line},${i === 0 ? header : cells[i - 1]}\n`)
    .join('');

describe('columns of a table with a row a cell', () => {
  it.each([
    ['model,task,value', 'model / task / value'],
    ['Model Name,TASK-ID,Correct', 'Model Name / TASK-ID / Correct'],
    ['system,item,score', 'system / item / score'],
    ['agent,question_id,resolved', 'agent / question_id / resolved'],
    ['run,instance_id,passed', 'run / instance_id / passed'],
    ['model_id,task_id,acc', 'model_id / task_id / acc'],
    ['algorithm,dataset,accuracy', 'algorithm / dataset / accuracy'],
    ['Classifier,Problem,Result', 'Classifier / Problem / Result'],
  ])('are found when they are called %s', async (header, from) => {
    const { matrix, reading } = await readScoreText(LONG.replace('model,task,value', header));
    expect([[...matrix.values], matrix.scale]).toEqual([FOUR, 1]);
    expect(reading).toMatchObject({ form: 'long', text: `2 models x 2 tasks, 0 and 1, from ${from}` });
  });

  it.each([
    [
      'two of values',
      wider('score', ['.1', '.2', '.3', '.4']),
      '"value" and "score" could both hold the values',
      '--value-column score',
    ],
    [
      'two of models',
      wider('provider', ['x', 'y', 'x', 'y']),
      '"model" and "provider" could both name the models',
      '--model-column model,provider (joined)',
    ],
    [
      'two of families',
      'model,task,category,domain,value\na,t,p,r,1\na,u,p,s,0\na,v,q,s,0\n',
      '"category" and "domain" could both name the parts that weigh the same',
      'or leave one out with --drop',
    ],
    [
      'a model and a task, and no value',
      'model,task,f1,em\na,t,1,0\na,u,0,0\n',
      'no column is known to hold the values',
      '--value-column f1 or --value-column em',
    ],
    [
      'a task and a value, and no model',
      'who,task,value\na,t,1\na,u,0\n',
      'no column is known to name the models',
      '--model-column who',
    ],
    [
      'a task and a value alone',
      'task,value\nt,1\nu,0\n',
      'no column is known to name the models',
      'Add a column model',
    ],
    [
      'a value of texts',
      'model,task,grade\na,t,good\na,u,bad\n',
      'no column is known to hold the values',
      'Column "grade" holds texts such as "good"',
    ],
    [
      'two attempts',
      wider('seed,fold', ['1', '2', '1', '2']).replaceAll(/^(a|b)(.*),(\d)$/gm, '$1$2,$3,$1'),
      'could both number the attempts',
      '--attempt-column seed',
    ],
  ])('are refused with %s, named with the option that decides', async (_, text, message, hint) => {
    const error = await refusal(text);
    expect(error.code).toBe('SCHEMA_INVALID');
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it('are those that the options name', async () => {
    const text = 'who,what,got,alsogot,kind,bunch\na,t,1,9,f,c\na,u,0,8,g,c\nb,t,0,7,f,c\nb,u,1,6,g,c\n';
    const options = {
      modelColumn: 'who',
      taskColumn: 'what',
      valueColumn: 'got',
      familyColumn: 'kind',
      clusterColumn: 'bunch',
    };
    const { matrix, reading } = await readScoreText(text, options);
    expect([...matrix.values]).toEqual(FOUR);
    expect(matrix).toMatchObject({ families: ['f', 'g'], clusters: ['c', 'c'] });
    expect(reading.text).toBe(
      '2 models x 2 tasks, 0 and 1, from who / what / got; families from kind; clusters from bunch; left out: alsogot',
    );
    const error = await refusal(text, { ...options, valueColumn: 'gott' });
    expect(error).toMatchObject({ code: 'COLUMN_UNKNOWN', hint: 'The nearest is "got".' });
  });

  it('that say nothing more than another are passed over', async () => {
    const same = wider('provider,split', ['x,test', 'x,test', 'y,test', 'y,test']);
    expect((await readScoreText(same)).reading).toMatchObject({ left_out: ['provider', 'split'] });
    const twice = await readScoreText(wider('correct', ['True', 'False', 'False', 'True']));
    expect(twice.reading.columns).toMatchObject({ value: ['value'] });
    const text = wider('question', ['what is t?', 'what is u?', 'what is t?', 'what is u?']);
    expect((await readScoreText(text)).reading.columns).toMatchObject({ task: ['task'] });
  });

  it('that number tasks anew in each data set are asked for, and joined on request', async () => {
    const text = 'model,dataset,question_id,score\na,d,1,1\na,d,2,0\na,e,1,1\nb,d,1,0\nb,d,2,0\nb,e,1,1\n';
    const error = await refusal(text);
    expect(error.message).toContain('columns "question_id" and "dataset" could both name the tasks');
    expect(error.hint).toContain('--task-column question_id,dataset (joined)');
    const { matrix } = await readScoreText(text, { taskColumn: 'dataset,question_id', familyColumn: 'dataset' });
    expect(matrix).toMatchObject({ tasks: ['d/1', 'd/2', 'e/1'], families: ['d', 'd', 'e'] });
    expect([...matrix.values]).toEqual([1, 0, 1, 0, 0, 1]);
    const whole = await readScoreText(text.replace(/,e,1,/g, ',e,3,'));
    expect(whole.matrix.tasks).toEqual(['1', '2', '3']);
  });

  it('called as families and clusters are taken where they belong to the task alone', async () => {
    const { matrix, reading } = await readScoreText(
      wider('category,repo,source', ['p,r,log1', 'q,s,log1', 'p,r,log2', 'q,s,log2']),
    );
    expect(matrix).toMatchObject({ families: ['p', 'q'], clusters: ['r', 's'] });
    expect(reading.left_out).toEqual(['source']);
    const changed = await refusal(wider('family', ['p', 'q', 'p', 'p']));
    expect(changed.message).toContain('task "u" has family "p", earlier rows of the task "q"');
  });

  it('called metric choose rows by their text', async () => {
    const text = 'model,task,metric,value\na,t,acc,1\na,t,f1,.5\nb,t,acc,0\nb,t,f1,.25\n';
    const error = await refusal(text);
    expect(error.message).toContain('column "metric" names 2 metrics: "acc", "f1"');
    expect(error.hint).toContain('--metric acc or --metric f1');
    const { matrix, reading } = await readScoreText(text, { metric: 'f1' });
    expect([[...matrix.values], matrix.scale]).toEqual([[50, 25], 100]);
    expect(reading.text).toContain('metric f1');
    expect((await refusal(text, { metric: 'bleu' })).message).toContain('there is "acc", "f1"');
    expect((await readScoreText(text.replaceAll(/,t,f1/g, ',u,f1'))).matrix.tasks).toEqual(['t', 'u']);
    expect((await refusal(LONG, { metric: 'acc' })).code).toBe('USAGE');
  });

  it('of a cell that stands twice are compared, and what differs is named', async () => {
    const text = 'model,task,value,language\na,t,1,en\na,t,0,fr\n';
    const error = await refusal(text);
    expect(error).toMatchObject({ code: 'CELL_DUPLICATE', message: expect.stringContaining('x.csv, line 3') });
    expect(error.hint).toContain('The rows differ in "language": --attempt-column language');
    expect(error.hint).toContain('--task-column task,language');
    expect((await readScoreText(text, { taskColumn: 'task,language' })).matrix.tasks).toEqual(['t/en', 't/fr']);
    expect((await readScoreText(text, { attemptColumn: 'language' })).attempts).toMatchObject({ count: 2 });
  });

  it('may be dropped, and tasks too', async () => {
    const text = wider('score', ['.1', '.2', '.3', '.4']);
    expect((await readScoreText(text, { drop: ['score'] })).reading).toMatchObject({ left_out: ['score'] });
    expect((await readScoreText(LONG, { drop: ['u'] })).matrix.tasks).toEqual(['t']);
    expect((await readScoreText(LONG, { only: ['u'] })).matrix.tasks).toEqual(['u']);
    const error = await refusal(LONG, { drop: ['v'] });
    expect(error).toMatchObject({
      code: 'COLUMN_UNKNOWN',
      message: expect.stringContaining('neither a column nor a task'),
    });
  });

  it('of numbers name models and tasks as well', async () => {
    const { matrix } = await readScoreText('model,task,value\n7,10,1\n7,9,0\n13,10,0\n13,9,1\n');
    expect(matrix).toMatchObject({ models: ['7', '13'], tasks: ['10', '9'] });
    expect([...matrix.values]).toEqual(FOUR);
  });
});

describe('columns of a table with a row a model', () => {
  it.each([
    ['model,t,u\na,1,0\nb,0,1\n', 'model / t, u'],
    ['t,u,model\n1,0,a\n0,1,b\n', 'model / t, u'],
    ['t,u,who\n1,0,a\n0,1,b\n', 'who / t, u'],
    [',t,u\na,1,0\nb,0,1\n', '(unnamed) / t, u'],
    ['t\tu\na\t1\t0\nb\t0\t1\n', '(unnamed) / t, u; read as TSV'],
  ])('%j names its models', async (text, from) => {
    const { matrix, reading } = await readScoreText(text);
    expect(matrix).toMatchObject({ models: ['a', 'b'], tasks: ['t', 'u'] });
    expect([...matrix.values]).toEqual(FOUR);
    expect(reading.text).toBe(`2 models x 2 tasks, 0 and 1, from ${from}`);
  });

  it('that hold texts, dates, nothing or a count of rows are left out and named', async () => {
    const text = ',model,licence,released,t,u,notes\n0,a,MIT,2024-05-01,1,0,\n1,b,Apache,2024-06-01,0,1,\n';
    const { matrix, reading } = await readScoreText(text);
    expect([matrix.tasks, [...matrix.values]]).toEqual([['t', 'u'], FOUR]);
    expect(reading.left_out).toEqual(['', 'licence', 'released', 'notes']);
    expect(reading.text).toContain('left out: (unnamed), licence, released, notes');
  });

  it.each([
    ['date,t,u\n2024-01-02,1,0\n2024-02-03,0,1\n', 'date'],
    ['when;t;u\n02.01.2024;1;0\n03.02.2024;0;1\n', 'when'],
    ['x,t,u\n"Jan 2, 2024",1,0\n"Feb 3, 2024",0,1\n', 'x'],
    ['x,t,u\n2 January 2024,1,0\n3 May 2024,0,1\n', 'x'],
    ['x,t,u\n2024-01-02T10:00:00Z,1,0\n2024-01-02T10:00:05Z,0,1\n', 'x'],
    ['x,t,u\n2024-01,1,0\n2024-02,0,1\n', 'x'],
    [',t,u\n2024/1/2,1,0\n2024/2/13,0,1\n', "''"],
  ])('that hold dates name no models unless they are said to: %j', async (text, column) => {
    const error = await refusal(text);
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', message: expect.stringContaining('holds dates such as') });
    expect(error.hint).toContain(`--model-column ${column}.`);
    const { matrix } = await readScoreText(text, { modelColumn: column.replaceAll("'", '') });
    expect([matrix.tasks, [...matrix.values]]).toEqual([['t', 'u'], FOUR]);
  });

  it.each(['2024-05-01', '1.5.2024', 'May 1 2024'])('beside %s name the models themselves', async (date) => {
    const { matrix, reading } = await readScoreText(`since,who,t,u\n${date},a,1,0\n${date.replace('1', '2')},b,0,1\n`);
    expect([matrix.models, reading.left_out]).toEqual([['a', 'b'], ['since']]);
  });

  it('called as summaries are left out whatever their case, and taken by --only', async () => {
    const text = 'Rank,model,t,u,Average,#Params\n1,a,1,0,.5,7\n2,b,0,1,.5,70\n'.replace('#Params', 'PARAMS');
    const { matrix, reading } = await readScoreText(text);
    expect([matrix.tasks, reading.left_out]).toEqual([
      ['t', 'u'],
      ['Rank', 'Average', 'PARAMS'],
    ]);
    expect((await readScoreText(text, { only: ['u', 'Average'] })).matrix.tasks).toEqual(['u', 'Average']);
    const error = await refusal(text, { only: ['t', 'averag'] });
    expect(error).toMatchObject({ code: 'COLUMN_UNKNOWN', hint: 'The nearest is "Average".' });
    expect((await refusal('model,rank,size\na,1,2\nb,2,1\n')).hint).toContain('--only NAME takes them');
  });

  it('that count repeats number the attempts of a model with several rows', async () => {
    const { matrix, reading } = await readScoreText('model,seed,t\na,1,1\na,2,0\nb,1,1\nb,2,1\n');
    expect([matrix.tasks, [...matrix.values], matrix.scale]).toEqual([['t'], [1, 2], 2]);
    expect(reading.text).toContain('2 attempts from seed');
  });

  it.each([
    ['numbers alone', 'step,t,u\n1000,1,0\n2000,0,1\n', 'all columns hold numbers', '--model-column step'],
    [
      'two of names',
      'org,name,t\nx,a,1\ny,b,0\n',
      '"org" and "name" could both name the models',
      '--model-column name',
    ],
    ['no header', 'gpt,0.31,0.37,0.35\nllama,0.38,0.36,0.43\n', 'they look like a row of values', '--model-column gpt'],
    ['texts alone', 'model,colour\na,red\nb,blue\n', 'no column holds values', 'Values are numbers'],
    [
      'a single one',
      'model\na\nb\n',
      'at least two columns expected, found one, "model"',
      'separated by commas, semicolons, tabs or bars',
    ],
    ['no row', 'model,t\n', 'the table holds no row', 'The first line names the columns'],
  ])('are refused: %s', async (_, text, message, hint) => {
    const error = await refusal(text);
    expect(error.code).toBe('SCHEMA_INVALID');
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it('with numbers for names of tasks are read', async () => {
    expect((await readScoreText('who,1,2,3\na,1,0,1\nb,0,1,1\n')).matrix.tasks).toEqual(['1', '2', '3']);
  });

  it('are refused in rows of unequal length, and names may hold line ends', async () => {
    expect((await refusal('model,t,u\na,1,0\nb,0\n')).code).toBe('CSV_INVALID');
    const { matrix } = await readScoreText('model,"t\n1",u\n"a\nb",1,0\nc,0,1\n');
    expect(matrix).toMatchObject({ models: ['a\nb', 'c'], tasks: ['t\n1', 'u'] });
  });
});

describe('a table with a row a task', () => {
  it('is turned where a column is called as tasks are, with what it says of its tasks', async () => {
    const text = 'dataset,category,a,b,average\nt,f,1,0,.5\nu,g,0,1,.5\nOverall,,0.5,0.5,.5\n'.replace(
      'Overall,,',
      'Overall,h,',
    );
    const { matrix, reading } = await readScoreText(text);
    expect(matrix).toMatchObject({ models: ['a', 'b'], tasks: ['t', 'u'], families: ['f', 'g'] });
    expect([...matrix.values]).toEqual(FOUR);
    expect(reading.text).toBe(
      '2 models x 2 tasks, 0 and 1, from a, b / dataset: rows are tasks; families from category; left out: average, Overall',
    );
  });

  it('is turned on request, whatever its columns are called', async () => {
    const { matrix } = await readScoreText('model,a,b\nt,1,0\nu,0,1\n', { transpose: true });
    expect(matrix).toMatchObject({ models: ['a', 'b'], tasks: ['t', 'u'] });
  });

  it('is suspected, and said, where models alone are numbered or a row is called as summaries are', async () => {
    const numbered = `model,good,bad\n${Array.from({ length: 9 }, (_, i) => `question ${i + 1},${i % 2},0\n`).join('')}`;
    expect((await readScoreText(numbered)).warnings[0]).toContain('lies on its side: --transpose');
    expect((await readScoreText('model,good,bad\nt0,1,0\nt1,0,1\nt2,1,1\n')).warnings[0]).toContain('--transpose');
    expect((await readScoreText('model,good,bad\n100,1,0\n200,0,1\n300,1,1\n')).warnings).toEqual([]);
    expect((await readScoreText('model,t,u\na,1,0\nmean,1,1\n')).warnings).toEqual([
      '"mean" is compared as a model; if it is a summary, --without mean',
    ]);
  });
});

describe('a task that looks like none', () => {
  const models = ['a', 'b', 'c', 'd', 'e'];
  const table = (more: string, values: readonly (string | number)[]) =>
    `model,t,u,${more}\n${models.map((name, m) => `${name},${(m * 37) % 100},${(m * 61 + 5) % 100},${values[m]}\n`).join('')}`;

  it('is kept and named as the mean of all others', async () => {
    const means = models.map((_, m) => (((m * 37) % 100) + ((m * 61 + 5) % 100)) / 2);
    const { matrix, warnings } = await readScoreText(table('result all', means));
    expect(matrix.tasks).toEqual(['t', 'u', 'result all']);
    expect(warnings).toEqual([
      'task "result all" is the mean of all others for every model; if it is no task, --drop \'result all\'',
    ]);
  });

  it('is kept and named where it lies far outside the range of the others', async () => {
    const { matrix, warnings } = await readScoreText(table('delay', [900, 1200, 700, 800, 950]));
    expect(matrix.tasks).toContain('delay');
    expect(warnings).toEqual([
      'task "delay" reaches from 700 to 1200, others usually from 2.5 to 81; if it is no task, --drop delay',
    ]);
    expect((await readScoreText(table('other', [10, 80, 40, 60, 90]))).warnings).toEqual([]);
  });

  it('is not suspected for noughts and ones that agree by chance', async () => {
    const bits = `model,${Array.from({ length: 30 }, (_, t) => `t${t}`).join()}\n${models.map((name, m) => `${name},${Array.from({ length: 30 }, (_, t) => ((t * 7 + m * 3) % 11 < 6 ? 1 : 0)).join()}\n`).join('')}`;
    expect((await readScoreText(bits)).warnings).toEqual([]);
  });
});

describe('columns by the hundred thousand', () => {
  it('are tasks, and no stack holds them at once', async () => {
    const tasks = 130_000;
    const row = (cells: (t: number) => string) => Array.from({ length: tasks }, (_, t) => cells(t)).join();
    const { matrix } = await readScoreText(
      `model,${row((t) => `q${t}`)}\na,${row((t) => `${t % 2}`)}\nb,${row(() => '1')}\n`,
    );
    expect([matrix.models, matrix.tasks.length, matrix.tasks[tasks - 1]]).toEqual([['a', 'b'], tasks, 'q129999']);
    expect([...matrix.values.subarray(0, 2), ...matrix.values.subarray(tasks, tasks + 2)]).toEqual([0, 1, 1, 1]);
  });
});
