import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { CORE_PLAN, TASK_SETS } from '../support/released-files.js';
import { piecesIn, wholeAndShards } from '../support/shard-calls.js';
import { noShared, shared } from '../support/shared.js';

const folder = mkdtempSync(join(tmpdir(), 'shards-analyses-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const TASKS = 'fixtures/tasks-small.json';
const small = ['--responses', 'fixtures/responses-small.jsonl', '--tasks', TASKS];
const scores = at('scores.csv');

beforeAll(async () => {
  const tasks = Array.from({ length: 40 }, (_, t) => t);
  const value = (m: number, t: number) => ((t * 7919 + m * 104_729) % 61) + 3 * m;
  const rows = Array.from({ length: 5 }, (_, m) => [`m${m}`, ...tasks.map((t) => value(m, t))].join(','));
  writeFileSync(scores, [['model', ...tasks.map((t) => `t${t}`)].join(','), ...rows].join('\n'));
  expect(await cliInline(['maps', TASKS, '--env', 'pantry', '--out', at('maps.jsonl')])).toMatchObject({ code: 0 });
});

const substitutions = [
  ...['sensitivity', 'substitutions', '--env', 'pantry', '--min-group', '10', '--draws', '50'],
  ...['--substitutions', 'fixtures/substitutions-test.jsonl'],
  ...['--substitutions-train', 'fixtures/substitutions-train.jsonl'],
];

describe('an analysis in shards gives the result of the whole', () => {
  it.each([
    ['power', ['power', scores, '--datasets', '11', '--flips', '1000'], 3, 'data sets 3+4/11'],
    [
      'power by max-T',
      ['power', scores, '--datasets', '5', '--flips', '200', '--multiplicity', 'max-t'],
      2,
      'data sets 2+3/5',
    ],
    ['coverage', ['coverage', scores, '--datasets', '7', '--draws', '100', '--flips', '400'], 3, 'data sets 2+2/7'],
    [
      'coverage of fewer data sets',
      ['coverage', scores, '--datasets', '1', '--draws', '99', '--flips', '400'],
      2,
      'data sets 0+1/1',
    ],
    [
      'precision',
      ['sensitivity', 'precision', ...small, '--draws', '101', '--sizes', '6', '12'],
      2,
      'subsets 50+51/101',
    ],
    [
      'precision of tasks',
      ['sensitivity', 'precision', ...small, '--draws', '9', '--sampling', 'tasks'],
      4,
      'subsets 2+2/9',
    ],
    ['substitutions', substitutions, 3, 'bootstrap draws 16+17/50'],
    [
      'checkpoints',
      ['sensitivity', 'checkpoints', ...small, '--draws', '60', '--maps', `pantry=${at('maps.jsonl')}`],
      2,
      'bootstrap draws 30+30/60',
    ],
    [
      'all checks',
      ['sensitivity', 'all', ...small, '--draws', '30', '--maps', `pantry=${at('maps.jsonl')}`],
      2,
      'subsets 15+15/30',
    ],
  ])('%s', async (name, call, count, piece) => {
    // One file is quicker than a folder with its picture, which `all` writes.
    const ending = call[1] === 'all' ? '' : '.json';
    const { whole, merged, parts } = await wholeAndShards(call, { at: at(name.replaceAll(' ', '-')), count, ending });
    expect(Object.keys(whole).length).toBeGreaterThan(call[1] === 'all' ? 20 : 0);
    expect(merged).toEqual(whole);
    expect(piecesIn(parts[count > 1 ? 1 : 0]!)).toContain(piece);
  });

  it.skipIf(noShared)('filter', async () => {
    const inputs = [
      '--responses',
      shared('golden/a/responses.jsonl'),
      '--core',
      CORE_PLAN(),
      '--tasks',
      ...TASK_SETS(),
    ];
    const call = ['sensitivity', 'filter', ...inputs, '--pool', shared('golden/analyses/pool.csv'), '--draws', '60'];
    const { whole, merged, parts } = await wholeAndShards(call, { at: at('filter'), count: 2, ending: '.json' });
    expect(merged).toEqual(whole);
    expect(parts.map(piecesIn)).toEqual([['subsets 0+30/60'], ['subsets 30+30/60']]);
  });
});

describe('maps in shards are the maps of the whole', () => {
  it.each([
    ['rows', [TASKS], '.jsonl', 3],
    ['a document', [TASKS, '--only-families', 'pairing'], '.json', 2],
    ['all anchors', ['--all-anchors', '--only-families', 'pairing'], '.arrow', 3],
  ])('as %s', async (_, more, ending, count) => {
    const call = ['maps', ...more, '--env', 'pantry'];
    const { whole, merged, parts } = await wholeAndShards(call, {
      at: at(`maps${ending}`),
      count,
      ending,
    });
    expect(merged).toEqual(whole);
    const all = parts.flatMap(piecesIn);
    expect(all).toHaveLength(count);
    for (const piece of all) expect(piece).toMatch(/^maps \d+\+[1-9]\d*\/\d+$/);
  });
});

describe('shards are refused', () => {
  it.each([
    ['where a check draws nothing', ['sensitivity', 'weights', ...small], 'nothing in this call is shared out'],
    [
      'of a replayed stream',
      ['sensitivity', 'precision', ...small, '--rng', 'numpy', '--sampling', 'tasks', '--order', 'rows'],
      'replayed stream',
    ],
    ['of a plan without its simulation', ['power', scores, '--no-simulation'], 'nothing in this call is shared out'],
  ])('%s', async (_, call, words) => {
    const run = await cliInline([...call, '--shard', '1/2', '--out', at('none'), '--quiet']);
    expect({ ...run, stderr: '' }).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(run.stderr).toContain('flavourbench: USAGE: ');
    expect(run.stderr).toContain(words);
  });

  it('of maps under other rules than those at hand', async () => {
    const call = [
      'maps',
      '--all-anchors',
      '--only-families',
      'pairing',
      '--env',
      'pantry',
      '--design',
      at('design.json'),
    ];
    writeFileSync(at('design.json'), '{"least_feasible":4}');
    expect(await cliInline([...call, '--shard', '1/1', '--out', at('designed')])).toMatchObject({ code: 0 });
    writeFileSync(at('design.json'), '{"least_feasible":5}');
    const run = await cliInline(['merge', at('designed'), '--out', at('designed.arrow')]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('flavourbench: SHARDS_DIFFER: ');
  });
});
