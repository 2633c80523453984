import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { type ArrowColumn, readArrow } from '../../src/io/arrow.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { csvText, parseCsv } from '../../src/io/csv.js';
import { parseJson } from '../../src/io/json.js';
import { textLines } from '../../src/io/lines.js';
import { readParquet } from '../../src/io/parquet.js';
import { parsePyJson, pyCanonical } from '../../src/io/pyjson.js';
import { decodeText } from '../../src/io/utf8.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { decodeLine, encodeLine } from '../../src/ledger/journal-line.js';
import { makeRecord, readRecord } from '../../src/ledger/record.js';
import { textFile } from '../../src/release/release-files.js';
import { delimitedTable } from '../../src/scores/delimited-table.js';
import { answerDraft, bindingFor } from '../ledger/support.js';
import { HALVES, ODD_TEXTS } from '../support/odd-texts.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unicode-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.tuple(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 3 })).map((parts) => parts.join('')),
);
const texts = fc.array(text, { minLength: 1, maxLength: 8 });
const utf8 = (value: string) => new TextEncoder().encode(value);
const throughBytes = (value: string) => decodeText('file', utf8(value));

/** Texts in and back out of a format; what comes out has to be what went in. */
const FORMATS: Readonly<Record<string, (values: readonly string[]) => Promise<unknown> | unknown>> = {
  'canonical JSON': (values) => parseJson(throughBytes(canonicalJson(values))),
  'keys of JSON': (values) => {
    const object = Object.fromEntries(values.map((value) => [`k${value}`, value]));
    const back = parseJson(throughBytes(canonicalJson(object))) as Record<string, string>;
    return values.map((value) => back[`k${value}`]);
  },
  'the released JSON': (values) => parsePyJson(throughBytes(pyCanonical([...values]))),
  'JSON Lines': (values) => {
    const path = join(folder, 'rows.jsonl');
    writeFileSync(path, values.map((value) => `${canonicalJson(value)}\n`).join(''));
    return [...textLines(path)].map((line) => parseJson(line.text));
  },
  CSV: (values) => {
    const { rows } = parseCsv(
      throughBytes(
        csvText(
          ['name', 'n'],
          values.map((value) => [value, 1]),
        ),
      ),
      { file: 'f' },
    );
    return rows.map(([value]) => value);
  },
  'the header of CSV': (values) => {
    const header = [...new Set(values)].filter((value) => value !== '');
    if (header.length < 2) return values;
    const back = parseCsv(throughBytes(csvText(header, [header.map(() => 1)])), { file: 'f' });
    expect(back.header).toEqual(header);
    return values;
  },
  'CSV as a table of scores': (values) => {
    const bytes = utf8(
      csvText(
        ['model', 'n'],
        values.map((value) => [value, 1]),
      ),
    );
    return Array.from(delimitedTable(bytes, 'f').column('model')!);
  },
  Arrow: async (values) => {
    const back = await readArrow(arrowFile({ columns: columnsOf(values) }), 'f');
    expect(Array.from(back.columns()[0]![1].values())).toEqual(values);
    return back.column('name');
  },
  'names and metadata of Arrow': async (values) => {
    const { columns, metadata } = namesOf(values);
    const back = await readArrow(arrowFile({ columns, metadata }), 'f');
    expect(back.names).toEqual(columns.map(({ name }) => name));
    expect(back.column(columns.at(-1)!.name)).toEqual([columns.length - 1]);
    return values.map((_, i) => back.metadata.get(String(i)));
  },
  Parquet: async (values) => {
    const back = await readParquet(await parquetFile({ columns: columnsOf(values) }), 'f');
    expect(Array.from(back.columns()[0]![1].values())).toEqual(values);
    return Array.from(back.column('name')!);
  },
  'names and metadata of Parquet': async (values) => {
    const { columns, metadata } = namesOf(values);
    const back = await readParquet(await parquetFile({ columns, metadata }), 'f');
    expect(back.names).toEqual(columns.map(({ name }) => name));
    expect(Array.from(back.column(columns.at(-1)!.name)!)).toEqual([columns.length - 1]);
    return values.map((_, i) => back.metadata.get(String(i)));
  },
  'a journal': (values) => {
    const lines = values.map((value) => encodeLine({ type: 'ledger_created', schema: value, at: 'now' }, 'head').line);
    return lines.map((line) => {
      const found = decodeLine(Buffer.from(line), 'head');
      return 'problem' in found ? found.problem : JSON.parse(found.text).schema;
    });
  },
  'a record': (values) =>
    values.map((value) => {
      const draft = { ...answerDraft(value), attempt_event_sha256s: [], supersedes: null };
      const stored = canonicalJson(makeRecord(bindingFor(), draft as never));
      return readRecord(throughBytes(stored), 'f').generation?.answer;
    }),
  'a file of a release': (values) =>
    values
      .map((value) => decodeText('f', utf8('.')) + Buffer.from(textFile('f', value).bytes).toString('utf8'))
      .map((value) => value.slice(1)),
};

