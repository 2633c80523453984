import { orderKey } from '../io/digest.js';
import type { Phase } from '../ledger/cell-key.js';
import { LABELS, PORTFOLIO_INDEX, PORTFOLIOS, type Task } from '../tasks/task.js';
import { fail } from '../util/error.js';
import { joinedKey } from '../util/joined.js';
import type { CollectionPlan } from './collection-plan.js';

/** A task to be asked in one phase, `samples` times. */
export interface PhaseTask {
  readonly phase: Phase;
  readonly task: Task;
  /** The task it was relabelled from, in the repeat phase. */
  readonly original: string | null;
  readonly samples: number;
}

function groups(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const found = new Map<string, Task[]>();
  for (const task of tasks) {
    const name = joinedKey(task.panel, task.family);
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

/** Lists what every model is asked, phase by phase. Errors: those of `rotateTask`. */
export function phaseTasks(options: {
  readonly tasks: readonly Task[];
  readonly phases: CollectionPlan['phases'];
  readonly seed: string;
}): readonly PhaseTask[] {
  const { tasks, phases, seed } = options;
  const out: PhaseTask[] = [];
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

const CANDIDATE = /^([A-H])([.):] )(.*)$/;

/** Says how far a task's labels are rotated in the repeat phase: 1 to 7, fixed by seed and task (collection 1.6). */
export function repeatShift(seed: string, taskId: string): number {
  return 1 + (Number.parseInt(orderKey(seed, 'repeat', taskId).slice(0, 8), 16) % 7);
}

/** Makes the portfolio key after every label moved `shift` places on, sorted again. */
export function rotateKey(key: string, shift: number): string {
  return [...key]
    .map((label) => LABELS.charAt((LABELS.indexOf(label) + shift) % LABELS.length))
    .sort()
    .join('');
}

/**
 * Makes the same task under other labels: the candidate with label number i gets label number (i + shift) mod 8, in the prompt, the
 * names and the map. Scores, chance and margin are those of the original.
 * Errors: TASK_UNREADABLE where the prompt does not list its eight candidates one a line in label order.
 */
export function rotateTask(task: Task, shift: number): Task {
  const lines = task.prompt.split('\n');
  const first = lines.findIndex((line) => line.startsWith('A') && CANDIDATE.test(line));
  const rows = first < 0 ? [] : lines.slice(first, first + LABELS.length);
  const parts = rows.map((row) => CANDIDATE.exec(row));
  if (parts.length !== LABELS.length || parts.some((part, i) => part === null || part[1] !== LABELS.charAt(i))) {
    fail(
      'TASK_UNREADABLE',
      null,
      `task ${task.id}: the prompt does not list the candidates A to H one a line`,
      'The repeat phase needs to relabel the candidates; leave `repeat` out of the plan.',
    );
  }
  const moved = parts.map((_, to) => {
    const from = (to - shift + LABELS.length) % LABELS.length;
    return `${LABELS.charAt(to)}${parts[from]?.[2]}${parts[from]?.[3]}`;
  });
  const prompt = [...lines.slice(0, first), ...moved, ...lines.slice(first + LABELS.length)].join('\n');
  const scores = new Uint16Array(PORTFOLIOS.length);
  PORTFOLIOS.forEach((key, i) => {
    scores[PORTFOLIO_INDEX.get(rotateKey(key, shift))!] = task.scores[i]!;
  });
  return {
    ...task,
    id: `${task.id}-r${shift}`,
    prompt,
    choices: task.choices.map((_, to) => task.choices[(to - shift + LABELS.length) % LABELS.length]!),
    scores,
    optimal: PORTFOLIO_INDEX.get(rotateKey(PORTFOLIOS[task.optimal]!, shift))!,
  };
}
