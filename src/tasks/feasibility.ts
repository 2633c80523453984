import { pairCount, pairIndex } from '../engine/design.js';
import { type Diet, meetsDiet } from '../environment/diet.js';
import type { IngredientTags } from '../environment/environment.js';

/** A dietary and processing condition on every member of a portfolio (compiler a.4). */
export interface ConstraintVariant {
  readonly flag: Diet;
  /** Highest NOVA level. */
  readonly nova: number;
}

/** Says whether an ingredient satisfies a variant: a known NOVA level within the limit, and the diet flag. */
export function satisfies(tags: IngredientTags, variant: ConstraintVariant): boolean {
  return meetsDiet(tags, { diet: variant.flag, maximumNova: variant.nova });
}

/** Names a variant as prompts and messages do. */
export function variantName(variant: ConstraintVariant): string {
  return `${variant.flag}, NOVA at most ${variant.nova}`;
}

/** Sets the bits of the choices that may be used. */
export function allowedBits<T>(choices: readonly T[], mayBeUsed: (choice: T) => boolean): number {
  return choices.reduce((bits, choice, i) => (mayBeUsed(choice) ? bits | (1 << i) : bits), 0);
}

/** Bits of 32 choices, every one of which may be used. */
export const ALL_ALLOWED = 0xffff_ffff;

/** Sets the bits of the pairs whose members share a category, in `pairIndex` order: such pairs exclude each other. */
export function conflictWords(categories: readonly string[]): Uint32Array {
  const n = categories.length;
  const words = new Uint32Array(Math.ceil(pairCount(n) / 32));
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      if (categories[i] !== categories[j]) continue;
      const pair = pairIndex(i, j, n);
      words[pair >>> 5] = words[pair >>> 5]! | (1 << (pair & 31));
    }
  }
  return words;
}
