import type { MapKernels, PortfolioMaps } from '../../engine/maps.js';
import type { World } from '../../environment/world.js';
import { canonicalDigest, sealed } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import { FlavourError } from '../../util/error.js';
import { labelOrder, labelsOf, portfolioKeys, SCORING, type TaskObject } from './assemble.js';
import { TASKSET_SCHEMA, taskSetDigest } from './document.js';
import { numberWord, promptText } from './prompt.js';
import { type Selected, type Selection, selectFamily } from './select.js';
import { type WorldCandidate, type WorldPool, worldPools } from './world-candidates.js';
import { keepScoreableWorld, type OrderedWorld, scoreWorld } from './world-score.js';

/** Version of the skeleton a world's own wording is put into. */
const WORLD_PROTOCOL = 'flavourbench_world_text_v1';

/** Version of the design block in documents of worlds. */
const WORLD_DESIGN = 'flavourbench-world-design/1';

export interface WorldRequest {
  readonly world: World;
  readonly kernels: MapKernels;
  readonly seed: string;
  /** Instead of what the file says. */
  readonly perStratum?: number;
  /** `fb-WORLD-` unless given. */
  readonly idPrefix?: string;
}

export interface CompiledWorld {
  readonly document: WorldTaskSet;
  readonly pools: readonly WorldPool[];
  /** One a family, in the order of the file. */
  readonly selections: readonly Selection<WorldCandidate>[];
}

/** What every family makes of every anchor, candidates without an acceptable map turned down. */
export function scoreablePools(world: World, kernels: MapKernels): WorldPool[] {
  return worldPools(world, kernels).map((pool) => keepScoreableWorld(world, kernels, pool));
}

/**
 * Compiles a world by the path of the culinary families: candidates, maps, strata, hash orders, labels, references, digests
 * (compiler b.2 to b.11). Candidates without a unique optimum do not take part. Errors: POOL_EMPTY, STRATUM_SHORT,
 * CATEGORIES_FEW, PROMPT_LEAKS.
 */
export function compileWorld(request: WorldRequest): CompiledWorld {
  const { world, kernels, seed } = request;
  const { document } = world;
  const design = {
    strata: document.strata,
    perStratum: request.perStratum ?? document.tasks_per_stratum,
    categoryCap: document.category_cap,
    leastCategories: document.least_categories,
  };
  const used = new Set<string>();
  const pools = scoreablePools(world, kernels);
  const selections = pools.map((pool) => {
    const { candidates, family } = pool;
    if (candidates.length === 0) throw emptyPool(pool);
    const designPlace = 'the world file';
    const common = { design, seed, used, earlier: new Set<string>(), designPlace };
    return selectFamily<WorldCandidate>({ family: family.id, candidates, ...common });
  });
  const tasks = assemble(
    request,
    selections.flatMap(({ selected }) => selected),
  );
  return { document: taskSet(request, design.perStratum, pools, tasks), pools, selections };
}

function emptyPool({ family, rejections }: WorldPool): FlavourError {
  const example = rejections[0];
  return new FlavourError(
    'POOL_EMPTY',
    `${family.id}: none of ${rejections.length} anchors gives a candidate`,
    example ? { hint: `For example ${example.anchor}: ${example.detail} (${example.rule}).` } : {},
  );
}

function assemble(
  { world, kernels, seed, idPrefix }: WorldRequest,
  selected: readonly Selected<WorldCandidate>[],
): TaskObject[] {
  const { document } = world;
  const prefix = idPrefix ?? `fb-${document.name.replaceAll('_', '-')}-`;
  const ids = selected.map(
    ({ candidate, number }) => `${prefix}${candidate.family.id}-${String(number).padStart(3, '0')}`,
  );
  const ordered = selected.map(({ candidate }, t): OrderedWorld => {
    const named = candidate.choices.map((row) => ({ row, name: document.items[row]!.name }));
    return { candidate, choices: labelOrder(seed, ids[t]!, named).map(({ row }) => row) };
  });
  const maps = scoreWorld(world, kernels, ordered);
  const keys = portfolioKeys(document.choices, document.select);
  return ordered.map((item, t) =>
    taskObject(world, item, { id: ids[t]!, stratum: selected[t]!.stratum, maps, t, keys }),
  );
}

