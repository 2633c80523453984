import type { Witness } from './witness.js';

/** When something was, as far as a time that is written tells. */
export interface TimeSpan {
  /** The time as it is written, ISO 8601. */
  readonly at: string;
  /** It was no earlier; milliseconds since 1970. */
  readonly from: number;
  /** It was earlier than this; milliseconds since 1970. */
  readonly until: number;
}

const SECOND = 1000;

/** Reads the span of a time that a document states of itself: as fine as it is written, and no finer than a millisecond. */
export function spanOf(at: string): TimeSpan {
  const from = Date.parse(at);
  const digits = /\.(\d+)/.exec(at)?.[1]?.length ?? 0;
  return { at, from, until: from + SECOND / 10 ** Math.min(digits, 3) };
}

/**
 * Gives the spans of what witnesses state. The time of a commit is a whole second whatever the clock of its committer showed, and so is that of
 * most tokens, whose form leaves a fraction of zero out (RFC 3161, 2.4.2): a time of t shows no more than that it was before t + 1 s.
 */
export function witnessSpans(witnesses: readonly Witness[]): TimeSpan[] {
  return witnesses.flatMap(({ at }) => {
    if (at === null) return [];
    const from = Date.parse(at);
    return { at, from, until: from + (from % SECOND === 0 ? SECOND : 1) };
  });
}

/** Gives the span in which the last of some events was; null where there is none. */
export function lastOf(spans: readonly TimeSpan[]): TimeSpan | null {
  return spans.reduce<TimeSpan | null>((last, span) => {
    if (last === null) return span;
    return { ...(span.from > last.from ? span : last), until: Math.max(last.until, span.until) };
  }, null);
}

/**
 * Gives the span in which a document came to be known: as late as the latest of the time it states of itself and those of its witnesses, since
 * what a witness saw later shows nothing of earlier (collection 10.2).
 */
export function knownSince(stated: string, witnesses: readonly Witness[]): TimeSpan {
  return lastOf([spanOf(stated), ...witnessSpans(witnesses)])!;
}

/** Compares two spans: negative where the first was earlier, positive where it was not, 0 where the times do not tell. */
export function compareSpans(one: TimeSpan, other: TimeSpan): number {
  if (one.until <= other.from) return -1;
  return one.from >= other.until ? 1 : 0;
}
