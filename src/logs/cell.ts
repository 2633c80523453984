import { type ErrorPlace, shown } from '../util/error.js';
import { nearestHint } from '../util/spelling.js';
import { shellWord } from '../util/text.js';

/** One sample of an evaluation log, scored or not. */
export interface LogCell {
  readonly model: string;
  /** The evaluation the sample belongs to: a stratum of the audit. */
  readonly family: string;
  /** The sample. Repeats of one sample are attempts at one cell. */
  readonly sample: string;
  /** 1 for the first answer to a sample, 2 for its first repeat, ... */
  readonly repeat: number;
  /** Null where the harness holds no score of the model's answer: a missing cell, never a zero. */
  readonly value: number | null;
  /** Metric, scorer or named score the value was taken from. */
  readonly metric: string;
  /** Filter of the answer, where logs have one. */
  readonly filter: string | null;
  /** What identifies the sample's content, where the log says it: runs that differ in it do not join. */
  readonly content?: string;
  /** Samples that stand or fall together; each alone unless the log says it. */
  readonly cluster?: string;
  readonly place: ErrorPlace & { readonly file: string };
}

/** Gives a function that numbers the answers to each (model, sample) of one log in order: 1, 2, ... */
export function repeatCounter(): (model: string, sample: string) => number {
  const counts = new Map<string, number>();
  return (model, sample) => {
    const key = JSON.stringify([model, sample]);
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  };
}

/** Says which names could have been asked for, at most twelve of them. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'there is none';
  return `there is ${names.slice(0, 12).map(shown).join(', ')}${names.length > 12 ? ', ...' : ''}`;
}

/** Writes the option with the name that is nearest to one that is not there, as the beginning of a hint; nothing where none is near. */
export function nearest(option: '--metric' | '--filter', asked: string, names: readonly string[]): string {
  const hint = nearestHint(asked, names, (name) => `${option} ${shellWord(name)}`);
  return hint === undefined ? '' : `${hint} `;
}

/**
 * Reads a score: a finite number, 1 or 0 for a truth value; null where the harness wrote that there is none (null, NaN), undefined
 * for anything else.
 */
export function scoreOf(value: unknown): number | null | undefined {
  if (value === null || Number.isNaN(value)) return null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
