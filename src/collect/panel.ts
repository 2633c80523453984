import { orderKey } from '../io/digest.js';
import type { Phase } from '../ledger/index.js';
import type { Task } from '../tasks/task.js';
import type { Plan } from './plan.js';
import { repeatShift, rotateTask } from './repeat.js';

/** A task to be asked in one phase, `samples` times. */
export interface PanelTask {
  readonly phase: Phase;
  readonly task: Task;
  /** The task it was relabelled from, in the repeat phase. */
  readonly original: string | null;
  readonly samples: number;
}

function groups(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const found = new Map<string, Task[]>();
  for (const task of tasks) {
    const name = `${task.panel}\0${task.family}`;
    const group = found.get(name);
    if (group) group.push(task);
    else found.set(name, [task]);
  }
  return [...found.values()];
}

function byKey(tasks: readonly Task[], ...parts: string[]): Task[] {
  const keyed = tasks.map((task) => ({ task, key: orderKey(...parts, task.id) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  return keyed.map(({ task }) => task);
}

/** The tasks of a panel and family whose chance score is closest to its median; ties by a seeded hash (collection 1.6). */
function typical(group: readonly Task[], count: number, seed: string): readonly Task[] {
  const sorted = group.map((task) => task.chance).sort((a, b) => a - b);
  const half = sorted.length / 2;
  // Twice the median, so that it stays an integer.
  const median2 = (sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0);
  const distance = (task: Task): number => Math.abs(2 * task.chance - median2);
  return byKey(group, seed, 'pilot')
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}

/** What every model is asked, phase by phase. */
export function panelTasks(options: {
  readonly tasks: readonly Task[];
  readonly phases: Plan['phases'];
  readonly seed: string;
}): readonly PanelTask[] {
  const { tasks, phases, seed } = options;
  const out: PanelTask[] = [];
  if (phases.pilot) {
    for (const group of groups(tasks)) {
      for (const task of typical(group, phases.pilot.per_family, seed)) {
        out.push({ phase: 'pilot', task, original: null, samples: 1 });
      }
    }
  }
  if (phases.primary) {
    const { samples } = phases.primary;
    for (const task of tasks) out.push({ phase: 'primary', task, original: null, samples });
  }
  if (phases.repeat) {
    for (const group of groups(tasks)) {
      for (const task of byKey(group, seed, 'repeat-panel').slice(0, phases.repeat.per_family)) {
        const rotated = rotateTask(task, repeatShift(seed, task.id));
        out.push({ phase: 'repeat', task: rotated, original: task.id, samples: 1 });
      }
    }
  }
  return out;
}
