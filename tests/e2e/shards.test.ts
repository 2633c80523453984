import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../support/cli.js';
import { cliInline } from '../support/cli-inline.js';
import { wholeAndShards } from '../support/shard-calls.js';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shards-'));
  const tasks = Array.from({ length: 48 }, (_, t) => t);
  const value = (m: number, t: number) => 3000 + ((t * 7919 + m * 104_729) % 2003) + 120 * m;
  const rows = Array.from({ length: 7 }, (_, m) => [`m${m}`, ...tasks.map((t) => value(m, t))].join(','));
  writeFileSync(at('scores.csv'), [['model', ...tasks.map((t) => `t${t}`)].join(','), ...rows].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const files = (name: string) =>
  Object.fromEntries(
    readdirSync(at(name)).map((file) => [file, readFileSync(join(at(name), file)).toString('base64')]),
  );

/** Runs a call whole, and by so many shards that are put together in no order; gives both results. */
async function both(name: string, call: readonly string[], count: number) {
  expect(await cliInline([...call, '--out', at(`${name}-whole`), '--quiet'])).toMatchObject({ code: 0, stderr: '' });
  const parts = Array.from({ length: count }, (_, k) => at(`${name}-${k + 1}`));
  for (const [k, part] of parts.entries())
    expect(await cliInline([...call, '--shard', `${k + 1}/${count}`, '--out', part])).toMatchObject({
      code: 0,
      stderr: '',
    });
  const merged = await cliInline(['merge', ...parts.toReversed(), '--out', at(`${name}-merged`)]);
  expect(merged).toMatchObject({ code: 0, stderr: '' });
  return { whole: files(`${name}-whole`), merged: files(`${name}-merged`), parts };
}

describe('a call in shards', () => {
  it.each([
    ['infer', ['--draws', '3000', '--flips', '5001'], 3],
    ['infer', ['--draws', '500', '--flips', '20000', '--multiplicity', 'max-t'], 2],
    ['infer', ['--draws', '3', '--flips', '2000', '--interval', 'bootstrap-t'], 5],
    ['rank-audit', [], 2],
  ])('%s %j in %i shards gives every byte of the whole', async (name, more, count) => {
    const { whole, merged } = await both(`${name}${more.length}${count}`, [name, at('scores.csv'), ...more], count);
    expect(Object.keys(merged)).toEqual(Object.keys(whole));
    expect(Object.keys(whole).length).toBeGreaterThan(4);
    expect(merged).toEqual(whole);
  });

  it('a share does its own draws and no others, and merge draws nothing that shares have drawn', async () => {
    const call = ['infer', at('scores.csv'), '--draws', '4000', '--flips', '9000', '--threads', '1'];
    const run = cli([...call, '--shard', '2/4', '--out', at('share')]);
    expect(run).toEqual({
      code: 0,
      stderr: '',
      stdout: `Written to ${at('share')}: share 2 of 4 shares, 1,000 bootstrap draws, 2,250 sign flips\n`,
    });
    const text = readFileSync(at('share'), 'latin1');
    const { pieces } = JSON.parse(text.slice(65, text.indexOf('\n', 65)));
    expect(pieces.map(({ first, count, units }: Record<string, number>) => [first, count, units])).toEqual([
      [1000, 1000, 4000],
      [2250, 2250, 9000],
    ]);
  });
});

/** Writes a part anew with another first line, and the digest that belongs to it: what no damage does. */
function forge(name: string, change: (head: string) => string): void {
  const bytes = readFileSync(at(name));
  const end = bytes.indexOf(10, 65);
  const body = Buffer.concat([Buffer.from(change(bytes.toString('utf8', 65, end))), bytes.subarray(end)]);
  writeFileSync(at(name), Buffer.concat([Buffer.from(`${createHash('sha256').update(body).digest('hex')}\n`), body]));
}

const TASKS = 'fixtures/tasks-small.json';

describe('shards as processes that know nothing of each other', () => {
  beforeAll(() => {
    mkdirSync(at('answers'));
    const lines = readFileSync('fixtures/responses-small.jsonl', 'utf8').trim().split('\n');
    const middle = Math.floor(lines.length / 2);
    for (const [k, part] of [lines.slice(0, middle), lines.slice(middle)].entries())
      writeFileSync(at(`answers/${k}.jsonl`), `${part.join('\n')}\n`);
  });

  it.each([
    ['rescore', ['rescore', 'answers', '--tasks', TASKS], ''],
    ['infer', ['infer', 'scores.csv', '--draws', '500', '--flips', '1000'], '.json'],
    ['rank-audit', ['rank-audit', 'scores.csv', '--draws', '500', '--flips', '1000'], '.json'],
    ['coverage', ['coverage', 'scores.csv', '--datasets', '4', '--draws', '100', '--flips', '400'], '.json'],
    ['power', ['power', 'scores.csv', '--datasets', '4', '--flips', '600'], '.json'],
    ['maps', ['maps', TASKS, '--env', 'pantry'], '.jsonl'],
    [
      'sensitivity',
      [
        ...['sensitivity', 'precision', '--responses', 'fixtures/responses-small.jsonl', '--tasks', TASKS],
        ...['--draws', '21', '--sizes', '6'],
      ],
      '.json',
    ],
  ])('of %s are put together by another one', async (name, words, ending) => {
    const call = words.map((word) => (word === 'scores.csv' || word === 'answers' ? at(word) : word));
    const { whole, merged } = await wholeAndShards(call, { at: at(`apart-${name}`), count: 2, ending, run: cli });
    expect(JSON.stringify(whole).length).toBeGreaterThan(1000);
    expect(merged).toEqual(whole);
  });
});

describe('merge', () => {
  it.each([
    ['of another version', /"version":"[^"]*"/, '"version":"9.9.9"', 'SHARDS_DIFFER', 'made by version 9.9.9'],
    ['of other kernels', /"kernels_sha256":"[^"]*"/, '"kernels_sha256":"abc"', 'SHARDS_DIFFER', 'with kernels abc'],
    ['of a command that has none', /"call":\["infer"/, '"call":["score"', 'USAGE', 'is not shared by parts'],
    [
      'whose call says where to write',
      /"call":\["infer"/,
      '"call":["infer","--out","/tmp/x"',
      'PART_INVALID',
      'how it is written',
    ],
    [
      'of more draws',
      /"key":"[^"]*","units":40,/,
      (found: string) => found.replace('40', '41'),
      'PART_INVALID',
      'shard 1 of 1',
    ],
    ['of another work', /"values":280/, '"valuez":280', 'PART_INVALID', 'the numbers redraws, valuez'],
  ])('refuses a share %s', async (_, from, to, code, words) => {
    const call = [
      'infer',
      at('scores.csv'),
      '--draws',
      '40',
      '--flips',
      '3000',
      '--shard',
      '1/1',
      '--quiet',
      '--force',
    ];
    expect(await cliInline([...call, '--out', at('forged')])).toEqual({ code: 0, stdout: '', stderr: '' });
    forge('forged', (head) => {
      expect(head).toMatch(from);
      return head.replace(from, to as string);
    });
    const run = await cliInline(['merge', at('forged'), '--out', at('refused')]);
    expect(run.stderr).toContain(`flavourbench: ${code}: `);
    expect(run.stderr).toContain(words);
    expect({ ...run, stderr: '' }).toEqual({ code: 2, stdout: '', stderr: '' });
  });

  it.each([
    ['a missing one', ['infer-1'], 'SHARDS_INCOMPLETE', 'shard 2 of 2 is missing'],
    ['one twice', ['infer-1', 'infer-1', 'infer-2'], 'SHARDS_DIFFER', 'is shard 1, as'],
    ['one of another call', ['infer-1', 'other-2'], 'SHARDS_DIFFER', 'of other inputs or options'],
    ['one of other inputs', ['infer-1', 'moved-2'], 'SHARDS_DIFFER', 'of other inputs or options'],
    ['one of another count', ['infer-1', 'three-2'], 'SHARDS_DIFFER', 'is one of 3 shards'],
    ['a file that was cut', ['infer-1', 'cut-2'], 'DIGEST_MISMATCH', 'was changed or cut'],
    ['a file that is none', ['scores.csv'], 'PART_INVALID', 'is no share of a work'],
    ['a share of changed files', ['changed-1'], 'SHARDS_DIFFER', 'what they are made from is not what it was'],
  ])('refuses %s', async (_, names, code, words) => {
    const share = async (name: string, file: string, ...more: string[]) => {
      const run = await cliInline([
        'infer',
        at(file),
        '--draws',
        '40',
        '--flips',
        '3000',
        ...more,
        '--out',
        at(name),
        '--force',
      ]);
      expect(run).toMatchObject({ code: 0, stderr: '' });
    };
    for (const name of names) {
      const [kind, index] = name.split('-');
      if (kind === 'infer') await share(name, 'scores.csv', '--shard', `${index}/2`);
      if (kind === 'other') await share(name, 'scores.csv', '--shard', `${index}/2`, '--seed', '7');
      if (kind === 'three') await share(name, 'scores.csv', '--shard', `${index}/3`);
      if (kind === 'cut') {
        await share(name, 'scores.csv', '--shard', `${index}/2`);
        writeFileSync(at(name), readFileSync(at(name)).subarray(0, -8));
      }
      if (kind === 'moved' || kind === 'changed') {
        const file = kind === 'moved' ? 'moved.csv' : 'changed.csv';
        writeFileSync(at(file), readFileSync(at('scores.csv')));
        await share(name, file, '--shard', kind === 'moved' ? `${index}/2` : '1/1');
        writeFileSync(
          at(file),
          readFileSync(at('scores.csv'), 'utf8').replace(/\d$/, (digit) => `${9 - Number(digit)}`),
        );
      }
    }
    const run = await cliInline(['merge', ...names.map(at), '--out', at('refused')]);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(`flavourbench: ${code}: `);
    expect(run.stderr).toContain(words);
    expect(run.code).toBe(2);
  });

  it('a share of other works than the audit is refused', async () => {
    const call = ['rank-audit', at('scores.csv'), '--shard', '1/2', '--out', at('none')];
    expect((await cliInline([...call, '--annotate', at('copies')])).stderr).toContain('--shard with --annotate');
    expect((await cliInline([...call, '--compare', at('scores.csv')])).stderr).toContain('--shard with --compare');
  });

  it('a share is not written without a place to write it to', async () => {
    expect((await cliInline(['rank-audit', at('scores.csv'), '--shard', '1/2'])).stderr).toContain(
      '--shard without --out',
    );
  });
});
