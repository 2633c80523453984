import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertInside, callHand } from '../../src/cli/queue/call-hand.js';
import { sha256 } from '../../src/io/digest.js';
import { folderStore } from '../../src/queue/blob-store.js';
import { openBlobs } from '../../src/queue/blobs.js';
import { callState, liveWorkers } from '../../src/queue/board.js';
import { unpacked } from '../../src/queue/packet.js';
import { partDone, partJob } from '../../src/queue/part-job.js';
import { receivedPart } from '../../src/responses/batch/sent-part.js';

let folder: string;
const at = (name: string) => join(folder, name);
const CALL = '0123456789abcdef';
const DIGEST = 'a'.repeat(64);
const INVALID = expect.objectContaining({ code: 'SCHEMA_INVALID' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forged-'));
  writeFileSync(at('secret'), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A Redis that holds these hashes and nothing else. */
const holding = (hashes: Readonly<Record<string, Record<string, string>>>) =>
  ({
    hgetall: async (key: string) => hashes[key] ?? {},
    exists: async () => 0,
    time: async () => ['1', '0'],
    hdel: async () => 0,
  }) as unknown as Redis;

describe('names that a forged queue gives', () => {
  const blobs = () => {
    rmSync(at('store'), { recursive: true, force: true });
    return openBlobs(holding({}), folderStore(join(folder)));
  };

  it.each([
    [CALL, '../../secret'],
    [CALL, '/etc/passwd'],
    ['../..', DIGEST],
    ['..', 'secret'],
  ])('lead to no file outside of the store or the scratch folder: call %s, bytes %s', async (call, digest) => {
    const reads = (['redis', 'store'] as const).map((place) => ({ sha256: digest, bytes: 6, at: place }));
    for (const blob of reads.slice(call === CALL ? 0 : 1)) {
      await expect(blobs().path(call, blob, at('scratch'))).rejects.toThrow(INVALID);
      await expect(blobs().get(call, blob)).rejects.toThrow(INVALID);
    }
    await expect(blobs().drop(call, [reads[1]!])).rejects.toThrow(INVALID);
    expect(existsSync(at('secret'))).toBe(true);
  });

  it('remove no folder but that of a call', async () => {
    for (const call of ['..', '../..', '', '.', `${CALL}/..`])
      await expect(blobs().dropAll(call)).rejects.toThrow(INVALID);
    expect(existsSync(at('secret'))).toBe(true);
  });
});

describe('values that a forged Redis holds', () => {
  const program = { version: '1', kernels: 'k' };
  const head = { name: 'n', program, share: null, caller: { host: 'h', pid: 1 }, begun: 1 };
  const state = (more: Record<string, string>) =>
    holding({ [`flavourbench:call:${CALL}`]: { head: JSON.stringify(head), state: 'running', ...more } });

  it('are read where they are those of a call', async () => {
    expect(await callState(state({ parts: '3', done: '2' }), CALL)).toMatchObject({ parts: 3, done: 2, failed: [] });
  });

  it.each([
    ['no JSON', { head: '{' }],
    ['null', { head: 'null' }],
    ['no program', { head: JSON.stringify({ ...head, program: 5 }) }],
    ['a state that there is not', { state: 'paid' }],
    ['a negative count', { parts: '-1' }],
    ['no number', { done: 'NaN' }],
    ['failures that are no list', { failed: '{"length":9}' }],
  ])('are refused with their key: %s', async (_, more) => {
    await expect(callState(state(more), CALL)).rejects.toThrow(INVALID);
  });

  it.each(['{', 'null', '[]', '{"id":"x"}'])('of workers are refused: %s', async (text) => {
    await expect(liveWorkers(holding({ 'flavourbench:workers': { x: text } }))).rejects.toThrow(INVALID);
  });

  it('of a call whose id is a path are refused', async () => {
    const id = '../../home';
    const redis = holding({ [`flavourbench:call:${id}`]: { head: JSON.stringify(head), state: 'running' } });
    await expect(callState(redis, id)).rejects.toThrow(INVALID);
  });

  it.each([
    null,
    5,
    {},
    { call: '..', part: 'p', input: null, files: [] },
    { call: CALL, part: 'p', input: 1, files: [] },
  ])('of a part are refused: %j', (data) => {
    expect(() => partJob(data)).toThrow(INVALID);
    if (data !== null) expect(() => partDone(data)).toThrow(INVALID);
  });
});

describe('a packet under its own digest', () => {
  it.each([
    '',
    'no line',
    '{\n',
    'null\n',
    '{"facts":1}\n',
    '{"facts":1,"bytes":[["a",-1]]}\n',
    '{"facts":1,"bytes":[["a",9e15]]}\n',
    '{"facts":1,"bytes":[]}\nrest',
  ])('is refused where it says what no packet can: %j', (text) => {
    const data = Buffer.from(text);
    expect(() => unpacked(data, sha256(data))).toThrow(INVALID);
  });
});

describe('a call that a worker is given', () => {
  it.each([
    ['infer', '/etc/passwd'],
    ['infer', '../scores.csv'],
    ['infer', 'inputs/0/../../../secret'],
    ['infer', '--scores=/etc/passwd'],
    ['sensitivity', 'checkpoints', '--maps', 'pmi=/etc/passwd'],
    ['sensitivity', 'checkpoints', '--maps', 'pmi=../x'],
    ['infer', '--scores', 'C:\\secret'],
    ['infer', '..\\secret'],
    ['infer', '~/secret'],
    ['infer', 'a\0b'],
    ['infer', '..'],
  ])('reads nothing but what came with it: %j %j', (...call) => {
    expect(() => assertInside(call)).toThrow(expect.objectContaining({ code: 'INPUT_NOT_FOUND' }));
  });

  it.each(['--git', '--git=x', '--commit', '--annotate', '--redis', '--store'])(
    'asks no repository and no queue: %s',
    (word) => {
      expect(() => assertInside(['infer', 'inputs/0/a.csv', word, 'x'])).toThrow(
        expect.objectContaining({ code: 'USAGE' }),
      );
    },
  );

  it('may name models, ranges and files that came with it', () => {
    expect(() =>
      assertInside([
        'infer',
        'inputs/0/a.csv',
        '--models',
        'meta/llama,a..b',
        '--range',
        '0,1',
        'pmi=inputs/1/m.jsonl',
      ]),
    ).not.toThrow();
  });

  it.each([null, {}, { call: 'infer', more: [] }, { call: ['infer'], more: ['--out', '/x'] }])(
    'is refused where its opening is none: %j',
    async (facts) => {
      await expect(callHand({ facts, bytes: {} }, folder)).rejects.toThrow(INVALID);
    },
  );

  it('lays no file outside of its folder', async () => {
    const facts = { call: ['infer', 'a.csv'], more: [] };
    const before = readdirSync(folder).filter((name) => !name.startsWith('call-'));
    for (const name of ['../out', `${folder}/out`, 'a/../../out'])
      await expect(callHand({ facts, bytes: { [name]: Uint8Array.of(1) } }, folder)).rejects.toThrow('outside');
    expect(readdirSync(folder).filter((name) => !name.startsWith('call-'))).toEqual(before);
  });
});

describe('a part of answers that a worker is given', () => {
  const sent = { id: '000001', name: 'a.jsonl', form: 'lines', firstLine: 1 };

  it('is read where it is one', () => {
    expect(receivedPart(sent, { bytes: Uint8Array.of(1) }, undefined)).toMatchObject({ ...sent });
  });

  it.each([
    null,
    { ...sent, id: '../../out' },
    { ...sent, id: '000001/../../x' },
    { ...sent, form: 'range', path: '/etc/passwd' },
    { ...sent, form: 'other', path: '/etc/passwd' },
    { ...sent, form: 'parquet', path: '/etc/passwd' },
  ])('is refused where it names other files: %j', (facts) => {
    expect(() => receivedPart(facts, { bytes: Uint8Array.of(1) }, undefined)).toThrow(INVALID);
  });
});