function columnsOf(values: readonly string[]): ArrowColumn[] {
  return [
    { name: 'name', kind: 'text', values },
    { name: 'n', kind: 'int32', values: values.map((_, i) => i) },
  ];
}

function namesOf(values: readonly string[]) {
  const names = [...new Set(values)].filter((name) => name !== '' && !name.startsWith('\ufeff\ufeff'));
  // Names that differ in a mark at their start alone would be told apart by their places only.
  const apart = names.filter((name) => !names.includes(`\ufeff${name}`));
  const columns = ['first', ...apart].map((name, i): ArrowColumn => ({ name, kind: 'int32', values: [i] }));
  return { columns, metadata: Object.fromEntries(values.map((value, i) => [String(i), value])) };
}

describe('a text of any characters', () => {
  it.each(Object.entries(FORMATS))('comes out of %s as it went in', async (_, through) => {
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        expect(await through(values)).toEqual(values);
      }),
      { numRuns: 60, examples: ODD_TEXTS.map((value) => [[value, 'x']]) },
    );
  });

  it('of a million characters comes out of every format as it went in, but as the name of a column is refused', async () => {
    const long = ['\ufeff', 'x\u0000\u202e\u{10ffff}'.repeat(200_000)];
    for (const [name, through] of Object.entries(FORMATS))
      if (name.startsWith('names and metadata'))
        await expect(Promise.resolve(through(long)), name).rejects.toMatchObject({ code: 'BOUND_EXCEEDED' });
      else expect(await through(long), name).toEqual(long);
  });
});

describe('half of a surrogate pair, which UTF-8 has no form for', () => {
  const WRITERS: Readonly<Record<string, (value: string) => Promise<unknown> | unknown>> = {
    'canonical JSON': (value) => canonicalJson([value]),
    'the released JSON': (value) => pyCanonical([value]),
    Arrow: (value) => arrowFile({ columns: columnsOf(['x', value]) }),
    'a name in Arrow': (value) => arrowFile({ columns: [{ name: value, kind: 'int32', values: [1] }] }),
    Parquet: (value) => parquetFile({ columns: columnsOf(['x', value]) }),
    'a journal': (value) => encodeLine({ type: 'ledger_created', schema: value, at: 'now' }, 'head'),
    'a file of a release': (value) => textFile('f', value),
  };

  it.each(Object.entries(WRITERS))('is refused by %s', async (_, write) => {
    for (const half of HALVES) {
      const refused = async () => write(half);
      await expect(refused()).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:TEXT_INVALID_UTF8|JSON_INVALID)$/),
      });
    }
  });

  it('is refused with column and row', () => {
    expect(() => arrowFile({ columns: columnsOf(['x', 'a\ud800']) })).toThrow(
      expect.objectContaining({
        code: 'TEXT_INVALID_UTF8',
        message: 'row 2: column "name": half of a surrogate pair in "a\\ud800": no UTF-8 text',
      }),
    );
  });
});
