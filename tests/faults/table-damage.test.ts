import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zip } from '../../fixtures/zip.js';
import { addByte, NO_BYTES } from '../../src/io/slice-codes.js';
import { readTable } from '../../src/scores/table-file.js';
import { FlavourError } from '../../src/util/error.js';

const FOLDER = new URL('../../fixtures/tables/', import.meta.url);
const files = readdirSync(FOLDER)
  .filter((name) => !name.startsWith('make-'))
  .map((name) => ({ name, bytes: readFileSync(new URL(name, FOLDER)) }));

/** Reads everything in a table. Gives the cells that it holds, or the code of the error; anything else that is thrown is thrown on. */
async function cellsOf(bytes: Uint8Array, name: string): Promise<number | string> {
  try {
    const table = await readTable(bytes, name);
    for (const column of table.names) {
      expect(table.column(column)).toHaveLength(table.rows);
      const { values, codes } = table.coded(column)!;
      expect(codes).toHaveLength(table.rows);
      for (let row = 0; row < codes.length; row += 1)
        if (!(codes[row]! < values.length)) throw new Error(`code ${codes[row]}`);
    }
    return table.rows * table.names.length;
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    expect(error.message).toContain(name);
    expect(error.hint).toBeTruthy();
    return error.code;
  }
}

describe('damaged tables', { timeout: 240_000 }, () => {
  it('are a table or an error that names the file, whatever bytes are changed', async () => {
    const change = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.constantFrom(
        new Uint8Array(8).fill(255),
        new Uint8Array(4),
        new Uint8Array([0, 0, 0, 128]),
        new Uint8Array([255, 255, 255, 127]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(), change, async ({ name, bytes }, place, put) => {
        const changed = Uint8Array.from(bytes);
        changed.set(put.subarray(0, changed.length), place % Math.max(1, changed.length - put.length));
        const cells = await cellsOf(changed, name);
        expect(typeof cells === 'string' || cells <= 200_000).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it('are a table or an error wherever they are cut', async () => {
    for (const { name, bytes } of files)
      for (let part = 0; part < 6; part += 1) {
        const cells = await cellsOf(bytes.subarray(0, Math.floor((bytes.length * part) / 6)), name);
        expect(typeof cells === 'string' || cells <= 24 * 5).toBe(true);
      }
  });
});

/** A zip of one deflated member whose directory says what it is told to. */
const zipOf = (name: string, data: Uint8Array, plain = data.length) => zip([{ name, data, method: 8, plain }]);

/** A numpy array of a shape without values. */
function emptyArray(shape: string): Uint8Array {
  const head = `{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117, ' ');
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'), Buffer.from(`${head}\n`)]);
}

describe('files made to take what they can', () => {
  const refused = (bytes: Uint8Array) =>
    readTable(bytes, 'x').then(
      (table) => `${table.rows} rows`,
      (error: FlavourError) => `${error.code}: ${error.message}`,
    );

  it.each([
    [
      'a zip that unpacks to 3 GB',
      zipOf('xl/workbook.xml', Buffer.alloc(1000), 3_000_000_000),
      'ZIP_INVALID: x: at byte',
    ],
    [
      'a zip whose member is longer than it says',
      zipOf('a.csv', Buffer.alloc(5_000_000, 'a'), 10),
      'ZIP_INVALID: x: at byte',
    ],
    ['a zip in a zip', zipOf('a.zip', zipOf('a.csv', Buffer.from('a,b\n1,2\n'))), 'FORMAT_UNKNOWN'],
    ['gzip in gzip in gzip in gzip', gzipSync(gzipSync(gzipSync(gzipSync('a,b\n1,2\n')))), 'TEXT_INVALID_UTF8'],
    ['lists in lists without end', Buffer.from('['.repeat(200_000)), 'JSON_INVALID'],
    [
      'objects that share no keys',
      Buffer.from(Array.from({ length: 30_000 }, (_, i) => `{"k${i}":1}\n`).join('')),
      'SCHEMA_INVALID: x: 30000 rows share no keys',
    ],
    [
      'a row of two million cells',
      Buffer.alloc(2_000_000, ','),
      'BOUND_EXCEEDED: x, line 1: more than 1048576 columns',
    ],
    ['a pickle', Buffer.from('\x80\x04\x95\x10', 'latin1'), 'FORMAT_UNKNOWN: x: is a pickle'],
    ['a database', Buffer.from('SQLite format 3\0'), 'FORMAT_UNKNOWN: x: is an SQLite database'],
    [
      'a DuckDB database',
      Buffer.from('\x94\x2d\x89\x5a\x81\x6e\x8f\x0fDUCK@\0\0', 'latin1'),
      'FORMAT_UNKNOWN: x: is a DuckDB database',
    ],
    [
      'an array without rows',
      emptyArray('(0, 5)'),
      'SCHEMA_INVALID: x: the array has the shape (0, 5): it holds no value',
    ],
    [
      'an array of three indices',
      emptyArray('(0, 5, 2)'),
      'SCHEMA_INVALID: x: the array has the shape (0, 5, 2); two indices are expected',
    ],
    ['SQL', Buffer.from('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n'), 'FORMAT_UNKNOWN: x: is a script of SQL'],
    ['R code', Buffer.from('structure(list(model = c("a", "b")))\n'), 'FORMAT_UNKNOWN: x: is R code'],
    ['rows of HTML', Buffer.from('<TR><TD>a</TD></TR>\n'), 'FORMAT_UNKNOWN: x: is rows of a table of HTML'],
    ['a page', Buffer.from('<!DOCTYPE html><p>a,b'), 'FORMAT_UNKNOWN: x: is an HTML page'],
    ['nothing', Buffer.alloc(0), 'CSV_INVALID: x, line 1: is empty'],
    ['an empty object', Buffer.from('{}'), 'SCHEMA_INVALID: x: JSON of a kind that is not read: an empty object'],
    [
      'JSON of another kind',
      Buffer.from('{"config": {"seed": 1}, "results": [1, 2], "version": "2"}'),
      'SCHEMA_INVALID: x: JSON of a kind that is not read: an object of 3 keys (config, results, version), 2 levels deep; config is an object of 1 key, results is a list of 2',
    ],
  ])('%s is refused', async (_, bytes, message) => {
    expect(await refused(bytes)).toContain(message);
  });

  it('thousands of texts that meet in one place of the table of names are told apart in the time of others', async () => {
    const names = meeting(12);
    const table = await readTable(Buffer.from(['model,t1', ...names.map((name) => `${name},1`)].join('\n')), 'x');
    expect(table.coded('model')!.values).toEqual(names);
  });
});

/** 2^blocks texts of which all have the same sum: for each block two pieces that lead from one sum to one other. */
function meeting(blocks: number): string[] {
  let hash = NO_BYTES;
  let texts = [''];
  for (let block = 0; block < blocks; block += 1) {
    const known = new Map<number, string>();
    for (let i = 0; ; i += 1) {
      const piece = i.toString(36).padStart(6, '0');
      const reached = [...piece].reduce((sum, letter) => addByte(sum, letter.charCodeAt(0)), hash);
      const other = known.get(reached);
      if (other === undefined) known.set(reached, piece);
      else {
        texts = [...texts.map((text) => text + other), ...texts.map((text) => text + piece)];
        hash = reached;
        break;
      }
    }
  }
  return texts;
}
