import { pairCount, pairIndex } from '../../engine/design.js';
import type { World } from '../../environment/world.js';
import type { WorldConstraint, WorldFamily } from '../../environment/world-schema.js';
import { fixed } from '../../util/format.js';
import { ALL_ALLOWED, allowedBits, conflictWords } from '../feasibility.js';
import type { MapTask } from '../score-maps.js';
import type { Anchor, Candidate, Choice, Family, Generated, Rule } from './family.js';
import { numberWord, promptText } from './prompt.js';
import { spaced } from './ranking.js';

/** What a task of a world is about: an item, or a situation that takes its place. */
interface WorldAnchor extends Anchor {
  /** How the question names it. */
  readonly text: string;
  /** Coefficients of the value of an item. */
  readonly terms: Readonly<Record<string, number>>;
}

/** Makes a family that a world declares a family like the released ones (docs/environments.md). */
export function worldFamily(world: World, declared: WorldFamily): Family<WorldAnchor> {
  const { document } = world;
  const reference = { method: 'world_singles_plus_pairs', world: document.name, world_sha256: world.sha256 };
  return {
    id: declared.id,
    anchors: anchorsOf(world, declared),
    looksAtSimilarity: declared.utility.similarity !== 0,
    candidates: (anchor, similarity) => candidateOf(world, declared, anchor, similarity),
    mapTask: (candidate, choices) => mapTask(world, declared, candidate, choices),
    prompt: ({ anchor }, names) => {
      const filled: Record<string, string> = {
        anchor: anchor.text,
        count: numberWord(document.select),
        category: anchor.category.toLowerCase(),
      };
      return promptText({
        preamble: document.preamble,
        kind: declared.kind,
        question: declared.question.replace(/\{(anchor|count|category)\}/g, (_, mark: string) => filled[mark]!),
        choices: names,
        select: document.select,
      });
    },
    reference: ({ anchor }) => ({ ...reference, anchor: anchor.name }),
  };
}

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
function itemValues({ terms, document }: World, anchor: WorldAnchor): Float64Array {
  const out = new Float64Array(document.items.length);
  for (const [term, coefficient] of Object.entries(anchor.terms)) {
    const column = terms.get(term)!;
    for (let row = 0; row < out.length; row += 1) out[row]! += coefficient * column[row]!;
  }
  return out;
}

/** Whether an item meets a constraint; a quantity it does not state never meets a limit. */
function meets(world: World, row: number, constraint: WorldConstraint): boolean {
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
  cosines: Float64Array,
): Generated<WorldAnchor> {
  const { choices: n, select, items } = world.document;
  const { constraint, utility } = family;
  const reject = (rule: Rule, detail: string): Generated<WorldAnchor> => ({
    candidates: [],
    rejections: [{ anchor: anchor.name, variant: null, rule, detail }],
  });
  const single = itemValues(world, anchor).map(
    (value, row) => (utility.similarity === 0 ? 0 : utility.similarity * cosines[row]!) + utility.value * value,
  );
  const order = poolOf(world, family, anchor).sort((a, b) => single[b]! - single[a]!);
  let rows: number[];
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
    rows = [...best, ...spaced(bad.slice(0, constraint.window), needed)];
    ends = [best[0]!, best.at(-1)!];
  } else {
    const least = Math.max(n, family.least_pool);
    if (order.length < least) return reject('pool', `${order.length} items fit, ${least} needed`);
    rows = spaced(order.slice(0, Math.max(n, family.keep)), n);
    ends = [rows[0]!, rows.at(-1)!];
  }
  const spread = single[ends[0]]! - single[ends[1]]!;
  if (spread < family.least_spread)
    return reject('spread', `values spread over ${fixed(spread, 4)}, ${family.least_spread} needed`);
  const categories = new Set(rows.map((row) => items[row]!.category)).size;
  if (family.distinct_categories && categories < select)
    return reject('distinct_categories', `${categories} categories, ${select} needed`);
  const choices = rows.map((row) => ({ name: items[row]!.name, row }));
  const difficulty = spread === 0 ? Number.MAX_VALUE : 1 / spread;
  return { candidates: [{ anchor, choices, difficulty, variant: null, region: null }], rejections: [] };
}

/**
 * A utility is the mean over members of (similarity and value, weighted) plus the mean over pairs of members of (coherence
 * and synergy, weighted). A situation has no vector: the row of the first choice stands in, with weight 0.
 */
function mapTask(
  world: World,
  { utility, constraint, distinct_categories: distinct }: WorldFamily,
  { anchor }: Candidate<WorldAnchor>,
  choices: readonly Choice[],
): MapTask {
  const { synergy } = world;
  const { items } = world.document;
  const n = choices.length;
  const values = itemValues(world, anchor);
  const pairs = new Float64Array(pairCount(n));
  for (let i = 0; i < n; i += 1)
    for (let j = i + 1; j < n; j += 1) {
      const [a, b] = [choices[i]!.row, choices[j]!.row];
      const agreement = synergy?.get(Math.min(a, b) * items.length + Math.max(a, b)) ?? 0;
      pairs[pairIndex(i, j, n)] = utility.synergy * agreement;
    }
  return {
    anchorRow: anchor.row ?? choices[0]!.row,
    choiceRows: choices.map(({ row }) => row),
    weights: { single: 1, pair: 1 },
    allowed: constraint ? allowedBits(choices, ({ row }) => meets(world, row, constraint)) : ALL_ALLOWED,
    conflicts: distinct ? conflictWords(choices.map(({ row }) => items[row]!.category)) : undefined,
    stated: {
      similarity: utility.similarity,
      singles: Float64Array.from(choices, ({ row }) => utility.value * values[row]!),
      coherence: utility.coherence,
      pairs,
    },
  };
}