interface TaskPlace {
  readonly id: string;
  readonly stratum: number;
  readonly maps: PortfolioMaps;
  readonly t: number;
  readonly keys: readonly string[];
}

function taskObject(world: World, item: OrderedWorld, place: TaskPlace): TaskObject {
  const { document } = world;
  const { id, stratum, maps, t, keys } = place;
  const { family, anchor } = item.candidate;
  const names = item.choices.map((row) => document.items[row]!.name);
  const filled: Record<string, string> = {
    anchor: anchor.text,
    count: numberWord(document.select),
    category: anchor.category.toLowerCase(),
  };
  const prompt = promptText({
    preamble: document.preamble,
    kind: family.kind,
    question: family.question.replace(/\{(anchor|count|category)\}/g, (_, mark: string) => filled[mark]!),
    choices: names,
    select: document.select,
  });
  const oracle = {
    method: 'world_singles_plus_pairs',
    world: document.name,
    world_sha256: world.sha256,
    anchor: anchor.name,
    selection_size: document.select,
    all_combinations_scored: keys.length,
    normalization: 'within_task_min_max_over_valid_selections',
    invalid_selection_score_bps: 0,
  };
  return {
    task_id: id,
    split: 'world',
    family: family.id,
    validation_stratum: stratum,
    anchor_ingredient: anchor.name,
    primary_category: anchor.category,
    prompt,
    prompt_sha256: sha256(prompt),
    prompt_protocol: WORLD_PROTOCOL,
    choices: Object.fromEntries(labelsOf(names.length).map((label, i) => [label, names[i]!])),
    selection_size: document.select,
    selection_scores_bps: Object.fromEntries(keys.map((key, i) => [key, maps.scores[t * keys.length + i]!])),
    optimal_selection: keys[maps.optimal[t]!]!,
    chance_score_bps: maps.chance[t]!,
    optimal_margin_bps: maps.margin[t]!,
    oracle_reference: oracle,
    oracle_reference_sha256: canonicalDigest(oracle),
    scoring: SCORING,
  };
}

/** What maps under another environment follow, and the counts the selection kept to. */
function designBlock({ document }: World, perStratum: number) {
  return {
    version: WORLD_DESIGN,
    strata: document.strata,
    tasks_per_stratum: perStratum,
    category_cap: document.category_cap,
    least_categories: document.least_categories,
    least_feasible: document.least_feasible,
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
  };
}

function taskSet(
  { world, seed }: WorldRequest,
  perStratum: number,
  pools: readonly WorldPool[],
  tasks: readonly TaskObject[],
) {
  const { document, environment } = world;
  const rules = ({ rejections }: WorldPool) => {
    const counts: Record<string, number> = {};
    for (const { rule } of rejections) counts[rule] = (counts[rule] ?? 0) + 1;
    return counts;
  };
  return sealed({
    schema_version: TASKSET_SCHEMA,
    canonicalization: 'RFC8785',
    track: 'executable_world_selection',
    status: 'compiled_before_model_execution',
    prompt_protocol: WORLD_PROTOCOL,
    selection_seed: seed,
    environment: {
      kind: 'world',
      sha256: world.sha256,
      name: document.name,
      item_count: document.items.length,
      dimensions: environment.dims,
      similarity: 'float64, terms in column order',
    },
    counts: {
      tasks: tasks.length,
      tasks_per_family: document.strata * perStratum,
      tasks_per_family_stratum: perStratum,
      choices_per_task: document.choices,
      selection_size: document.select,
    },
    design: designBlock(world, perStratum),
    candidates: Object.fromEntries(
      pools.map((pool) => [pool.family.id, { accepted: pool.candidates.length, rejected: rules(pool) }]),
    ),
    tasks,
    task_set_sha256: taskSetDigest(tasks),
  });
}

export type WorldTaskSet = ReturnType<typeof taskSet>;
