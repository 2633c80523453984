import { orderKey } from '../../util/digest.js';
import { FlavourError } from '../../util/error.js';
import type { Candidate } from './candidate.js';
import type { CompileDesign, Family } from './design.js';

/** The parts of a candidate that selection looks at. */
export type Selectable = Pick<Candidate, 'family' | 'difficulty'> & {
  readonly anchor: { readonly name: string; readonly category: string };
};

export interface Selected<T extends Selectable> {
  readonly candidate: T;
  /** 1 is the hardest. */
  readonly stratum: number;
  /** 1-based place in the family. */
  readonly number: number;
}

/** Strata by descending difficulty, names breaking ties: place i of n is in stratum floor(strata x i / n) + 1 (compiler b.6). */
export function stratify<T extends Selectable>(candidates: readonly T[], strata: number): T[][] {
  const order = [...candidates].sort((a, b) => {
    if (a.difficulty !== b.difficulty) return b.difficulty - a.difficulty;
    return a.anchor.name < b.anchor.name ? -1 : a.anchor.name > b.anchor.name ? 1 : 0;
  });
  const out: T[][] = Array.from({ length: strata }, () => []);
  order.forEach((candidate, i) => {
    out[Math.min(strata - 1, Math.floor((strata * i) / order.length))]!.push(candidate);
  });
  return out;
}

export interface SelectRequest<T extends Selectable> {
  readonly family: Family;
  readonly candidates: readonly T[];
  readonly design: CompileDesign;
  readonly seed: string;
  /** Anchors taken by earlier families; the selected ones are added. */
  readonly used: Set<string>;
  /** Anchors of an earlier panel, taken only when no novel one is left (compiler b.8). */
  readonly earlier: ReadonlySet<string>;
}

/**
 * Fills the strata of one family in hash order under the category cap (compiler b.6). Errors: STRATUM_SHORT and
 * CATEGORIES_FEW say how many there were and which rule took the others.
 */
export function selectFamily<T extends Selectable>(request: SelectRequest<T>): Selected<T>[] {
  const { family, candidates, design, seed, used, earlier } = request;
  const perCategory = new Map<string, number>();
  const chosen: { candidate: T; stratum: number; key: string }[] = [];
  stratify(candidates, design.strata).forEach((members, index) => {
    const stratum = index + 1;
    const free = members.filter(({ anchor }) => !used.has(anchor.name));
    const order = free
      .map((candidate) => ({
        candidate,
        again: earlier.has(candidate.anchor.name) ? 1 : 0,
        key: orderKey(seed, 'select', family, String(stratum), candidate.anchor.name),
      }))
      .sort((a, b) => a.again - b.again || (a.key < b.key ? -1 : 1));
    let taken = 0;
    let capped = 0;
    for (const { candidate } of order) {
      if (taken === design.perStratum) break;
      const { name, category } = candidate.anchor;
      if (used.has(name)) continue;
      const count = perCategory.get(category) ?? 0;
      if (count >= design.categoryCap) {
        capped += 1;
        continue;
      }
      perCategory.set(category, count + 1);
      used.add(name);
      taken += 1;
      chosen.push({ candidate, stratum, key: orderKey(seed, 'task', family, name) });
    }
    if (taken < design.perStratum) {
      throw new FlavourError(
        'STRATUM_SHORT',
        `${family}, stratum ${stratum}: ${taken} of ${design.perStratum} tasks; ${members.length} candidates, ${members.length - free.length} with an anchor already used, ${capped} beyond ${design.categoryCap} of one category`,
        {
          hint: 'Lower per_stratum, raise category_cap, or see why anchors are turned down with --explain ANCHOR.',
        },
      );
    }
  });
  if (perCategory.size < design.leastCategories) {
    throw new FlavourError(
      'CATEGORIES_FEW',
      `${family} covers ${perCategory.size} categories, ${design.leastCategories} needed`,
      {
        hint: 'Lower least_categories or category_cap, or add ingredients of other categories.',
      },
    );
  }
  return chosen
    .sort((a, b) => a.stratum - b.stratum || (a.key < b.key ? -1 : 1))
    .map(({ candidate, stratum }, i) => ({ candidate, stratum, number: i + 1 }));
}
