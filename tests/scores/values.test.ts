import { describe, expect, it } from 'vitest';
import { matrixFromRows } from '../../src/core/matrix-rows.js';
import { decimalScale } from '../../src/core/scale.js';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readMatrix } from '../../src/scores/matrix-file.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readScoreText, refusal } from '../support/score-text.js';

/** One model a line, its tasks separated by blanks. */
const table = (...rows: string[]) =>
  `model\t${rows[0]!
    .split(' ')
    .map((_, t) => `t${t}`)
    .join('\t')}\n${rows.map((row, m) => `m${m}\t${row.replaceAll(' ', '\t')}\n`).join('')}`;
const values = async (...rows: string[]) => {
  const { matrix, quantization } = await readScoreText(table(...rows));
  return { values: [...matrix.values], scale: matrix.scale, change: quantization?.largestError ?? 0 };
};

describe('values of a table', () => {
  it.each([
    ['whole numbers', ['1 0', '12 -3'], [1, 0, 12, -3], 1],
    ['fractions', ['.731 0.5', '1 +.25'], [731, 500, 1000, 250], 1000],
    ['noughts and ones with a half', ['1 0.5', '0 1.0'], [10, 5, 0, 10], 10],
    ['exponents', ['1e2 5e-1', '1E0 0'], [1000, 5, 10, 0], 10],
    ['percentages', ['83.1% 50%', '0% 100%'], [831, 500, 0, 1000], 1000],
    ['truth values', ['True FALSE', 'yes No'], [1, 0, 1, 0], 1],
    ['truth values beside fractions', ['True 0.5', 'False 1'], [10, 5, 0, 10], 10],
    ['a minus sign of print', ['−1 2', '3 4'], [-1, 2, 3, 4], 1],
    ['decimal commas', ['0,31 0,5', '1,25 2'], [31, 50, 125, 200], 100],
    ['large whole numbers', ['4000000000 1', '9007199254740991 0'], [4e9, 1, 2 ** 53 - 1, 0], 1],
  ])('may be %s', async (_, rows, expected, scale) => {
    expect(await values(...rows)).toEqual({ values: expected, scale, change: 0 });
  });

  it.each(['', 'NA', 'N/A', 'NaN', 'null', 'None', '-', 'na', '#N/A', '<NA>', '—'])(
    'are missing where %j stands',
    async (token) => {
      const error = await refusal(table(`${token} 1`, '0 1').replace(' ', '\t'));
      expect(error).toMatchObject({
        code: 'INCOMPLETE',
        message: expect.stringContaining('"m0" "t0" (empty: x.csv, line 2)'),
      });
      const truth = await readScoreText(table(`${token} True`, 'False True'), { missing: 'common-tasks' });
      expect([truth.matrix.tasks, [...truth.matrix.values]]).toEqual([['t1'], [1, 1]]);
    },
  );

  it.each([
    ['a word', ['high 1', '0 1'], 'CELL_NOT_INTEGER', 'x.csv, line 2: column "t0" is "high"', '--drop'],
    [
      'a value with its error',
      ['83.1±0.2 1', '0 1'],
      'CELL_NOT_INTEGER',
      '"83.1±0.2"',
      'Write the number alone, 83.1;',
    ],
    ['infinity', ['1 1', 'inf 1'], 'CELL_NOT_INTEGER', 'line 3: column "t0" is "inf"', '--drop'],
    ['a number past all bounds', ['1e999 1', '0 1'], 'CELL_NOT_INTEGER', '"1e999"', '--drop'],
    [
      'signs in a part of a column',
      ['83.1% 1', '0.7 1'],
      'SCHEMA_INVALID',
      'line 3: column "t0" is "0.7" without a percent sign, line 2 is "83.1%"',
      '50% is 0.5',
    ],
    [
      'signs in one column of percentages',
      ['83.1% 77', '50% 60'],
      'SCHEMA_INVALID',
      'column "t0" has percent signs, column "t1" reaches to 77 without',
      'or none with it',
    ],
    [
      'differences finer than any scale',
      ['3e-11 0', '1e-11 0'],
      'BOUND_EXCEEDED',
      'values differ by less than is held, 1e-9 points',
      'a thousand or a million times',
    ],
    [
      'truth beside counts',
      ['True 1', '7 1'],
      'SCHEMA_INVALID',
      'column "t0" is "True" in a column that reaches from 1 to 7',
      'True is 1',
    ],
  ])('are refused: %s', async (_, rows, code, message, hint) => {
    const error = await refusal(table(...rows));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it.each([
    ['PASS FAIL', 'FAIL PASS', 'PASS read as 1, FAIL as 0'],
    ['pass wrong', 'Failed Correct', 'pass, Correct read as 1, Failed, wrong as 0'],
    ['✓ ✗', '✗ ✓', '✓ read as 1, ✗ as 0'],
    ['✔️ ❌', '❌ ✔️', '✔️ read as 1, ❌ as 0'],
    ['resolved unresolved', 'unsolved solved', 'resolved, solved read as 1, unsolved, unresolved as 0'],
    ['incorrect right', 'success failure', 'success, right read as 1, incorrect, failure as 0'],
  ])('may be verdicts, and the line says what each was read as: %s, %s', async (one, other, said) => {
    const { matrix, reading } = await readScoreText(table(one, other));
    const expected = [...one.split(' '), ...other.split(' ')].map((word) =>
      Number(/^(?:pass|correct|✓|✔|resolved|solved|right|success)/i.test(word)),
    );
    expect([...matrix.values]).toEqual(expected);
    expect(reading.text).toContain(`0 and 1 (${said})`);
    const listed = Object.entries(reading.values.verdicts!);
    expect(new Set(listed.map(([word]) => word))).toEqual(new Set([...one.split(' '), ...other.split(' ')]));
    const words = [one, other].flatMap((row) => row.split(' '));
    const rows = words.map((word, k) => `${'ab'[k >> 1]},q${k % 2},${word}\n`);
    const long = await readScoreText(`model,task,result\n${rows.join('')}`);
    expect([...long.matrix.values]).toEqual(expected);
  });

  it('that are verdicts may have gaps, and numbers or truth values beside them', async () => {
    const { matrix } = await readScoreText('model,t,u\na,pass,1\nb,0,fail\nc,true,0.5\n');
    expect([[...matrix.values], matrix.scale]).toEqual([[10, 10, 0, 0, 10, 5], 10]);
    const error = await refusal('model,t,u\na,pass,1\nb,NA,fail\n');
    expect(error).toMatchObject({ code: 'INCOMPLETE', message: expect.stringContaining('"b" "t"') });
    expect((await readScoreText('model,t,u\na,1,1\nb,0,1\n')).reading.values).not.toHaveProperty('verdicts');
  });

  it('that are verdicts beside other words are refused with the word, in either shape', async () => {
    const wide = await refusal('model,t,u\na,pass,fail\nb,error,pass\n');
    expect(wide).toMatchObject({
      code: 'CELL_NOT_INTEGER',
      message: 'x.csv, line 3: column "t" is "error" where other cells hold verdicts such as "fail"',
      hint: expect.stringContaining('NA where there is no verdict'),
    });
    const long = await refusal('model,task,result\na,t,pass\na,u,NA\nb,t,error\nb,u,fail\n');
    expect(long.hint).toContain('Verdicts such as "pass" are read where no other word stands beside them');
    expect(long.hint).toContain('write what "error" is, NA (missing) or 0');
  });

  it('that are verdicts among numbers are asked about', async () => {
    const { warnings, reading } = await readScoreText('model,t,u,status\na,1,0,passed\nb,0.5,1,failed\n');
    expect(reading.tasks).toBe(3);
    expect(warnings.join()).toContain('"status" counts as a task and holds verdicts in words');
    expect(warnings.join()).toContain('--drop status');
    const side = await readScoreText('model,t,u,side\na,1,0,right\nb,0.5,1,left\n');
    expect([side.matrix.tasks, side.reading.left_out]).toEqual([['t', 'u'], ['side']]);
  });

  it.each([
    ['T F', 'F T'],
    ['y n', 'n y'],
  ])('are no letters, which stand for much else: %s', async (...rows) => {
    const wide = await refusal(table(...rows));
    const word = rows[0]!.split(' ')[0]!;
    expect(wide).toMatchObject({ code: 'SCHEMA_INVALID', message: expect.stringContaining('no column holds values') });
    expect(wide.hint).toContain(`Column "t0" holds texts such as "${word}"`);
    const long = await refusal(`model,task,result\na,q1,${word}\na,q2,${word}\nb,q1,${word}\nb,q2,${word}\n`);
    expect(long.hint).toContain(`Column "result" holds texts such as "${word}"`);
    const beside = await readScoreText(table(`${word} 1`, `${word} 0`));
    expect([beside.matrix.tasks, beside.reading.left_out]).toEqual([['t1'], ['t0']]);
  });

  it('with percent signs are said to be', async () => {
    const { reading } = await readScoreText(table('83.1% 50%', '0% 100%'));
    expect(reading.text).toContain('0 to 1 (scale 1000, percent signs read as hundredths)');
    expect(reading.values).toMatchObject({ percent: true, scale: 1000, largest_change: 0 });
  });

  it('of 32 bits are the decimals that were meant', async () => {
    const floats = Float32Array.of(0.731, 0.5, 0.1, 1);
    const bytes = arrowFile({
      columns: [
        { name: 'model', kind: 'text', values: ['a', 'b'] },
        { name: 't', kind: 'float64', values: floats.subarray(0, 2) },
        { name: 'u', kind: 'float64', values: floats.subarray(2) },
      ],
    });
    const { matrix } = await readMatrix(bytes, { file: 'x' });
    expect([[...matrix.values], matrix.scale]).toEqual([[731, 100, 500, 1000], 1000]);
  });
});

describe('the scale of values', () => {
  it.each([
    [[1, 0, 7], 1, true],
    [[0.731], 1000, true],
    [[0.57, 1.005], 1000, true],
    [[1e-9], 1e9, true],
    [[0.1 + 0.2, 0.5], 10, false],
    [[1 / 3, 2 / 3], 1e9, false],
    [[123456.789], 1000, true],
    [[123456789.123], 10, false],
    [[2 ** 31 + 0.5], 1, false],
    [[5e9, 1], 1, true],
    [[Number.NaN, 0.5], 10, true],
    [[], 1, true],
  ])('of %j is %d', (list, scale, exact) => {
    expect(decimalScale(Float64Array.from(list))).toEqual({ scale, exact });
  });

  it('leaves room for attempts', () => {
    expect(decimalScale([1e-9], 2)).toEqual({ scale: 1, exact: false });
    expect(decimalScale([0.123456789], 5)).toEqual({ scale: 1e8, exact: false });
  });

  it('is stated with the largest change where decimals are too many', async () => {
    const { matrix, quantization, reading } = await readScoreText(table('0.3333333333333333 1', '0.5 0'));
    expect([[...matrix.values], matrix.scale]).toEqual([[333333333, 1e9, 5e8, 0], 1e9]);
    expect(quantization?.largestError).toBeCloseTo(1 / 3 - 0.333333333, 15);
    expect(reading.values.largest_change).toBe(quantization?.largestError);
  });

  it('is the same for rows of a program and for a file', async () => {
    const rows = [
      [0.25, 1],
      [0.5, 0],
    ];
    const matrix = matrixFromRows({ models: ['m0', 'm1'], tasks: ['t0', 't1'], values: rows });
    expect(matrix).toEqual((await readScoreText(table('0.25 1', '0.5 0'))).matrix);
  });

  it('is that which the call states, or the file', async () => {
    const basis = await readScoreText(table('7100 0', '50 10000'), { scale: 100 });
    expect(basis.reading).toMatchObject({ values: { least: 0, greatest: 100, scale: 100, stated: true } });
    const rounded = await readScoreText(table('0.731 0', '0.5 1'), { quantize: 10 });
    expect([[...rounded.matrix.values], rounded.quantization?.largestError]).toEqual([
      [7, 0, 5, 10],
      expect.closeTo(0.031, 12),
    ]);
    const bytes = arrowFile({
      columns: [
        { name: 'model', kind: 'text', values: ['a', 'b'] },
        { name: 't', kind: 'int32', values: [50, 100] },
      ],
      metadata: { scale: '100' },
    });
    const { matrix, reading } = await scoresOf([{ name: 'x', bytes }]);
    expect([[...matrix.values], matrix.scale, reading.values.stated]).toEqual([[50, 100], 100, true]);
  });
});
