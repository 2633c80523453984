import { dot, type Environment, unitRow, unitRows } from '../environment/environment.js';
import { PANTRY_RECIPE, type PantryRecipe } from '../environment/pantry/pantry-recipe.js';
import { readPantryTables } from '../environment/pantry/pantry-tables.js';
import { pantryVectors } from '../environment/pantry/pantry-vectors.js';
import { canonicalDigest } from '../io/canonical.js';
import { LABELS, PORTFOLIOS, type Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';

/** What the learner is given of a portfolio. Nothing here is a score. */
export const FEATURES = [
  'anchor_mean',
  'anchor_least',
  'anchor_most',
  'coherence',
  'pair_least',
  'pair_most',
  'same_category',
  'distinct_categories',
  'vegan',
  'vegetarian',
  'processing',
] as const;

const ACTIONS: readonly (readonly number[])[] = PORTFOLIOS.map((key) => [...key].map((label) => LABELS.indexOf(label)));

/**
 * Computes 56 x features of one task in one embedding, each feature with mean 0 and deviation 1 over the 56 portfolios (0 where it is
 * constant), so that only comparisons inside the task count. Errors: TASK_UNKNOWN for an ingredient the space lacks.
 */
export function portfolioFeatures(
  task: Task,
  environment: Environment,
  rows: ReadonlyMap<string, number>,
): Float64Array {
  const row = (name: string): number => {
    const found = rows.get(name);
    if (found !== undefined) return found;
    fail(
      'TASK_UNKNOWN',
      null,
      `task ${task.id}: ${shown(name)} is not in environment ${environment.name}`,
      'Use an environment that holds every ingredient of the tasks.',
    );
  };
  const anchor = row(task.anchor);
  const items = task.choices.map(row);
  const cosine = (a: number, b: number) => dot(unitRow(environment, a), unitRow(environment, b));
  const single = items.map((item) => cosine(anchor, item));
  const pair = items.map((a) => items.map((b) => cosine(a, b)));
  const tag = (i: number) => environment.tags?.[items[i]!] ?? undefined;
  const home = environment.tags?.[anchor]?.category;
  const out = new Float64Array(ACTIONS.length * FEATURES.length);
  ACTIONS.forEach((members, action) => {
    const sims = members.map((i) => single[i]!);
    const [a, b, c] = members as [number, number, number];
    const pairs = [pair[a]![b]!, pair[a]![c]!, pair[b]![c]!];
    const tags = members.map(tag);
    out.set(
      [
        (sims[0]! + sims[1]! + sims[2]!) / 3,
        Math.min(...sims),
        Math.max(...sims),
        (pairs[0]! + pairs[1]! + pairs[2]!) / 3,
        Math.min(...pairs),
        Math.max(...pairs),
        tags.filter((t) => t !== undefined && t.category === home).length,
        new Set(tags.map((t) => t?.category)).size,
        tags.filter((t) => t?.vegan).length,
        tags.filter((t) => t?.vegetarian).length,
        tags.reduce((sum, t) => sum + (t?.nova ?? 4), 0),
      ],
      action * FEATURES.length,
    );
  });
  standardise(out);
  return out;
}

function standardise(table: Float64Array): void {
  const width = FEATURES.length;
  const n = table.length / width;
  for (let f = 0; f < width; f += 1) {
    let mean = 0;
    for (let i = f; i < table.length; i += width) mean += table[i]!;
    mean /= n;
    let squares = 0;
    for (let i = f; i < table.length; i += width) squares += (table[i]! - mean) ** 2;
    const deviation = Math.sqrt(squares / n);
    for (let i = f; i < table.length; i += width) {
      table[i] = deviation < 1e-12 ? 0 : (table[i]! - mean) / deviation;
    }
  }
}

/** What stands on a shelf and how it tastes, in half the dimensions and other directions; nothing of any dish. */
const SHELF_RECIPE: PantryRecipe = {
  ...PANTRY_RECIPE,
  version: 'flavourbench-shelf/1',
  dims: 150,
  weights: { ...PANTRY_RECIPE.weights, company: 0, own: 0 },
};

/**
 * Opens a second environment over the pantry's names: a learner that sees only this one must guess what the pantry knows from
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
