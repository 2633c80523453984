import type { MapKernels } from '../../engine/maps.js';
import { type Environment, type IngredientTags, needTags, regionsOf } from '../../environment/environment.js';
import type { CompileDesign } from './compile-design.js';
import type { VectorTable } from './family.js';

const NAME = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** One ingredient that may be an anchor and a candidate (compiler a.3, b.2). */
export interface Eligible {
  /** Place in the list of eligible ingredients. */
  readonly place: number;
  /** Row of the environment. */
  readonly row: number;
  readonly name: string;
  readonly category: string;
  readonly regions: readonly string[];
  readonly tags: IngredientTags;
}

/** What candidate generation looks at: eligible ingredients in row order, their words, and the table of unit rows. */
export interface Space extends VectorTable {
  readonly environment: Environment;
  readonly eligible: readonly Eligible[];
  /** Why a name of the environment is not eligible. */
  readonly ineligible: ReadonlyMap<string, string>;
  /** Cuisine to its row in `rows`: those follow the rows of the environment, for each direction that it has. */
  readonly cuisineRow: ReadonlyMap<string, number>;
  /** Number of each distinct list of regions, by place. */
  readonly regionGroup: Uint16Array;
  /** groups x groups: 1 where two lists of regions overlap. */
  readonly groupsOverlap: Uint8Array;
  /** Eligible ingredients of some categories, in list order; the same array for the same categories. */
  readonly ofCategories: (categories: readonly string[]) => readonly Eligible[];
  /** Places of the ingredients that share a word with the one at a place, itself included. */
  readonly sharesWord: readonly (readonly number[])[];
}

function wordsInCommon(eligible: readonly Eligible[]): number[][] {
  const holders = new Map<string, number[]>();
  for (const { name, place } of eligible) {
    for (const word of new Set(name.split('_'))) {
      const list = holders.get(word);
      if (list) list.push(place);
      else holders.set(word, [place]);
    }
  }
  return eligible.map(({ name }) => [...new Set(name.split('_').flatMap((word) => holders.get(word)!))]);
}

/** Lists of regions, each distinct one once, and which of them overlap. */
function regionTable(eligible: readonly Eligible[]): Pick<Space, 'regionGroup' | 'groupsOverlap'> {
  const groups = new Map<string, { readonly number: number; readonly regions: readonly string[] }>();
  const regionGroup = Uint16Array.from(eligible, ({ regions }) => {
    const key = regions.join(';');
    const number = groups.get(key)?.number ?? groups.size;
    groups.set(key, { number, regions });
    return number;
  });
  const lists = [...groups.values()].map(({ regions }) => regions);
  const groupsOverlap = Uint8Array.from(
    lists.flatMap((a) =>
      lists.map((b) =>
        a.includes('universal') || b.includes('universal') || a.some((region) => b.includes(region)) ? 1 : 0,
      ),
    ),
  );
  return { regionGroup, groupsOverlap };
}

function categoryLists(eligible: readonly Eligible[]): Space['ofCategories'] {
  const lists = new Map<string, readonly Eligible[]>();
  return (categories) => {
    const key = categories.join('\n');
    const known = lists.get(key);
    if (known) return known;
    const wanted = new Set(categories);
    const list = eligible.filter(({ category }) => wanted.has(category));
    lists.set(key, list);
    return list;
  };
}

/** Prepares an environment for compiling. Errors: TAGS_MISSING. */
export function openSpace(environment: Environment, design: CompileDesign, kernels: MapKernels): Space {
  const tags = needTags(environment, 'compiling tasks');
  const core = new Set(design.categories);
  const excluded = new Set(design.excludedAnchors);
  const eligible: Eligible[] = [];
  const ineligible = new Map<string, string>();
  environment.names.forEach((name, row) => {
    const own = tags[row];
    if (!own) ineligible.set(name, 'the tag table has no row for it');
    else if (!core.has(own.category)) ineligible.set(name, `category ${own.category} is not of the design`);
    else if (excluded.has(name)) ineligible.set(name, 'it is an excluded calibration anchor');
    else if (!NAME.test(name)) ineligible.set(name, 'its name is not lower-case words joined by _');
    else {
      eligible.push({
        place: eligible.length,
        row,
        name,
        category: own.category,
        regions: regionsOf(own.region),
        tags: own,
      });
    }
  });
  const { dims, units, directions } = environment;
  const cuisines = design.cultural_composition.cuisines.filter((name) => directions.has(name));
  const rows = new Float64Array(units.length + cuisines.length * dims);
  rows.set(units);
  const cuisineRow = new Map<string, number>();
  cuisines.forEach((name, i) => {
    rows.set(directions.get(name)!.unit, units.length + i * dims);
    cuisineRow.set(name, environment.names.length + i);
  });
  return {
    environment,
    eligible,
    ineligible,
    rows,
    dims,
    ranked: Uint32Array.from(eligible, ({ row }) => row),
    cuisineRow,
    ...regionTable(eligible),
    ofCategories: categoryLists(eligible),
    sharesWord: wordsInCommon(eligible),
    kernels,
  };
}

/** Says whether either side is used everywhere, or the two have a region in common (compiler a.5). */
export function regionsOverlap(space: Space, a: Eligible, b: Eligible): boolean {
  const { regionGroup, groupsOverlap } = space;
  const groups = Math.sqrt(groupsOverlap.length);
  return groupsOverlap[regionGroup[a.place]! * groups + regionGroup[b.place]!] === 1;
}
