import type { Environment } from '../../environment/environment.js';
import { canonicalDigest, sealed } from '../../io/canonical.js';
import { type PyValue, pyStored } from '../../io/pyjson.js';
import type { TaskObject } from './assemble.js';
import { type CompileDesign, DESIGN_VERSION, type UtilityWeights } from './design.js';
import type { FamilyPool } from './generate.js';
import { PROMPT_PROTOCOL } from './prompt.js';

export const TASKSET_SCHEMA = 'flavourbench-selection-taskset/1';

/** Digest over ids, prompts, references and maps, in task order (compiler b.11). */
export function taskSetDigest(
  tasks: readonly Pick<TaskObject, 'task_id' | 'prompt_sha256' | 'oracle_reference_sha256' | 'selection_scores_bps'>[],
): string {
  return canonicalDigest(
    tasks.map((task) => ({
      task_id: task.task_id,
      prompt_sha256: task.prompt_sha256,
      oracle_reference_sha256: task.oracle_reference_sha256,
      score_map_sha256: canonicalDigest(task.selection_scores_bps),
    })),
  );
}

/** The first panel as the second one records it (compiler b.8). */
export interface FirstPanel {
  readonly anchors: readonly string[];
  readonly physicalSha256: string;
  readonly artifactSha256: string;
  readonly taskSetSha256: string;
}

const weights = ({ single, pair }: UtilityWeights) => ({ single, pair });

/** The design as a document holds it: everything a reader needs to check counts or to compile again. */
export function designBlock(design: CompileDesign) {
  const { substitution, pairing, constraint, cultural_composition: regional } = design;
  const spread = (rule: typeof substitution) => ({
    least_pool: rule.pool,
    ranked_kept: rule.keep,
    least_spread: rule.spread,
    weights: weights(rule.weights),
  });
  return {
    version: DESIGN_VERSION,
    families: [...design.families],
    strata: design.strata,
    tasks_per_stratum: design.perStratum,
    tasks_per_family: design.strata * design.perStratum,
    choices_per_task: design.choices,
    selection_size: design.select,
    category_cap: design.categoryCap,
    least_categories: design.leastCategories,
    categories: [...design.categories],
    excluded_anchors: [...design.excludedAnchors],
    complements: Object.fromEntries(
      Object.entries(design.complements).map(([category, partners]) => [category, [...partners]]),
    ),
    least_feasible: design.leastFeasible,
    least_range: String(design.leastRange),
    scoreability: design.scoreability,
    substitution: spread(substitution),
    pairing: spread(pairing),
    constraint: {
      valid: constraint.valid,
      invalid_window: constraint.window,
      variants: constraint.variants.map(({ flag, nova }) => ({ flag, maximum_nova: nova })),
      weights: weights(constraint.weights),
    },
    cultural_composition: {
      high: regional.high,
      low_window: regional.window,
      least_spread: regional.spread,
      cuisines: [...regional.cuisines],
      weights: weights(regional.weights),
    },
  };
}

function countRules(pool: FamilyPool): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule } of pool.rejections) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

export interface DocumentRequest {
  readonly environment: Environment;
  readonly eligible: number;
  readonly design: CompileDesign;
  readonly seed: string;
  readonly pools: readonly FamilyPool[];
  readonly tasks: readonly TaskObject[];
  readonly first: FirstPanel | null;
}

function replicationBlock(first: FirstPanel, tasks: readonly TaskObject[]) {
  const before = new Set(first.anchors);
  const anchors = tasks.map((task) => task.anchor_ingredient);
  const shared = anchors.filter((anchor) => before.has(anchor)).sort();
  return {
    index: 2,
    first_panel_anchor_count: before.size,
    first_panel_physical_sha256: first.physicalSha256,
    first_panel_semantic_sha256: first.artifactSha256,
    first_panel_task_set_sha256: first.taskSetSha256,
    novel_anchor_count: anchors.length - shared.length,
    shared_anchor_count: shared.length,
    shared_anchor_sha256: canonicalDigest(shared),
    responses_reused: false,
    selection_is_response_blind: true,
    analysis_dependency:
      'tasks of the two panels that share an anchor belong to one cluster and are resampled together',
  };
}

/** The task-set document: the fields of the released ones, own schema and design block, sealed (compiler b.10, b.11). */
export function taskSetDocument(request: DocumentRequest) {
  const { environment, design, seed, pools, tasks, first } = request;
  const { identity } = environment;
  const keys = Object.keys(tasks[0]?.selection_scores_bps ?? {}).length;
  return sealed({
    schema_version: TASKSET_SCHEMA,
    canonicalization: 'RFC8785',
    benchmark: 'FlavourBench',
    track: 'executable_culinary_selection',
    status: 'compiled_before_model_execution',
    design_version: DESIGN_VERSION,
    design: designBlock(design),
    prompt_protocol: PROMPT_PROTOCOL,
    selection_seed: seed,
    excluded_calibration_anchors: [...design.excludedAnchors],
    environment: {
      kind: identity.kind,
      sha256: identity.sha256,
      ingredient_count: environment.names.length,
      eligible_count: request.eligible,
      embedding_dimensions: environment.dims,
      similarity: 'float64, terms in column order',
    },
    source_hashes: Object.fromEntries(identity.files.map(({ role, path, sha256 }) => [`${role}:${path}`, sha256])),
    counts: {
      tasks: tasks.length,
      tasks_per_family: design.strata * design.perStratum,
      tasks_per_family_stratum: design.perStratum,
      choices_per_task: design.choices,
      selection_size: design.select,
      scored_combinations_per_task: keys,
      total_prefrozen_selection_scores: keys * tasks.length,
      unique_anchor_ingredients: new Set(tasks.map((task) => task.anchor_ingredient)).size,
      human_judgments_required: 0,
    },
    candidates: Object.fromEntries(
      pools.map((pool) => [pool.family, { accepted: pool.candidates.length, rejected: countRules(pool) }]),
    ),
    metric_contract: {
      per_task: 'prefrozen_exact_lookup_over_all_selections',
      primary: 'equal_family_macro_mean',
      best_selection: 100,
      chance_baseline: 'exact_taskwise_mean_over_all_selections',
      partial_credit: true,
      posthoc_item_exclusion: false,
    },
    ...(first === null ? {} : { replication: replicationBlock(first, tasks) }),
    tasks,
    task_set_sha256: taskSetDigest(tasks),
  });
}

export type TaskSetDocument = ReturnType<typeof taskSetDocument>;

/** Bytes of the file: two-blank indent, sorted keys, a final line feed. */
export function storedTaskSet(document: TaskSetDocument): string {
  return pyStored(document as unknown as PyValue);
}
