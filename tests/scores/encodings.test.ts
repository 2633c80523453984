import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { scoresOf } from '../../src/scores/read-scores.js';
import { readTable } from '../../src/scores/table-file.js';
import { npy } from '../support/environment-files.js';
import { refusal } from '../support/score-text.js';

const read = (name: string, bytes: Uint8Array) => scoresOf([{ name, bytes }]);
const failureOf = (bytes: Uint8Array) =>
  readTable(bytes, 'runs/x.csv').then(
    () => ({ message: 'it was read', hint: '' }),
    (error: { message: string; hint: string }) => error,
  );

describe('text that is no UTF-8', () => {
  it('is refused with the byte, what it is in Windows-1252, and the command that mends it', async () => {
    const { message, hint } = await failureOf(Buffer.from('model,q1,q2\nAnna,1,0\nJos\xe9,0,1\n', 'latin1'));
    expect(message).toBe('runs/x.csv, line 3: not valid UTF-8: byte 0xe9 (é in Windows-1252) at place 4');
    expect(hint).toContain('`iconv -f WINDOWS-1252 -t UTF-8 runs/x.csv > utf8-x.csv`');
  });

  it('is not called Windows-1252 where the byte is no letter, sign or mark there, or the line no text', async () => {
    for (const line of ['a\x81b', 'a\x01\xe9'])
      expect((await failureOf(Buffer.from(`model,q1\n${line},1\n`, 'latin1'))).hint).toBe(
        'Re-encode the file as UTF-8.',
      );
  });
});

describe('bytes that are no text', () => {
  it.each([
    ['zeros alone', '\0'.repeat(1000), 'x.csv, line 1: is no text: from byte 0 on it holds zeros'],
    ['two zeros', '\0\0', 'line 1: is no text: from byte 0'],
    ['zeros behind a table', `model,t,u\na,1,0\nb,0,1\n${'\0'.repeat(9)}`, 'line 4: is no text: from byte 22 on'],
    ['zeros within', `model,t,u\na,1,0\n${'\0'.repeat(40)}\nb,0,1\n`, 'line 3: is no text: from byte 16 on'],
    ['control characters', '\x01\x02\x03,\x04\n\x05,\x06\n', 'line 1: is no text: from byte 0 on it holds control'],
  ])('are called so: %s', async (_, text, message) => {
    const error = await refusal(text);
    expect(error).toMatchObject({ code: 'FORMAT_UNKNOWN', message: expect.stringContaining(message) });
    expect(error.hint).toContain('fetch the file again');
  });

  it('are not those of a name with a zero in it', async () => {
    const { matrix } = await scoresOf([{ name: 'x.csv', bytes: Buffer.from('model,t,u\na\0b,1,0\nc,0,1\n') }]);
    expect(matrix.models).toEqual(['a\0b', 'c']);
  });
});

describe('JSON that makes no table', () => {
  it.each(['{"lr": 1}', '[{"lr": 1}]', '{"lr": [1, 2]}', '{"a": {"lr": 1}, "b": {"lr": 2}}'])(
    'is not spoken of as text with separators: %s',
    async (text) => {
      const error = await refusal(text).catch(() => undefined);
      expect(error?.hint ?? '').not.toMatch(/commas, semicolons/);
    },
  );
});

/** An array of bytes, `|S`, as numpy saves `numpy.array([b"..."])`. */
function byteTexts(texts: readonly string[], width: number): Buffer {
  const header = `{'descr': '|S${width}', 'fortran_order': False, 'shape': (${texts.length},), }\n`;
  const head = npy({ shape: [0], values: [], header });
  return Buffer.concat([head, ...texts.map((text) => Buffer.concat([Buffer.from(text)], width))]);
}

/** An array of texts, `<U`. */
function texts(names: readonly string[], width: number): Buffer {
  const header = `{'descr': '<U${width}', 'fortran_order': False, 'shape': (${names.length},), }\n`;
  const points = names.flatMap((name) => Array.from({ length: width }, (_, i) => name.codePointAt(i) ?? 0));
  const data = Buffer.alloc(4 * points.length);
  for (const [i, point] of points.entries()) data.writeUInt32LE(point, 4 * i);
  return Buffer.concat([npy({ shape: [0], values: [], header }), data]);
}

describe('an archive of numpy arrays', () => {
  const scores = { name: 'scores.npy', data: npy({ shape: [2, 3], values: [1, 0, 1, 0, 0, 1] }) };
  it.each(['models', 'model_names', 'names', 'model_ids', 'systems'])(
    'names its rows by the array %s',
    async (name) => {
      for (const make of [byteTexts, texts]) {
        const bytes = zip(
          [
            scores,
            { name: `${name}.npy`, data: make(['one', 'two'], 5) },
            { name: 'task_ids.npy', data: make(['x', 'y', 'z'], 1) },
          ],
          { zip64: true },
        );
        const { matrix } = await read('runs.npz', bytes);
        expect([matrix.models, matrix.tasks, [...matrix.values]]).toEqual([
          ['one', 'two'],
          ['x', 'y', 'z'],
          [1, 0, 1, 0, 0, 1],
        ]);
      }
    },
  );
});

describe('archives of ZIP64', () => {
  it('with one table in them are read as it', async () => {
    const bytes = zip([{ name: 'a.csv', data: 'model,q1,q2\na,1,0\nb,0,1\n', method: 8 }], { zip64: true });
    expect((await read('a.zip', bytes)).matrix.models).toEqual(['a', 'b']);
  });
});
