import { orderKey } from '../../io/digest.js';
import { fail } from '../../util/error.js';
import type { CompileDesign } from './compile-design.js';

/** The parts of a candidate that selection looks at. */
export interface Selectable {
  readonly difficulty: number;
  readonly anchor: { readonly name: string; readonly category: string };
}

/** The parts of a design that selection follows. */
type SelectionDesign = Pick<CompileDesign, 'strata' | 'perStratum' | 'categoryCap' | 'leastCategories'>;

export interface Selected<T extends Selectable> {
  readonly candidate: T;
  /** 1 is the hardest. */
  readonly stratum: number;
  /** 1-based place in the family. */
  readonly number: number;
}

/** Makes strata by descending difficulty, names breaking ties: place i of n is in stratum floor(strata x i / n) + 1 (compiler b.6). */
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

/** A candidate that was not taken, and the rule that passed it over. */
interface PassedOver<T extends Selectable> {
  readonly candidate: T;
  readonly stratum: number;
  readonly reason: 'anchor_used' | 'category_cap' | 'stratum_full';
}

export interface Selection<T extends Selectable> {
  readonly selected: readonly Selected<T>[];
  readonly passedOver: readonly PassedOver<T>[];
}

interface SelectRequest<T extends Selectable> {
  readonly family: string;
  readonly candidates: readonly T[];
  readonly design: SelectionDesign;
  readonly seed: string;
  /** Anchors taken by earlier families; the selected ones are added. */
  readonly used: Set<string>;
  /** Anchors of an earlier panel, taken only when no novel one is left (compiler b.8). */
  readonly earlier: ReadonlySet<string>;
  /** Where the reader finds the keys of the design, for hints. */
  readonly designPlace: string;
}

/**
 * Fills the strata of one family in hash order under the category cap (compiler b.6). Errors: STRATUM_SHORT and
 * CATEGORIES_FEW say how many there were and which rule took the others.
 */
export function selectFamily<T extends Selectable>(request: SelectRequest<T>): Selection<T> {
  const { family, candidates, design, seed, used, earlier, designPlace } = request;
  const perCategory = new Map<string, number>();
  const chosen: { candidate: T; stratum: number; key: string }[] = [];
  const passedOver: PassedOver<T>[] = [];
  stratify(candidates, design.strata).forEach((members, index) => {
    const stratum = index + 1;
    const order = members
      .map((candidate) => ({
        candidate,
        again: earlier.has(candidate.anchor.name) ? 1 : 0,
        key: orderKey(seed, 'select', family, String(stratum), candidate.anchor.name),
      }))
      .sort((a, b) => a.again - b.again || (a.key < b.key ? -1 : 1));
    const count = { taken: 0, anchor_used: 0, category_cap: 0, stratum_full: 0 };
    for (const { candidate } of order) {
      const { name, category } = candidate.anchor;
      const before = perCategory.get(category) ?? 0;
      const reason = used.has(name)
        ? 'anchor_used'
        : count.taken === design.perStratum
          ? 'stratum_full'
          : before >= design.categoryCap
            ? 'category_cap'
            : null;
      if (reason) {
        count[reason] += 1;
        passedOver.push({ candidate, stratum, reason });
        continue;
      }
      perCategory.set(category, before + 1);
      used.add(name);
      count.taken += 1;
      chosen.push({ candidate, stratum, key: orderKey(seed, 'task', family, name) });
    }
    if (count.taken < design.perStratum) {
      fail(
        'STRATUM_SHORT',
        null,
        `${family}, stratum ${stratum}: ${count.taken} of ${design.perStratum} tasks; of ${members.length} candidates ${count.anchor_used} have an anchor already used, ${count.category_cap} are beyond ${design.categoryCap} of one category`,
        `Lower tasks_per_stratum or raise category_cap in ${designPlace}, or ask --explain ANCHOR why one is turned down.`,
      );
    }
  });
  if (perCategory.size < design.leastCategories) {
    fail(
      'CATEGORIES_FEW',
      null,
      `${family} covers ${perCategory.size} categories, ${design.leastCategories} needed`,
      `Lower least_categories or category_cap in ${designPlace}, or add items of other categories.`,
    );
  }
  const selected = chosen
    .sort((a, b) => a.stratum - b.stratum || (a.key < b.key ? -1 : 1))
    .map(({ candidate, stratum }, i) => ({ candidate, stratum, number: i + 1 }));
  return { selected, passedOver };
}
