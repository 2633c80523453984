import { fail } from '../util/error.js';
import { readLeaderboardContent } from './leaderboard-file.js';
import type { Task } from './task.js';
import { contentOf, sameContent, type TaskContent } from './task-content.js';

let known: TaskContent | undefined;

/** Contents of the 534 ranked tasks of the published leaderboard: digests of the candidates and of the map's shape, a task a line. */
function leaderboardContent(): TaskContent {
  if (known) return known;
  const rows = readLeaderboardContent()
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  known = {
    candidates: new Set(rows.map(([candidates]) => candidates!)),
    shapes: new Set(rows.flatMap(([, shape]) => shape ?? [])),
  };
  return known;
}

type Trained = Pick<Task, 'id' | 'choices' | 'scores'>;

/** Tells by what a task is one of the published leaderboard: its candidates, or its map; undefined where it is none. */
export function leaderboardMatch(task: Omit<Trained, 'id'>): 'candidates' | 'map' | undefined {
  return sameContent(leaderboardContent(), task);
}

/** What may not supervise besides the published leaderboard: a core of one's own. */
export interface CoreGuard {
  readonly ids: ReadonlySet<string>;
  /** Contents of its tasks, as far as they are at hand. */
  readonly content?: TaskContent;
}

/** Makes the guard of a core from its ids and those of its tasks that are at hand. */
export function coreGuard(ids: Iterable<string>, tasks: readonly Trained[]): CoreGuard {
  const set = new Set(ids);
  return { ids: set, content: contentOf(tasks.filter(({ id }) => set.has(id))) };
}

const WHY = {
  id: 'its map may not supervise training',
  candidates: 'it has the eight candidates of one, whatever their order, spelling and map',
  map: 'its map is that of one, whatever its labels and names',
} as const;

/**
 * Refuses to train on ranked tasks: on those of the published leaderboard by their content, on those of a core of one's own by id and
 * content (compiler e.7). Errors: LEADERBOARD_MAP naming the first such task and why.
 */
export function assertTrainable(tasks: readonly Trained[], core?: CoreGuard): void {
  for (const task of tasks) {
    const why = core?.ids.has(task.id)
      ? 'id'
      : (leaderboardMatch(task) ?? (core?.content && sameContent(core.content, task)));
    if (why === undefined) continue;
    fail(
      'LEADERBOARD_MAP',
      null,
      `task ${task.id} is ranked on the leaderboard: ${WHY[why]}`,
      'Train on tasks outside the core: `flavourbench transfer split` takes it out by id and anchor.',
    );
  }
}
