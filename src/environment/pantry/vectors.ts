import { companies } from './company.js';
import type { PantryRecipe } from './recipe.js';
import { addScaled, hashedDirections } from './signs.js';
import type { Ingredient, PantryTables } from './table.js';

type WeightedFact = readonly [fact: string, weight: number];

/** How many ingredients carry each word. */
function frequencies(lists: Iterable<readonly string[]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of lists) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * The facts of an ingredient and their weights. Inside a list a word that n ingredients share weighs n^(-1/4), so that
 * `sweet` says less than `melon`; the squares of a list add up to the square of its weight. Only roots are used, never
 * logarithms: they are exact on every machine.
 */
function factsOf(tables: PantryTables, { weights, groupShare }: PantryRecipe) {
  const own = Math.sqrt(1 - groupShare);
  const shared = Math.sqrt(groupShare);
  const count = {
    note: frequencies(tables.ingredients.map(({ notes }) => notes)),
    use: frequencies(tables.ingredients.map(({ uses }) => uses)),
  };
  const graded = (
    what: 'note' | 'use',
    words: readonly string[],
    groups: ReadonlyMap<string, string>,
    total: number,
  ): WeightedFact[] => {
    const rarity = words.map((word) => 1 / Math.sqrt(Math.sqrt(count[what].get(word)!)));
    const norm = Math.sqrt(rarity.reduce((sum, r) => sum + r * r, 0));
    return words.flatMap((word, i): WeightedFact[] => [
      [`${what}:${word}`, (own * total * rarity[i]!) / norm],
      [`${what} group:${groups.get(word)!}`, (shared * total * rarity[i]!) / norm],
    ]);
  };

  return ({ name, kind, notes, uses, regions }: Ingredient): WeightedFact[] => {
    const cuisines = regions.filter((region) => region !== 'universal');
    return [
      [`category:${kind.category}`, weights.category],
      [`kind:${kind.kind}`, weights.kind],
      [`role:${kind.role}`, weights.role],
      [`texture:${kind.texture}`, weights.texture],
      ...graded('note', notes, tables.notes, weights.notes),
      ...graded('use', uses, tables.uses, weights.uses),
      ...cuisines.map((region): WeightedFact => [`region:${region}`, weights.regions / Math.sqrt(cuisines.length)]),
      [`ingredient:${name}`, weights.own],
    ];
  };
}

/**
 * One vector an ingredient, n x dims, row after row, rounded to float32. Hand-made from the tables: nothing is learned
 * from recipes or text, and nothing comes from Epicure.
 */
export function pantryVectors(tables: PantryTables, recipe: PantryRecipe): Float32Array {
  const { dims, weights } = recipe;
  const direction = hashedDirections(recipe);
  const facts = factsOf(tables, recipe);
  const company = companies(tables, recipe, direction);
  const out = new Float32Array(tables.ingredients.length * dims);
  tables.ingredients.forEach((ingredient, i) => {
    const row = new Float64Array(dims);
    for (const [fact, weight] of facts(ingredient)) addScaled(row, direction(fact), weight);
    addScaled(row, company[i]!, weights.company);
    out.set(row, i * dims);
  });
  return out;
}
