import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readScoreText, refusal } from '../support/score-text.js';

type Cell = string | number | null;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook of one sheet, as little of it as the format asks for. */
function workbook(rows: readonly (readonly Cell[])[]): Uint8Array {
  const cell = (value: Cell, at: string) =>
    value === null
      ? ''
      : typeof value === 'number'
        ? `<c r="${at}"><v>${value}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = rows.map(
    (row, r) => `<row r="${r + 1}">${row.map((value, c) => cell(value, `${'ABCDEF'[c]}${r + 1}`)).join('')}</row>`,
  );
  const parts = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  };
  return zip(Object.entries(parts).map(([name, text]) => ({ name, data: Buffer.from(text) })));
}
const HEAD = ['Model', 'MMLU', 'ARC'];
const BODY = [
  ['a', 61, 71],
  ['b', 55, 66],
] as const;
const readBook = (rows: readonly (readonly Cell[])[]) => scoresOf([{ name: 'x.xlsx', bytes: workbook(rows) }]);

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

  it('for commas that separate thousands is told so', async () => {
    expect((await refusal('model,x\na,"1,234"\nb,"1,100"\n')).hint).toContain(
      'Leave out the commas that separate thousands',
    );
  });
});
