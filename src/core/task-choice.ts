import { fail, shown } from '../util/error.js';
import { counted } from '../util/format.js';
import { namedIn } from './named-choice.js';

/** Which columns of a matrix are left out. */
export interface TaskChoice {
  /** Tasks; each entry is an id, or several separated by commas. */
  readonly withoutTasks?: readonly string[];
  /** Families whose tasks are all left out, written the same way. */
  readonly withoutFamilies?: readonly string[];
}

/** What a choice asks of a task. */
interface NamedTask {
  readonly name: string;
  readonly family: string;
}

/**
 * Tells for each task whether a choice keeps it (decisions 4.3). Errors: TASK_UNKNOWN and FAMILY_UNKNOWN for a name that is none of them, USAGE
 * where no task is left.
 */
export function keptTasks(tasks: readonly NamedTask[], { withoutTasks, withoutFamilies }: TaskChoice): boolean[] {
  if (withoutTasks === undefined && withoutFamilies === undefined) return tasks.map(() => true);
  const known = (key: 'name' | 'family') => new Set(tasks.map((task) => task[key]));
  const left = namedIn(withoutTasks ?? [], { option: '--without-tasks', noun: 'task', known: known('name') });
  const families = namedIn(withoutFamilies ?? [], {
    option: '--without-families',
    noun: 'family',
    known: known('family'),
  });
  const kept = tasks.map(({ name, family }) => !left.has(name) && !families.has(family));
  if (tasks.length > 0 && !kept.includes(true))
    fail('USAGE', null, 'no task is left', 'Leave fewer out with --without-tasks or --without-families.');
  return kept;
}

/** Says which tasks a choice left out, without a full stop; nothing where it kept all. */
export function taskChoiceWords(leftOut: readonly string[], kept: number): string[] {
  if (leftOut.length === 0) return [];
  const names = leftOut.slice(0, 10).map((task) => shown(task));
  const more = leftOut.length > names.length ? `, ... (${leftOut.length} in all)` : '';
  return [
    `by choice of the call scores are over ${counted(kept, 'task')} of ${kept + leftOut.length}; left out: ${names.join(', ')}${more}`,
  ];
}
