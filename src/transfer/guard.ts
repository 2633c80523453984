import { readFileSync } from 'node:fs';
import { PORTFOLIOS, type Task } from '../tasks/task.js';
import { FlavourError } from '../util/error.js';
import { pyDigest } from '../util/pyjson.js';

let known: ReadonlySet<string> | undefined;

/** Digests of the 534 score maps of the published leaderboard. */
function leaderboardMaps(): ReadonlySet<string> {
  known ??= new Set(
    readFileSync(new URL('../../fixtures/leaderboard-maps.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );
  return known;
}

/** Digest of a score map: canonical JSON of its 56 keys and integers (compiler b.11). */
export function mapDigest(scores: ArrayLike<number>): string {
  return pyDigest(Object.fromEntries(PORTFOLIOS.map((key, i) => [key, scores[i] as number])));
}

/** Whether a score map is one the published leaderboard is ranked on. */
export function isLeaderboardMap(scores: ArrayLike<number>): boolean {
  return leaderboardMaps().has(mapDigest(scores));
}

/** Refuses to train on the leaderboard. Errors: LEADERBOARD_MAP naming the first such task. */
export function assertTrainable(tasks: readonly Task[], core?: ReadonlySet<string>): void {
  for (const task of tasks) {
    if (!core?.has(task.id) && !isLeaderboardMap(task.scores)) continue;
    throw new FlavourError(
      'LEADERBOARD_MAP',
      `task ${task.id} is ranked on the leaderboard; its map may not supervise training`,
      { hint: 'Leave the core out with --core PLAN.' },
    );
  }
}
