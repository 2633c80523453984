import { PORTFOLIOS } from '../../tasks/task.js';
import type { AnswerPlace } from '../answer.js';
import type { ChoiceIndex } from '../choices.js';
import { NEAR_MISSES, type NearMiss, nearMiss } from '../near-miss.js';
import { type AnswerCode, outcomeOf } from '../outcome.js';

/** An answer that a lenient reader would have read. */
interface NearExample {
  readonly file: string;
  readonly line: number | null;
  readonly row: number | null;
  readonly task: string;
  /** Why the parser did not read it. */
  readonly reason: string;
  /** What the lenient reader would take. */
  readonly selection: string;
  /** The end of the answer. */
  readonly text: string;
}

/** Near misses of a kind and a model; those of parts add up. */
export interface NearCount {
  readonly kind: NearMiss;
  readonly model: string;
  readonly rows: number;
  /** The first three. */
  readonly examples: readonly NearExample[];
}

const EXAMPLES = 3;
const EXCERPT = 200;

/** The end of a text, without half of a surrogate pair. */
const excerpt = (text: string): string => text.slice(-EXCERPT).replace(/^[\udc00-\udfff]/, '');

/** Opens what counts near misses among the texts of unreadable answers. */
export function nearMisses() {
  let counts = new Map<string, { kind: NearMiss; model: string; rows: number; examples: NearExample[] }>();
  return {
    look(text: string, code: AnswerCode, choices: ChoiceIndex, model: string, task: string, place: AnswerPlace): void {
      const found = nearMiss(text, code, choices);
      if (found === undefined) return;
      const { kind } = found;
      const key = `${kind}\0${model}`;
      let count = counts.get(key);
      if (count === undefined) {
        count = { kind, model, rows: 0, examples: [] };
        counts.set(key, count);
      }
      count.rows += 1;
      if (count.examples.length === EXAMPLES) return;
      const { file, line = null, item: row = null } = place;
      const selection = PORTFOLIOS[found.action]!;
      count.examples.push({ file, line, row, task, reason: outcomeOf(code), selection, text: excerpt(text) });
    },
    /** The near misses since the last call. */
    take(): readonly NearCount[] {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
  };
}

/** Adds up the near misses of parts, given in their order: kinds as they are tried, then models by number of rows. */
export function addNearMisses(parts: Iterable<readonly NearCount[]>): NearCount[] {
  const sums = new Map<string, NearCount>();
  for (const part of parts)
    for (const count of part) {
      const key = `${count.kind}\0${count.model}`;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, count);
      else {
        const examples = [...sum.examples, ...count.examples].slice(0, EXAMPLES);
        sums.set(key, { ...sum, rows: sum.rows + count.rows, examples });
      }
    }
  const order = (kind: NearMiss) => NEAR_MISSES.indexOf(kind);
  return [...sums.values()].sort(
    (a, b) => order(a.kind) - order(b.kind) || b.rows - a.rows || (a.model < b.model ? -1 : 1),
  );
}
