import type { Environment, IngredientTags } from '../../../src/environment/environment.js';

export interface Item {
  readonly name: string;
  readonly category?: string;
  readonly region?: string;
  readonly nova?: number | null;
  readonly vegan?: boolean;
  readonly vegetarian?: boolean;
  /** Angle in the plane, degrees: similarity is the cosine of the difference. */
  readonly angle: number;
}

/** A two-dimensional environment whose similarities are cosines of angles. */
export function flatWorld(items: readonly Item[], cuisines: Record<string, number> = {}): Environment {
  const point = (angle: number): [number, number] => {
    const radians = (angle * Math.PI) / 180;
    return [Math.cos(radians), Math.sin(radians)];
  };
  const units = Float64Array.from(items.flatMap(({ angle }) => point(angle)));
  return {
    name: 'flat',
    identity: { kind: 'matrix', sha256: 'f'.repeat(64), files: [] },
    names: items.map(({ name }) => name),
    dims: 2,
    raw: Float32Array.from(units),
    units,
    tags: items.map(
      ({ category = 'Herb', region = 'universal', nova = 1, vegan = true, vegetarian = true }): IngredientTags => ({
        category,
        foodGroup: category,
        region,
        nova,
        vegan,
        vegetarian,
      }),
    ),
    directions: new Map(
      Object.entries(cuisines).map(([name, angle]) => [
        name,
        { name, kind: 'cuisine', unit: Float64Array.from(point(angle)), source: 'test' },
      ]),
    ),
    variants: new Map(),
  };
}

/** `count` items of one category at even angles, named stem_a, stem_b, ... without a shared word. */
export function fan(count: number, stem: string, from: number, step: number, facts: Partial<Item> = {}): Item[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `${stem}${String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26))}`,
    angle: from + i * step,
    ...facts,
  }));
}
