import { pairCount, pairIndex } from '../engine/design.js';
import type { IngredientTags } from '../environment/environment.js';
import { type Diet, meetsDiet } from '../environment/feasibility.js';

/** A dietary and processing condition on every member of a portfolio (compiler a.4). */
export interface ConstraintVariant {
  readonly flag: Diet;
  /** Highest NOVA level. */
  readonly nova: number;
}

/** Whether an ingredient satisfies a variant: a known NOVA level within the limit, and the diet flag. */
export function satisfies(tags: IngredientTags, variant: ConstraintVariant): boolean {
  return meetsDiet(tags, { diet: variant.flag, maximumNova: variant.nova });
}

/** Bits of the choices that satisfy a variant; all of them where there is none. */
export function allowedBits(choices: readonly IngredientTags[], variant: ConstraintVariant | null): number {
  return choices.reduce((bits, tags, i) => (variant === null || satisfies(tags, variant) ? bits | (1 << i) : bits), 0);
}

/** Bits of the pairs whose members share a category, in `pairIndex` order: such pairs exclude each other in regional tasks. */
export function conflictWords(choices: readonly IngredientTags[]): Uint32Array {
  const n = choices.length;
  const words = new Uint32Array(Math.ceil(pairCount(n) / 32));
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      if (choices[i]!.category !== choices[j]!.category) continue;
      const pair = pairIndex(i, j, n);
      words[pair >>> 5] = words[pair >>> 5]! | (1 << (pair & 31));
    }
  }
  return words;
}
