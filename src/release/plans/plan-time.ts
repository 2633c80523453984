import type { CandidateCells } from '../candidate-cells.js';
import type { ReleasedJournal } from '../journal.js';

/** Since when a plan is known, and what the records of a release can show to have come before it. */
interface PlanTime {
  /** The first look at scores that a journal records; null where none does. */
  readonly firstLook: string | null;
  /** When the first ranked answer was recorded; null where records state no time, as simulated and imported ones do not. */
  readonly firstAnswer: string | null;
  /** Since when it is known. */
  readonly since: string;
  /** True where scores were looked at before the plan was known. */
  readonly late: boolean;
  /** True where the plan is older than every ranked answer. */
  readonly beforeAnswers: boolean;
}

const earliest = (times: readonly string[]): string | null =>
  times.reduce<string | null>(
    (first, time) => (first === null || Date.parse(time) < Date.parse(first) ? time : first),
    null,
  );

/**
 * Compares the time since which a plan is known with the first look at scores and the first ranked answer, as far as journals and records state
 * them (collection 10.1).
 */
export function planTime(
  since: string,
  { ordered }: Pick<CandidateCells, 'ordered'>,
  journals: readonly { readonly journal: Pick<ReleasedJournal, 'firstLook'> }[],
): PlanTime {
  const known = Date.parse(since);
  const firstLook = earliest(journals.flatMap(({ journal }) => journal.firstLook ?? []));
  const firstAnswer = earliest(
    ordered.flatMap(({ inCore, observation: { record } }) =>
      inCore && record !== null && record.source !== 'simulated' && record.recorded_at !== null
        ? [record.recorded_at]
        : [],
    ),
  );
  return {
    since,
    firstLook,
    firstAnswer,
    late: firstLook !== null && known > Date.parse(firstLook),
    beforeAnswers: firstAnswer !== null && known < Date.parse(firstAnswer),
  };
}

/** Says what is known of the time of a plan. */
export function planTimeWords({ since, firstLook, firstAnswer, late, beforeAnswers }: PlanTime): string {
  if (late) return `the plan is known since ${since}; scores were looked at on ${firstLook}, before that`;
  if (beforeAnswers) return `the plan was frozen before the first ranked answer was recorded (${firstAnswer})`;
  const answers =
    firstAnswer === null
      ? 'no ranked answer states a time'
      : `the first ranked answer was recorded on ${firstAnswer}, before it`;
  return `no look at scores is recorded before the plan was frozen; ${answers}`;
}
