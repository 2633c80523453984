import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

interface AttackReport {
  readonly groups: Readonly<Record<string, { readonly cases: number; readonly refused: number }>>;
  readonly not_held: readonly object[];
}

function attacks(...which: readonly string[]): AttackReport {
  const run = spawnSync(process.execPath, ['fuzz/attacks/run.js', '--json', '--rounds', '2', ...which], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(run.stderr).toBe('');
  return JSON.parse(run.stdout) as AttackReport;
}

const mounted = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;
if (!mounted) process.stderr.write('SKIPPED: no file system can be mounted here (mount -t tmpfs)\n');

/* A part of what `npm run attacks` runs whole: two calls on full disks, each third of the forged parts and shards. */
it.skipIf(!mounted).each(['rescore, rows', 'collect'])(
  '%s says so where the disk is full or takes nothing, keeps what was there, and ends well with room',
  {
    timeout: 600_000,
  },
  (call) => {
    const { groups, not_held: wrong } = attacks('--group', 'disks', '--call', call);
    expect(wrong).toEqual([]);
    expect(groups['places that take nothing']).toEqual({ cases: 4, refused: 4, not_held: 0 });
    expect(groups['disks that fill up']!.cases).toBe(2);
  },
);

it.each(['infer'])(
  'parts of %s that are cut, forged, foreign, twice or too large are refused by name',
  {
    timeout: 600_000,
  },
  (call) => {
    const { groups, not_held: wrong } = attacks('--group', 'parts', '--call', call, '--every', '3');
    expect(wrong).toEqual([]);
    expect(groups['parts of a result']!.refused).toBeGreaterThan(13);
  },
);

it('shards of rescored answers that are cut, forged or too large are refused by name', { timeout: 600_000 }, () => {
  const { groups, not_held: wrong } = attacks('--group', 'folders', '--every', '3');
  expect(wrong).toEqual([]);
  const of = groups['shards of rescored answers']!;
  expect(of.cases).toBeGreaterThan(20);
  expect(of.refused).toBe(of.cases);
});
