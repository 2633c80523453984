import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mergeBatchFolders } from '../../src/cli/commands/rescore/merge-folders.js';
import { keepPart, keptPart } from '../../src/responses/batch/part-folder.js';
import { parserName, SET_PARSERS } from '../../src/responses/parser.js';

const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex');
const ROWS = 'rows of a part';
const KEY = 'b'.repeat(64);
const COUNTS = {
  ...{ rows: 1, aside: 0, unknownTasks: 0, bad: {}, changes: [], nearMisses: [] },
  tally: { families: [], models: [], counts: [] },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'part-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A record whose digest is right, whatever it says. */
function recordOf(more: object = {}, path = 'rows/part-000001.jsonl') {
  const body = {
    ...{ schema: 'flavourbench-rescore-part-v1', id: '000001', key: KEY, bytes: 9 },
    files: [{ path, sha256: sha256(ROWS), bytes: ROWS.length }],
    counts: COUNTS,
    ...more,
  };
  return { ...body, artifact_sha256: sha256(JSON.stringify(body)) };
}

const FORGED: readonly [string, object][] = [
  ['a file outside of its folder', recordOf({}, '../rows/part-000001.jsonl')],
  ['a file at an absolute path', recordOf({}, '/tmp/part-000001.jsonl')],
  ['a file of another part', recordOf({}, 'rows/part-000002.jsonl')],
  ['the state of the batch as its file', recordOf({}, 'batch.json')],
  ['an id that is a path', recordOf({ id: '../../000001' })],
  ['no file', recordOf({ files: [] })],
  ['files that are no list', recordOf({ files: 5 })],
  ['a negative count', recordOf({ counts: { ...COUNTS, rows: -1 } })],
  ['a count that is none', recordOf({ counts: { ...COUNTS, bad: { X: null } } })],
  ['no counts', recordOf({ counts: null })],
  ['counts that were changed after', { ...recordOf(), counts: { ...COUNTS, rows: 2 } }],
];

describe('a part of a batch from another machine', () => {
  const keep = (record: unknown, files: Record<string, Uint8Array>) =>
    keepPart({ path: folder, format: 'jsonl' }, { id: '000001', key: KEY }, record, files);
  const bytes = Buffer.from(ROWS);

  it('is kept with its rows where all is as its record says', () => {
    expect(keep(recordOf(), { 'rows/part-000001.jsonl': bytes })).toMatchObject({ id: '000001', counts: { rows: 1 } });
    expect(keptPart(folder, '000001')).toMatchObject({ key: KEY });
  });

  it.each([
    ...FORGED,
    ['nothing', undefined],
    ['null', null],
    ['another key', recordOf({ key: 'c'.repeat(64) })],
    ['another id', recordOf({ id: '000002' }, 'rows/part-000002.jsonl')],
  ])('is refused, and nothing of it is written: %s', (_, record) => {
    const paths = ['../rows/part-000001.jsonl', '/tmp/part-000001.jsonl', 'batch.json', 'rows/part-000001.jsonl'];
    const all = Object.fromEntries([...paths, 'rows/part-000002.jsonl'].map((path) => [path, bytes]));
    expect(() => keep(record, all)).toThrow(expect.objectContaining({ code: 'DIGEST_MISMATCH' }));
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder of a shard', () => {
  const out = () => join(folder, 'out');
  const STATE = {
    ...{ schema: 'flavourbench-rescore-batch-v1', plan_sha256: KEY, units_sha256: KEY },
    shard: { index: 1, count: 1 },
    plan: {
      parser: parserName(SET_PARSERS[0]),
      parser_sha256: KEY,
      tasks: 1,
      compare: [],
      ignore_unknown: false,
      strict: false,
    },
    inputs: [],
    parts: ['000001'],
  };

  function shard(name: string, record: object, state: object = {}): string {
    const path = join(folder, name);
    for (const below of ['parts', 'rows']) mkdirSync(join(path, below), { recursive: true });
    writeFileSync(join(path, 'rows/part-000001.jsonl'), ROWS);
    writeFileSync(join(path, 'batch.json'), ROWS);
    writeFileSync(join(folder, 'part-000001.jsonl'), ROWS);
    writeFileSync(join(path, 'parts/part-000001.json'), JSON.stringify(record));
    writeFileSync(join(path, 'batch.json'), JSON.stringify({ ...STATE, ...state }));
    return path;
  }

  it('is merged where all is as it says', async () => {
    expect(await mergeBatchFolders([shard('a', recordOf())], out())).toMatchObject({ parts: 1, totals: { rows: 1 } });
    expect(readdirSync(join(out(), 'rows'))).toEqual(['part-000001.jsonl']);
  });

  it.each(FORGED)('is not merged where a record of it has %s', async (_, record) => {
    await expect(mergeBatchFolders([shard('a', record)], out())).rejects.toThrow(
      expect.objectContaining({ code: 'SHARDS_INCOMPLETE' }),
    );
    expect(existsSync(out())).toBe(false);
  });

  it.each([
    ['parts that are paths', { parts: ['../../000001'] }],
    ['parts that are no list', { parts: 5 }],
    ['more shards than there can be', { shard: { index: 1, count: 9e15 } }],
    ['no share from 1 on', { shard: { index: 0, count: 1 } }],
    ['a share past all of them', { shard: { index: 3, count: 2 } }],
    ['a parser that there is not', { plan: { ...STATE.plan, parser: 'other' } }],
    ['no plan', { plan: null }],
    ['a part twice', { parts: ['000001', '000001'] }],
  ])('is not merged where it says of itself %s', async (_, state) => {
    await expect(mergeBatchFolders([shard('a', recordOf(), state)], out())).rejects.toThrow(
      expect.objectContaining({ code: 'SHARDS_DIFFER' }),
    );
    expect(existsSync(out())).toBe(false);
  });

  it('is not merged with another that holds the same part', async () => {
    const shards = [1, 2].map((index) => shard(`s${index}`, recordOf(), { shard: { index, count: 2 } }));
    await expect(mergeBatchFolders(shards, out())).rejects.toThrow(expect.objectContaining({ code: 'SHARDS_DIFFER' }));
    expect(existsSync(out())).toBe(false);
  });
});
