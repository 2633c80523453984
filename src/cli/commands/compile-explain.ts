import type { AnchorOutcome } from '../../tasks/compile/explain-anchor.js';
import { FlavourError } from '../../util/error.js';
import { fixed } from '../../util/format.js';
import { printJson, printLine } from '../print.js';

export interface Explanation<T> {
  readonly anchor: string;
  readonly json: boolean;
  compile(): T;
  /** The compile is null when it failed. */
  explain(compiled: T | null): readonly AnchorOutcome[];
}

/** Prints `compile --explain`: a compile that fails is part of the explanation. */
export function explainCompile<T>({ anchor, json, compile, explain }: Explanation<T>): void {
  let compiled: T | null = null;
  let failure: string | null = null;
  try {
    compiled = compile();
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    failure = `${error.code}: ${error.message}`;
  }
  const outcomes = explain(compiled);
  if (json) {
    printJson({ anchor, failure, outcomes });
    return;
  }
  for (const outcome of outcomes) printLine(sentence(outcome));
  if (failure !== null) printLine(`the panel itself does not compile: ${failure}`);
}

function sentence(outcome: AnchorOutcome): string {
  const { family, variant, stratum, difficulty, choices } = outcome;
  const what = variant === null ? family : `${family} (${variant})`;
  const place = stratum === null ? '' : `, stratum ${stratum}`;
  const hard = difficulty === null ? '' : `, difficulty ${fixed(difficulty, 3)}`;
  const from = choices.length === 0 ? '' : `; choices ${choices.join(', ')}`;
  return `${what}: ${outcome.outcome}: ${outcome.detail}${place}${hard}${from}`;
}
