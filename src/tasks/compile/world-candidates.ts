import type { MapKernels } from '../../engine/maps.js';
import type { World } from '../../environment/world.js';
import type { WorldConstraint, WorldFamily } from '../../environment/world-schema.js';
import { fixed } from '../../util/format.js';
import { spaced } from './candidate.js';

/** What a task of a world is about: an item, or a situation that takes its place. */
export interface WorldAnchor {
  readonly name: string;
  readonly category: string;
  /** How the question names it. */
  readonly text: string;
  /** Row of the item; null for a situation. */
  readonly row: number | null;
  /** Coefficients of the value of an item. */
  readonly terms: Readonly<Record<string, number>>;
}

export interface WorldCandidate {
  readonly family: WorldFamily;
  readonly anchor: WorldAnchor;
  /** Rows of the choices, in the order the rule found them. */
  readonly choices: readonly number[];
  readonly difficulty: number;
}

export interface WorldRejection {
  readonly family: string;
  readonly anchor: string;
  readonly rule: string;
  readonly detail: string;
}

export interface WorldPool {
  readonly family: WorldFamily;
  readonly candidates: readonly WorldCandidate[];
  readonly rejections: readonly WorldRejection[];
}

/** Anchors whose similarities are held at once. */
const BLOCK = 256;

function anchorsOf({ document }: World, family: WorldFamily): WorldAnchor[] {
  const own = family.utility.terms ?? {};
  if (family.contexts) {
    return family.contexts.map(({ name, category, text, terms }) => ({
      name,
      category,
      text,
      row: null,
      terms: { ...own, ...terms },
    }));
  }
  return document.items.flatMap(({ name, category }, row) =>
    !family.anchors || family.anchors.includes(category)
      ? [{ name, category, text: name.replaceAll('_', ' '), row, terms: own }]
      : [],
  );
}

/** Value of every item for an anchor: the weighted sum of its terms, terms in the order of the coefficients. */
export function itemValues({ terms, document }: World, anchor: WorldAnchor): Float64Array {
  const out = new Float64Array(document.items.length);
  for (const [term, coefficient] of Object.entries(anchor.terms)) {
    const column = terms.get(term)!;
    for (let row = 0; row < out.length; row += 1) out[row]! += coefficient * column[row]!;
  }
  return out;
}

/** Whether an item meets a constraint; a quantity it does not state never meets a limit. */
export function meets(world: World, row: number, constraint: WorldConstraint): boolean {
  const { flags, terms } = world.document.items[row]!;
  const within = (limits: Readonly<Record<string, number>>, sign: number) =>
    Object.entries(limits).every(([term, limit]) => terms[term] !== undefined && sign * terms[term] <= sign * limit);
  return (
    constraint.flags.every((flag) => flags.includes(flag)) &&
    within(constraint.at_most, 1) &&
    within(constraint.at_least, -1)
  );
}

function fits(family: WorldFamily, anchor: string, category: string): boolean {
  const { pool } = family;
  if (pool === 'any') return true;
  if (pool === 'same') return category === anchor;
  if (pool === 'other') return category !== anchor;
  return pool[anchor]?.includes(category) ?? false;
}

function poolOf(world: World, family: WorldFamily, anchor: WorldAnchor): number[] {
  const words = new Set(anchor.row === null || family.shared_words ? [] : anchor.name.split('_'));
  return world.document.items.flatMap(({ name, category }, row) =>
    row !== anchor.row && fits(family, anchor.category, category) && !name.split('_').some((word) => words.has(word))
      ? [row]
      : [],
  );
}

function candidateOf(
  world: World,
  family: WorldFamily,
  anchor: WorldAnchor,
  single: Float64Array,
): WorldCandidate | WorldRejection {
  const { choices: n, select } = world.document;
  const { constraint } = family;
  const reject = (rule: string, detail: string): WorldRejection => ({
    family: family.id,
    anchor: anchor.name,
    rule,
    detail,
  });
  const order = poolOf(world, family, anchor).sort((a, b) => single[b]! - single[a]!);
  let choices: number[];
  let ends: readonly [number, number];
  if (constraint) {
    const good = order.filter((row) => meets(world, row, constraint));
    const bad = order.filter((row) => !meets(world, row, constraint));
    const needed = n - constraint.valid;
    if (good.length < constraint.valid || bad.length < needed)
      return reject(
        'constraint_pool',
        `${good.length} items meet the constraint and ${bad.length} do not; ${constraint.valid} and ${needed} needed`,
      );
    const best = good.slice(0, constraint.valid);
    choices = [...best, ...spaced(bad.slice(0, constraint.window), needed)];
    ends = [best[0]!, best.at(-1)!];
  } else {
    const least = Math.max(n, family.least_pool);
    if (order.length < least) return reject('pool', `${order.length} items fit, ${least} needed`);
    choices = spaced(order.slice(0, Math.max(n, family.keep)), n);
    ends = [choices[0]!, choices.at(-1)!];
  }
  const spread = single[ends[0]]! - single[ends[1]]!;
  if (spread < family.least_spread)
    return reject('spread', `values spread over ${fixed(spread, 4)}, ${family.least_spread} needed`);
  const categories = new Set(choices.map((row) => world.document.items[row]!.category)).size;
  if (family.distinct_categories && categories < select)
    return reject('distinct_categories', `${categories} categories, ${select} needed`);
  return { family, anchor, choices, difficulty: spread === 0 ? Number.MAX_VALUE : 1 / spread };
}

/** What every family of a world makes of every anchor, before any map is scored. */
export function worldPools(world: World, kernels: MapKernels): WorldPool[] {
  const { environment, document } = world;
  const { units, dims, names } = environment;
  const right = Uint32Array.from(names.keys());
  return document.families.map((family) => {
    const candidates: WorldCandidate[] = [];
    const rejections: WorldRejection[] = [];
    const anchors = anchorsOf(world, family);
    const { similarity, value } = family.utility;
    for (let from = 0; from < anchors.length; from += BLOCK) {
      const block = anchors.slice(from, from + BLOCK);
      const left = Uint32Array.from(block, ({ row }) => row ?? 0);
      const table = similarity === 0 ? null : kernels.gram({ rows: units, dims, left, right });
      block.forEach((anchor, i) => {
        const values = itemValues(world, anchor);
        const single = values.map(
          (each, row) => (table === null ? 0 : similarity * table[i * names.length + row]!) + value * each,
        );
        const made = candidateOf(world, family, anchor, single);
        if ('rule' in made) rejections.push(made);
        else candidates.push(made);
      });
    }
    return { family, candidates, rejections };
  });
}
