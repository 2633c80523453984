import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readScoreText, refusal } from '../support/score-text.js';

/** What is said of bytes that are no table that is read. */
async function said(bytes: Buffer, name: string): Promise<{ readonly message: string; readonly hint: string }> {
  return scoresOf([{ name, bytes }]).then(
    () => Promise.reject(new Error('was read')),
    (error: { message: string; hint: string }) => error,
  );
}

describe('a file of another kind than is read', () => {
  it.each([
    ['s.rds', 'X\n\0\0\0\x03', 'an R object (.rds)', 'write.csv(readRDS("s.rds"), "scores.csv")'],
    ['s.RData', 'RDX3\nX\n\0\0', 'an R data file', 'write.csv(get(load("s.RData")[1]), "scores.csv")'],
    ['s.R', 'structure(list(model = c("a", "b")))', 'R code', 'write.csv(dget("s.R"), "scores.csv")'],
    ['s.csv.lz4', '\x04"M\x18d@\xa7', 'packed with LZ4', 'lz4 -dc s.csv.lz4 | flavourbench -'],
    ['s.dta', 'r\x02\x01\0', 'a Stata file', 'pd.read_stata("s.dta").to_csv("scores.csv", index=False)'],
    ['s.pt', '\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.', 'saved by PyTorch', 'import numpy, torch;'],
    ['s.safetensors', '\x40\0\0\0\0\0\0\0{"a":{}}', 'a file of safetensors', 'import numpy, safetensors.numpy'],
    ['s.html', '<table>\n<tr><td>model</td></tr></table>', 'a table of HTML', 'pd.read_html("s.html", header=0)[0]'],
    [
      's.html',
      '<tr><td>model</td></tr>',
      'rows of a table of HTML',
      'import io; pd.read_html(io.StringIO("<table>" + open(',
    ],
  ])('%s is called by its name, with a command that keeps all of its table', async (name, begin, what, command) => {
    const { message, hint } = await said(Buffer.from(`${begin}${' '.repeat(64)}`, 'latin1'), name);
    expect(message).toContain(`is ${what}`);
    expect(hint).toContain(`\`${command}`);
  });

  it.each([
    ['s.ods', 'content.xml', 'an OpenDocument file', 'Save the table in it'],
    ['s.docx', 'word/document.xml', 'a Word document', 'Save the table in it'],
    ['s.pptx', 'ppt/presentation.xml', 'a presentation', 'Save the table in it'],
    ['s.xlsb', 'xl/workbook.bin', 'a binary Excel workbook', 'Save it as .xlsx'],
    ['s.numbers', 'Index/Document.iwa', 'a document of Numbers', 'Export the table'],
    ['s.pt', 'archive/data.pkl', 'saved by PyTorch', 'torch.load("s.pt", weights_only=True)'],
  ])('%s is called by its name though it is an archive', async (name, member, what, command) => {
    const { message, hint } = await said(
      zip(['mimetype', member].map((part) => ({ name: part, data: Buffer.from('x') }))),
      name,
    );
    expect(message).toContain(`is ${what}`);
    expect(hint).toContain(command);
  });

  it.each([
    [22, 'is run-end encoded, which is not read', 'run_end_decode'],
    [25, 'is a list view, which is not read', 'pyarrow.list_('],
    [26, 'is a large list view, which is not read', 'pyarrow.large_list('],
  ])('a column of Arrow of type %d is named', async (type, what, command) => {
    const file = Buffer.from(arrowFile({ columns: [{ name: 'score', kind: 'float64', values: [0.5] }] }));
    const errors: { readonly message: string; readonly hint: string }[] = [];
    // The one byte of the schema that says which type the column has: 3 is a float.
    for (let at = 8; at < 400; at += 1)
      if (file[at] === 3) {
        const changed = Buffer.from(file);
        changed[at] = type;
        errors.push(await said(changed, 'x.arrow').catch(() => ({ message: 'read', hint: '' })));
      }
    const found = errors.filter(({ message }) => message.includes(`x.arrow: column "score" ${what}`));
    expect(found).toHaveLength(1);
    expect(found[0]?.hint).toContain(command);
  });

  it('that R wrote with the names of its rows is read by them, numbers of rows aside', async () => {
    const named = await readScoreText('"","t0","t1"\n"a",1,0\n"b",0,1\n');
    expect([named.matrix.models, named.matrix.tasks]).toEqual([
      ['a', 'b'],
      ['t0', 't1'],
    ]);
    const numbered = await readScoreText('"","model","t0","t1"\n"1","a",1,0\n"2","b",0,1\n');
    expect([numbered.matrix.models, numbered.matrix.tasks]).toEqual([
      ['a', 'b'],
      ['t0', 't1'],
    ]);
  });
});

describe('an index of two levels in the orient split', () => {
  const split = (index: unknown) => JSON.stringify({ columns: ['value'], index, data: [[1], [0], [0], [1]] });
  const levels = [
    ['a', 't'],
    ['a', 'u'],
    ['b', 't'],
    ['b', 'u'],
  ];

  it('is asked about, and its levels are models and tasks as the call says', async () => {
    const { message, hint } = await refusal(split(levels));
    expect(message).toContain('columns "level_0" and "level_1" name models and tasks, and nothing says which is which');
    expect(hint).toContain('--model-column level_0 --task-column level_1');
    const { matrix } = await readScoreText(split(levels), { modelColumn: 'level_0', taskColumn: 'level_1' });
    expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
      ['a', 'b'],
      ['t', 'u'],
      [1, 0, 0, 1],
    ]);
  });
});

describe('a line above a table', () => {
  it('is no title where the first full line holds values', async () => {
    expect((await refusal(',acc,,f1,\n,t,u,t,u\nmodel,,,,\na,1,0,1,0\nb,0,1,0,1\n')).hint).not.toContain('tail');
  });

  it('that is a title is not taken for names in two lines', async () => {
    const { hint } = await refusal('Title,,\nmodel,t,u\na,1,0\nb,0,1\n');
    expect(hint).toContain('tail -n +2 x.csv');
    expect(hint).not.toContain('Two lines');
  });
});
