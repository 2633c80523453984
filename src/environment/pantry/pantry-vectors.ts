import { createHash } from 'node:crypto';
import type { PantryRecipe } from './pantry-recipe.js';
import type { Ingredient, PantryTables } from './pantry-tables.js';

/** The fixed direction of a fact: `dims` numbers, each 1 or -1. */
type Directions = (fact: string) => Float64Array;

/** Makes the directions of facts: the bits of SHA-256(version, fact, block), lowest bit of a byte first; each is formed once. */
export function hashedDirections({ version, dims }: PantryRecipe): Directions {
  const known = new Map<string, Float64Array>();
  return (fact) => {
    const found = known.get(fact);
    if (found) return found;
    const out = new Float64Array(dims);
    for (let block = 0; block * 256 < dims; block += 1) {
      const bytes = createHash('sha256').update(`${version}\0${fact}\0${block}`).digest();
      const end = Math.min(dims - block * 256, 256);
      for (let bit = 0; bit < end; bit += 1) out[block * 256 + bit] = (bytes[bit >> 3]! >> (bit & 7)) & 1 ? 1 : -1;
    }
    known.set(fact, out);
    return out;
  };
}

/** Adds `weight` times a direction to a vector. */
function addScaled(vector: Float64Array, direction: Float64Array, weight: number): void {
  for (let j = 0; j < vector.length; j += 1) vector[j]! += weight * direction[j]!;
}

/** Scales a vector to the length of a direction, the root of its width; zeros stay zeros. */
function levelled(vector: Float64Array): Float64Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares === 0 ? 0 : Math.sqrt(vector.length) / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}

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
 * Makes one vector an ingredient, n x dims, row after row, rounded to float32. Hand-made from the tables: nothing is learned
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

/**
 * Forms the company each ingredient keeps: the sum of its partners over the classic dishes it is in, a partner of n dishes
 * weighing n^(-1/2), so that butter and onion say little. It is mixed with the company of its kind; an ingredient of no
 * dish has only that.
 *
 * @returns one vector an ingredient, of the length of a fact's direction, or zeros where a whole kind is in no dish.
 */
function companies(
  { ingredients, dishes }: PantryTables,
  { dims, kindShare }: PantryRecipe,
  direction: Directions,
): Float64Array[] {
  const own = Math.sqrt(1 - kindShare);
  const shared = Math.sqrt(kindShare);
  const presence = ingredients.map(({ name, kind, dishes: among }) => {
    const vector = new Float64Array(dims);
    const weight = 1 / Math.sqrt(Math.max(1, among.length));
    addScaled(vector, direction(`ingredient:${name}`), own * weight);
    addScaled(vector, direction(`kind:${kind.kind}`), shared * weight);
    return vector;
  });
  const rowOf = new Map(ingredients.map(({ name }, row) => [name, row]));
  const met = ingredients.map(({ name, dishes: among }) => {
    const vector = new Float64Array(dims);
    for (const dish of among)
      for (const partner of dishes.get(dish)!)
        if (partner !== name) addScaled(vector, presence[rowOf.get(partner)!]!, 1);
    return levelled(vector);
  });
  const byKind = new Map<string, Float64Array>();
  ingredients.forEach(({ kind }, row) => {
    const sum = byKind.get(kind.kind) ?? new Float64Array(dims);
    addScaled(sum, met[row]!, 1);
    byKind.set(kind.kind, sum);
  });
  for (const [kind, sum] of byKind) byKind.set(kind, levelled(sum));
  return ingredients.map(({ kind }, row) => {
    const vector = new Float64Array(dims);
    addScaled(vector, met[row]!, own);
    addScaled(vector, byKind.get(kind.kind)!, shared);
    return levelled(vector);
  });
}
