import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { noShared, shared } from '../support/shared.js';

const PLAN = '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507';
const SETS = [
  'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
  '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
];

const folder = mkdtempSync(join(tmpdir(), 'sensitivity-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const small = [
  '--responses',
  'fixtures/responses-small.jsonl',
  '--tasks',
  'fixtures/tasks-small.json',
];
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('sensitivity', () => {
  it('runs what its inputs allow on the small world, and names what it skips', async () => {
    const { code } = await cliInline([
      'sensitivity',
      'all',
      ...small,
      '--draws',
      '200',
      '--out',
      folder,
    ]);
    expect(code).toBe(0);
    const index = read('sensitivity.json');
    const done = index.analyses.filter((row: { skipped: string | null }) => row.skipped === null);
    expect(done.map((row: { name: string }) => row.name)).toEqual([
      'precision',
      'generalizability',
      'metrics',
      'weights',
    ]);
    expect(index.skipped).toBe(4);
    for (const { name, results_sha256 } of done) {
      expect(read(`${name}.json`).results_sha256).toBe(results_sha256);
      expect(
        readFileSync(join(folder, `${name}.png`))
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    }
  });

  it('writes the same bytes again', async () => {
    const before = readFileSync(join(folder, 'precision.json'));
    await cliInline(['sensitivity', 'precision', ...small, '--draws', '200', '--out', folder]);
    expect(readFileSync(join(folder, 'precision.json')).equals(before)).toBe(true);
  });

  it('ends a single analysis without its input with exit 3 and what is missing', async () => {
    const { code, stderr } = await cliInline(['sensitivity', 'checkpoints', ...small]);
    expect(code).toBe(3);
    expect(stderr).toContain('INPUT_MISSING: maps of other checkpoints');
  });

  it('checks authored substitutions in the pantry', async () => {
    const { code, stdout } = await cliInline([
      ...['sensitivity', 'substitutions', '--env', 'pantry', '--min-group', '10', '--draws', '500'],
      ...['--substitutions', 'fixtures/substitutions-test.jsonl'],
      ...['--substitutions-train', 'fixtures/substitutions-train.jsonl', '--json'],
    ]);
    expect(code).toBe(0);
    const { coverage, spaces } = JSON.parse(stdout).results;
    expect(coverage).toMatchObject({ test_events: 110, mapped_events: 108, unique_pairs: 108 });
    expect(spaces[0].all.percentile).toBeGreaterThan(0.8);
    expect(spaces[0].novel.pairs).toBeLessThan(108);
  });

  it.skipIf(noShared)(
    'runs seven analyses on the synthetic leaderboard (released data needed)',
    async () => {
      const out = join(folder, 'golden');
      const { code } = await cliInline([
        ...['sensitivity', 'all', '--responses', shared('golden/a/responses.jsonl'), '--tasks'],
        ...SETS.map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`)),
        ...['--core', shared(`data/plan/epicure-selection-joint-analysis-plan-${PLAN}.json`)],
        ...['--pool', shared('golden/analyses/pool.csv'), '--draws', '1000', '--out', out],
        ...['--maps', `replacement=${shared('golden/analyses/replacement_maps.jsonl')}`, '--quiet'],
      ]);
      expect(code).toBe(0);
      expect(read('golden/sensitivity.json').skipped).toBe(1);
      expect(read('golden/weights.json').results.grid_points).toBe(696);
      expect(read('golden/roster.json').results.most_influential).toBe('synthetic/model-06');
    },
  );
});
