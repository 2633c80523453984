import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
const at = (name: string) => join(folder, name);
const summaryOf = (out: string) => JSON.parse(readFileSync(join(at(out), 'summary.json'), 'utf8'));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rescore-folder-'));
  writeFileSync(at('tasks.jsonl'), JSON.stringify(taskRow('pairing-1', { family: 'pairing' })));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a folder that a batch writes', () => {
  it('writes through no link, believes no changed count, and says when it replaces the result of other inputs', async () => {
    const row = (model: string) =>
      `${JSON.stringify({ model_id: model, task_id: 'pairing-1', response: 'FINAL_SELECTION: A,B,C' })}\n`;
    writeFileSync(at('one.jsonl'), row('a'));
    writeFileSync(at('two.jsonl'), row('b'));
    const score = (inputs: string[], ...more: string[]) =>
      cliInline(['rescore', ...inputs.map(at), '--tasks', at('tasks.jsonl'), '--out', ...more]);
    mkdirSync(at('theirs'));
    writeFileSync(at('theirs/part-000000.parquet'), 'precious');
    mkdirSync(at('linked'));
    symlinkSync(at('theirs'), at('linked/rows'));
    const linked = await score(['one.jsonl'], at('linked'), '--force');
    expect(linked).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/OUTPUT_NOT_REGULAR: .*rows: .*symbolic link/),
    });
    expect(readFileSync(at('theirs/part-000000.parquet'), 'utf8')).toBe('precious');

    expect((await score(['one.jsonl', 'two.jsonl'], at('both'))).code).toBe(0);
    const right = summaryOf('both').results_sha256;
    const record = join(at('both'), 'parts', 'part-000000.json');
    writeFileSync(record, readFileSync(record, 'utf8').replace('"rows":1', '"rows":7'));
    const again = await score(['one.jsonl', 'two.jsonl'], at('both'));
    expect(again.stdout).toContain('2 parts, 1 of them done before');
    expect(summaryOf('both').results_sha256).toBe(right);
    const afresh = await score(['one.jsonl', 'two.jsonl'], at('both'), '--force');
    expect(afresh.stdout).not.toContain('done before');
    const fewer = await score(['one.jsonl'], at('both'));
    expect(fewer.stderr).toMatch(/held the result of other inputs, which this one replaces; 1 part .* is gone/);
  });

  it('refuses shards whose inputs changed places between them, and reads a table of answers by its name', async () => {
    const rows = (model: string) =>
      `${JSON.stringify({ model_id: model, task_id: 'pairing-1', response: 'FINAL_SELECTION: A,B,C' })}\n`.repeat(20);
    writeFileSync(at('f1.jsonl'), rows('a'));
    writeFileSync(at('f2.jsonl'), rows('b'));
    const shard = (n: number) =>
      cliInline([
        ...['rescore', at('f1.jsonl'), at('f2.jsonl'), '--tasks', at('tasks.jsonl')],
        ...['--out', at(`swapped-${n}`), '--shard', `${n}/2`],
      ]);
    expect((await shard(1)).code).toBe(0);
    writeFileSync(at('f1.jsonl'), rows('b'));
    writeFileSync(at('f2.jsonl'), rows('a'));
    expect((await shard(2)).code).toBe(0);
    const merged = await cliInline(['merge', at('swapped-1'), at('swapped-2'), '--out', at('swapped')]);
    expect(merged).toMatchObject({ code: 2, stderr: expect.stringContaining('SHARDS_DIFFER') });

    writeFileSync(at('answers.csv'), 'task_id,model_id,response\npairing-1,a,"FINAL_SELECTION: A,B,C"\n');
    const table = await cliInline(['rescore', at('answers.csv'), '--tasks', at('tasks.jsonl')]);
    expect(table).toMatchObject({ code: 0, stdout: expect.stringContaining('1 rows scored') });
  });

  it('takes what merge puts together over its own result, over another batch with --force, and never over a shard', async () => {
    const score = (name: string, ...more: string[]) =>
      cliInline(['rescore', ...inputs, '--tasks', at('tasks.jsonl'), '--out', at(name), ...more]);
    const row = (model: string) =>
      `${JSON.stringify({ model_id: model, task_id: 'pairing-1', response: 'FINAL_SELECTION: A,B,C' })}\n`;
    const inputs = ['m1.jsonl', 'm2.jsonl'].map(at);
    for (const [k, input] of inputs.entries()) writeFileSync(input, row(`m${k}`));
    expect(await score('whole')).toMatchObject({ code: 0 });
    for (const n of [1, 2]) expect(await score(`share-${n}`, '--shard', `${n}/2`)).toMatchObject({ code: 0 });
    const merge = (out: string, ...more: string[]) =>
      cliInline(['merge', at('share-1'), at('share-2'), '--out', at(out), ...more]);
    const rowsIn = (name: string) => readdirSync(join(at(name), 'rows')).sort();

    expect(await merge('put')).toMatchObject({ code: 0, stderr: '' });
    expect(await merge('put')).toMatchObject({ code: 0, stderr: '' });
    // As one leaves it that was killed before its last part.
    const state = at('put/batch.json');
    writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, 'utf8')), parts: null }));
    rmSync(join(at('put'), 'rows', rowsIn('put').at(-1)!));
    expect(await merge('put')).toMatchObject({ code: 0, stderr: '' });
    expect(rowsIn('put')).toEqual(rowsIn('whole'));
    expect(summaryOf('put').results_sha256).toBe(summaryOf('whole').results_sha256);

    // What a full disk leaves before a batch can say that it begins.
    mkdirSync(at('unbegun/parts'), { recursive: true });
    writeFileSync(at('unbegun/.lock'), '');
    expect(await merge('unbegun')).toMatchObject({ code: 0, stderr: '' });
    expect(rowsIn('unbegun')).toEqual(rowsIn('whole'));

    mkdirSync(at('before/rows'), { recursive: true });
    writeFileSync(at('before/mine.txt'), 'mine');
    writeFileSync(at('before/rows/part-000099.parquet'), 'of an earlier batch');
    const refused = await merge('before');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/OUTPUT_EXISTS: .*before: is not empty, and holds no batch.*--force/s);
    expect(rowsIn('before')).toEqual(['part-000099.parquet']);
    expect(await merge('before', '--force')).toMatchObject({ code: 0, stderr: '' });
    expect(rowsIn('before')).toEqual(rowsIn('whole'));
    expect(summaryOf('before').results_sha256).toBe(summaryOf('whole').results_sha256);
    expect(readFileSync(at('before/mine.txt'), 'utf8')).toBe('mine');

    for (const out of ['share-2', 'share-2/']) {
      const own = await merge(out, '--force');
      expect(own).toMatchObject({ code: 2, stdout: '' });
      expect(own.stderr).toMatch(/OUTPUT_EXISTS: .*share-2.*: is one of the shards/);
    }
    expect(await merge('again')).toMatchObject({ code: 0, stderr: '' });
  });
});
