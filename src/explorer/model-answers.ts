import { counted, fixed, thousands } from '../util/format.js';
import type { BookAnswer } from './sources/answer-book.js';

/** What became of answers, in words. Kinds that a provider or a later version names stand as they are. */
const WORDS: Readonly<Record<string, string>> = {
  ok: 'a selection was read',
  no_marker: 'no line names a selection',
  empty_selection: 'the selection is empty',
  wrong_count: 'not three items',
  unknown_label: 'an item that is not offered',
  duplicate_label: 'an item twice',
  contradictory: 'selections that contradict each other',
  not_text: 'no text',
  failed_status: 'stated as failed',
  too_long: 'longer than is read',
  open_reasoning: 'reasoning that never ends',
  refusal: 'the provider reports a refusal',
  length: 'cut off at the limit of tokens',
  empty: 'an empty reply',
  identity: 'another model answered',
  ambiguous: 'sent, and what became of it is not known',
  content_filter: 'stopped by a filter of the provider',
};

/** Words what became of an answer. */
export const outcomeWords = (kind: string): string => WORDS[kind] ?? kind.replaceAll('_', ' ');

interface AnswerKind {
  readonly kind: string;
  readonly words: string;
  readonly all: number;
  /** Of all: on tasks that count in the ranking. */
  readonly ranked: number;
}

interface ModelAnswers {
  readonly answers: number;
  /** Without a selection. */
  readonly failed: number;
  readonly kinds: readonly AnswerKind[];
  readonly simulated: boolean;
}

/** Counts the answers of a model by what became of them: those that were read first, then the most frequent failure. */
export function modelAnswers(answers: readonly BookAnswer[]): ModelAnswers {
  const kinds = new Map<string, { all: number; ranked: number }>();
  for (const { outcome, inCore } of answers) {
    const counts = kinds.get(outcome) ?? { all: 0, ranked: 0 };
    counts.all += 1;
    if (inCore) counts.ranked += 1;
    kinds.set(outcome, counts);
  }
  return {
    answers: answers.length,
    failed: answers.length - (kinds.get('ok')?.all ?? 0),
    kinds: [...kinds]
      .map(([kind, counts]) => ({ kind, words: outcomeWords(kind), ...counts }))
      .sort((a, b) => Number(b.kind === 'ok') - Number(a.kind === 'ok') || b.all - a.all || (a.kind < b.kind ? -1 : 1)),
    simulated: answers.some(({ facts }) => facts.transport === 'simulated' || facts.source === 'simulated'),
  };
}

/** Finds the value below which a share of sorted values lies: the least with at least that share at or below it. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** Writes micro-USD as dollars, with as many places as tell small sums apart. */
export function dollars(micros: number): string {
  if (micros === 0) return '$0';
  const value = micros / 1e6;
  return `$${fixed(value, value >= 100 ? 0 : value >= 1 ? 2 : 4)}`;
}

const seconds = (milliseconds: number) => `${fixed(milliseconds / 1000, milliseconds < 10_000 ? 2 : 1)} s`;

/** Says what answers cost and how long they took: sums and means, the middle and the slowest tenth. */
export function numberFacts(answers: readonly BookAnswer[]): (readonly [string, string])[] {
  const known = (of: (answer: BookAnswer) => number | null) =>
    answers.flatMap((answer) => of(answer) ?? []).sort((a, b) => a - b);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const cost = known(({ costMicros }) => costMicros);
  const time = known(({ latencyMs }) => latencyMs);
  const tokens = known(({ tokens: count }) => count);
  return [
    [
      'Cost',
      cost.length === 0
        ? 'not stated'
        : `${dollars(sum(cost))} for ${counted(cost.length, 'answer')}, ${dollars(sum(cost) / cost.length)} each`,
    ],
    [
      'Time to an answer',
      time.length === 0
        ? 'not stated'
        : `${seconds(quantile(time, 0.5))} in the middle, ${seconds(quantile(time, 0.9))} or more for the slowest tenth`,
    ],
    [
      'Tokens written',
      tokens.length === 0
        ? 'not stated'
        : `${thousands(sum(tokens))}, ${thousands(Math.round(sum(tokens) / tokens.length))} each`,
    ],
  ];
}
