import type { Environment } from '../environment/environment.js';
import { unitRows } from '../environment/environment.js';
import { PANTRY_RECIPE, type PantryRecipe } from '../environment/pantry/recipe.js';
import { readPantryTables } from '../environment/pantry/table.js';
import { pantryVectors } from '../environment/pantry/vectors.js';
import { canonicalDigest } from '../io/canonical.js';

/** What stands on a shelf and how it tastes, in half the dimensions and other directions; nothing of any dish. */
const SHELF_RECIPE: PantryRecipe = {
  ...PANTRY_RECIPE,
  version: 'flavourbench-shelf/1',
  dims: 150,
  weights: { ...PANTRY_RECIPE.weights, company: 0, own: 0 },
};

/**
 * A second environment over the pantry's names: a learner that sees only this one must guess what the pantry knows from
 * dishes. Its tags are the pantry's.
 */
export function openShelf(pantry: Environment): Environment {
  const raw = pantryVectors(readPantryTables(), SHELF_RECIPE);
  const { files, sha256 } = pantry.identity;
  return {
    ...pantry,
    name: 'shelf',
    identity: { kind: 'pantry', files, sha256: canonicalDigest({ recipe: SHELF_RECIPE, sha256 }) },
    dims: SHELF_RECIPE.dims,
    raw,
    units: unitRows(raw, SHELF_RECIPE.dims),
    directions: new Map(),
  };
}
