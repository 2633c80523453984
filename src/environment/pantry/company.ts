import type { PantryRecipe } from './recipe.js';
import { addScaled, type Directions, levelled } from './signs.js';
import type { PantryTables } from './table.js';

/**
 * The company each ingredient keeps: the sum of its partners over the classic dishes it is in, a partner of n dishes
 * weighing n^(-1/2), so that butter and onion say little. It is mixed with the company of its kind; an ingredient of no
 * dish has only that.
 *
 * @returns one vector an ingredient, of the length of a fact's direction, or zeros where a whole kind is in no dish.
 */
export function companies(
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
