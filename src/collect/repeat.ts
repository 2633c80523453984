import { orderKey } from '../io/digest.js';
import { LABELS, PORTFOLIO_INDEX, PORTFOLIOS, type Task } from '../tasks/task.js';
import { fail } from '../util/error.js';

const CANDIDATE = /^([A-H])([.):] )(.*)$/;

/** How far a task's labels are rotated in the repeat panel: 1 to 7, fixed by seed and task (collection 1.6). */
export function repeatShift(seed: string, taskId: string): number {
  return 1 + (Number.parseInt(orderKey(seed, 'repeat', taskId).slice(0, 8), 16) % 7);
}

/** A portfolio key after every label moved `shift` places on, sorted again. */
export function rotateKey(key: string, shift: number): string {
  return [...key]
    .map((label) => LABELS.charAt((LABELS.indexOf(label) + shift) % LABELS.length))
    .sort()
    .join('');
}

/**
 * The same task under other labels: the candidate with label number i gets label number (i + shift) mod 8, in the prompt, the
 * names and the map. Scores, chance and margin are those of the original.
 *
 * @throws TASK_UNREADABLE when the prompt does not list its eight candidates one a line in label order.
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
      'A repeat panel needs to relabel the candidates; leave `repeat` out of the plan.',
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
