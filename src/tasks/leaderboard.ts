import { pyDigest } from '../io/pyjson.js';
import { fail } from '../util/error.js';
import { PORTFOLIOS, type Task } from './task.js';

let known: ReadonlySet<string> | undefined;

/** Gives a page the digests of the published maps, the text of fixtures/leaderboard-maps.txt, one a line. */
export function useLeaderboardMaps(text: string): void {
  known = new Set(text.trim().split('\n'));
}

/** Digests of the 534 score maps of the published leaderboard. Node reads them at the first call. */
function leaderboardMaps(): ReadonlySet<string> {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (!known && fs) {
    useLeaderboardMaps(fs.readFileSync(new URL('../../fixtures/leaderboard-maps.txt', import.meta.url), 'utf8'));
  }
  if (!known)
    fail(
      'INPUT_NOT_FOUND',
      { file: 'fixtures/leaderboard-maps.txt' },
      'was not given to this page',
      'Give its text to `useLeaderboardMaps`.',
    );
  return known;
}

/** Digest of a score map: canonical JSON of its 56 keys and integers (compiler b.11). */
function mapDigest(scores: ArrayLike<number>): string {
  return pyDigest(Object.fromEntries(PORTFOLIOS.map((key, i) => [key, scores[i]!])));
}

/** Says whether a score map is one the published leaderboard is ranked on. */
export function isLeaderboardMap(scores: ArrayLike<number>): boolean {
  return leaderboardMaps().has(mapDigest(scores));
}

/**
 * Refuses to train on the leaderboard: on the published one by its maps, on a core of one's own by its task ids.
 * Errors: LEADERBOARD_MAP naming the first such task.
 */
export function assertTrainable(tasks: readonly Pick<Task, 'id' | 'scores'>[], core?: ReadonlySet<string>): void {
  for (const { id, scores } of tasks) {
    if (!core?.has(id) && !isLeaderboardMap(scores)) continue;
    fail(
      'LEADERBOARD_MAP',
      null,
      `task ${id} is ranked on the leaderboard; its map may not supervise training`,
      'Train on tasks outside the core: `flavourbench transfer split` takes it out.',
    );
  }
}
