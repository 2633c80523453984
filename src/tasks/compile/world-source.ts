import type { OnProgress } from '../../engine/engine.js';
import type { MapKernels } from '../../engine/maps.js';
import type { World } from '../../environment/world.js';
import { type FlavourError, failure, shown } from '../../util/error.js';
import { type Compiled, compileSource } from './compile.js';
import { RELEASED_DESIGN } from './compile-design.js';
import { type AnchorOutcome, explainAnchor } from './explain-anchor.js';
import type { SourceDesign, TaskSource } from './family.js';
import type { DocumentFields } from './taskset-document.js';
import { worldFamily } from './world-family.js';

/** Version of the skeleton a world's own wording is put into. */
const WORLD_PROTOCOL = 'flavourbench_world_text_v1';

/** Version of the design block in documents of worlds. */
const WORLD_DESIGN = 'flavourbench-world-design/1';

/** What tasks of a world are compiled from. */
interface WorldSourceRequest {
  readonly world: World;
  readonly kernels: MapKernels;
  /** Instead of what the file says. */
  readonly perStratum?: number;
}

interface WorldRequest extends WorldSourceRequest {
  readonly seed: string;
  /** `fb-WORLD-` unless given. */
  readonly idPrefix?: string;
  readonly onProgress?: OnProgress;
}

/**
 * Compiles a world by the path of every source (compiler b.2 to b.11). Candidates without a unique optimum do not take part.
 * Errors: those of `compileSource`.
 */
export function compileWorld(request: WorldRequest): Compiled {
  const { seed, idPrefix, onProgress } = request;
  return compileSource({ source: worldSource(request), seed, first: null, idPrefix, onProgress });
}

/** Says what became of an item or a situation of a world, family by family. Errors: INGREDIENT_UNKNOWN, ANCHOR_INELIGIBLE. */
export function explainWorldAnchor(
  request: WorldSourceRequest & { readonly anchor: string; readonly compiled: Compiled | null },
): AnchorOutcome[] {
  const { anchor, compiled } = request;
  return explainAnchor(compiled?.source ?? worldSource(request), anchor, compiled);
}

function worldSource({ world, kernels, perStratum }: WorldSourceRequest): TaskSource {
  const { document, environment } = world;
  const { units, dims, names } = environment;
  const design: SourceDesign = {
    strata: document.strata,
    perStratum: perStratum ?? document.tasks_per_stratum,
    categoryCap: document.category_cap,
    leastCategories: document.least_categories,
    excludedAnchors: [],
    choices: document.choices,
    select: document.select,
    leastFeasible: document.least_feasible,
    leastRange: RELEASED_DESIGN.leastRange,
    scoreability: 'before',
  };
  return {
    name: document.name,
    names,
    kernels,
    rows: units,
    dims,
    ranked: Uint32Array.from(names.keys()),
    families: document.families.map((declared) => worldFamily(world, declared)),
    design,
    protocol: WORLD_PROTOCOL,
    words: {
      anchors: 'anchors',
      design: 'the world file',
      emptyFamily: 'A family can be taken out of the world file.',
      noAnchors: 'Name categories that items have in its anchors.',
    },
    panel: () => ({ idPrefix: `fb-${document.name.replaceAll('_', '-')}-`, split: 'world' }),
    document: () => documentFields(world, design),
    noAnchor: (name) => noAnchor(world, name),
  };
}

/** The design block says what maps under another environment follow, and the counts the selection kept to. */
function documentFields({ document, environment, sha256 }: World, design: SourceDesign): DocumentFields {
  return {
    track: 'executable_world_selection',
    environment: {
      kind: 'world',
      sha256,
      name: document.name,
      item_count: document.items.length,
      dimensions: environment.dims,
      similarity: 'float64, terms in column order',
    },
    counts: {},
    design: {
      version: WORLD_DESIGN,
      strata: design.strata,
      tasks_per_stratum: design.perStratum,
      category_cap: design.categoryCap,
      least_categories: design.leastCategories,
      least_feasible: design.leastFeasible,
      utilities: Object.fromEntries(
        document.families.map(({ id, utility, constraint, distinct_categories }) => [
          id,
          {
            similarity: utility.similarity,
            value: utility.value,
            coherence: utility.coherence,
            synergy: utility.synergy,
            constrained: constraint !== undefined,
            distinct_categories,
          },
        ]),
      ),
    },
  };
}

function noAnchor({ document }: World, name: string): FlavourError {
  const isItem = document.items.some((item) => item.name === name);
  return failure(
    isItem ? 'ANCHOR_INELIGIBLE' : 'INGREDIENT_UNKNOWN',
    null,
    isItem
      ? `${name} is an item, but no family takes it as its anchor`
      : `world ${shown(document.name)} has no item and no context ${shown(name)}`,
    `The families are ${document.families.map(({ id }) => id).join(', ')}.`,
  );
}
