import { compareSpans, spanOf, type TimeSpan } from '../../witness/span.js';
import type { CandidateCells } from '../candidate-cells.js';
import type { ReleasedJournal } from '../journal.js';

/** Since when a plan is known, and what the records of a release can show to have come before it. */
interface PlanTime {
  /** The first look at scores that a journal records; null where none does. */
  readonly firstLook: TimeSpan | null;
  /** When the first ranked answer was recorded; null where records state no time, as simulated and imported ones do not. */
  readonly firstAnswer: TimeSpan | null;
  /** Since when it is known. */
  readonly since: TimeSpan;
  /** True where scores were looked at before the plan was known. */
  readonly late: boolean;
  /** True where the plan is older than every ranked answer. */
  readonly beforeAnswers: boolean;
}

const earliest = (times: readonly string[]): TimeSpan | null =>
  times.map(spanOf).reduce<TimeSpan | null>((first, span) => (first && first.from <= span.from ? first : span), null);

/**
 * Compares the time since which a plan is known with the first look at scores and the first ranked answer, as far as journals and records state
 * them (collection 10.1). What the times do not tell, as that of a commit and of a look in its second, is neither late nor before.
 */
export function planTime(
  since: TimeSpan,
  { ordered }: Pick<CandidateCells, 'ordered'>,
  journals: readonly { readonly journal: Pick<ReleasedJournal, 'firstLook'> }[],
): PlanTime {
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
    late: firstLook !== null && compareSpans(since, firstLook) > 0,
    beforeAnswers: firstAnswer !== null && compareSpans(since, firstAnswer) < 0,
  };
}

/** Says what is known of the time of a plan. */
export function planTimeWords({ since, firstLook, firstAnswer, late, beforeAnswers }: PlanTime): string {
  if (late) return `the plan is known since ${since.at}; scores were looked at on ${firstLook!.at}, before that`;
  const near = `too near to ${since.at}, since when the plan is known, to tell which came first`;
  const looks =
    firstLook !== null && compareSpans(since, firstLook) === 0
      ? `scores were looked at on ${firstLook.at}, ${near}`
      : 'no look at scores is recorded before the plan was frozen';
  if (firstAnswer === null) return `${looks}; no ranked answer states a time`;
  if (beforeAnswers) return `the plan was frozen before the first ranked answer was recorded (${firstAnswer.at})`;
  const order = compareSpans(since, firstAnswer) > 0 ? 'before it' : near;
  return `${looks}; the first ranked answer was recorded on ${firstAnswer.at}, ${order}`;
}
