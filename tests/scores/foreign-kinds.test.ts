import { describe, expect, it } from 'vitest';
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
    ['s.html', '<table>\n<tr><td>model</td></tr></table>', 'a table of HTML', 'pd.read_html("s.html", header=0)[0]'],
  ])('%s is called by its name, with a command that keeps all of its table', async (name, begin, what, command) => {
    const { message, hint } = await said(Buffer.from(`${begin}${' '.repeat(64)}`, 'latin1'), name);
    expect(message).toContain(`is ${what}`);
    expect(hint).toContain(`\`${command}`);
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

describe('a line above a table', () => {
  it('that is a title is not taken for names in two lines', async () => {
    const { hint } = await refusal('Title,,\nmodel,t,u\na,1,0\nb,0,1\n');
    expect(hint).toContain('tail -n +2 x.csv');
    expect(hint).not.toContain('Two lines');
  });
});
