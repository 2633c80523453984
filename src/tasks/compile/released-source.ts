import type { OnProgress } from '../../engine/engine.js';
import type { MapKernels } from '../../engine/maps.js';
import { type Environment, tagsOfRow } from '../../environment/environment.js';
import { nameMatcher } from '../../environment/matcher.js';
import { type FlavourError, failure, shown } from '../../util/error.js';
import { ALL_ALLOWED, allowedBits, conflictWords, satisfies } from '../feasibility.js';
import type { MapTask } from '../score-maps.js';
import { verifyTaskFile } from '../task-files.js';
import { replicationOf } from '../taskset.js';
import { type Compiled, compileSource } from './compile.js';
import { type CompileDesign, DESIGN_PLACE, DESIGN_VERSION, type ReleasedFamily } from './compile-design.js';
import { checkDesign, designBlock } from './design-file.js';
import { type Eligible, openSpace, type Space } from './eligible.js';
import { type AnchorOutcome, explainAnchor as explain } from './explain-anchor.js';
import type { Candidate, Choice, Family, TaskSource } from './family.js';
import { assertFamiliesPossible, whyIneligible } from './family-faults.js';
import { culinaryPrompt, PROMPT_PROTOCOL } from './prompt.js';
import { constraintCandidates, regionalCandidates, spreadCandidates } from './released-rules.js';
import type { DocumentFields, FirstPanel, TaskObject } from './taskset-document.js';

/** What tasks of the released families are compiled from. */
interface ReleasedRequest {
  readonly environment: Environment;
  readonly kernels: MapKernels;
  readonly design: CompileDesign;
}

export interface TaskSetRequest extends ReleasedRequest {
  readonly seed: string;
  /** The panel compiled before, for panel 2; null for panel 1. */
  readonly first: FirstPanel | null;
  /** `fb-executable-`, or `fb-executable-rep2-` for panel 2, unless given. */
  readonly idPrefix?: string;
  readonly onProgress?: OnProgress;
}

/**
 * Compiles one panel of the released families (compiler b). Pure: the same request gives the same document.
 * Errors: TAGS_MISSING, DESIGN_INVALID, FAMILY_IMPOSSIBLE, and those of `compileSource`.
 */
export function compileTaskSet(request: TaskSetRequest): Compiled {
  const { seed, first, idPrefix, onProgress } = request;
  checkDesign(request.design);
  const space = openSpace(request.environment, request.design, request.kernels);
  assertFamiliesPossible(space, request.design);
  return compileSource({ source: sourceOf(space, request), seed, first, idPrefix, onProgress });
}

/** Says what became of an anchor of an environment, family by family. Errors: TAGS_MISSING, and those of explaining any source. */
export function explainAnchor(
  request: ReleasedRequest & { readonly anchor: string; readonly compiled: Compiled | null },
): AnchorOutcome[] {
  const { anchor, compiled } = request;
  return explain(compiled?.source ?? releasedSource(request), anchor, compiled);
}

/** Makes the released families over an environment a source of tasks. Errors: TAGS_MISSING. */
export function releasedSource(request: ReleasedRequest): TaskSource {
  return sourceOf(openSpace(request.environment, request.design, request.kernels), request);
}

function sourceOf(space: Space, { environment, kernels, design }: ReleasedRequest): TaskSource {
  return {
    name: environment.name,
    names: environment.names,
    kernels,
    rows: space.rows,
    dims: space.dims,
    ranked: space.ranked,
    families: design.families.map((id) => releasedFamily(space, design, id)),
    design,
    protocol: PROMPT_PROTOCOL,
    words: {
      anchors: 'eligible ingredients',
      design: DESIGN_PLACE,
      emptyFamily: 'A family can be left out with --only-families.',
      noAnchors: `No ingredient is eligible: ${whyIneligible(space)}. Say your own as categories and complements in ${DESIGN_PLACE}.`,
    },
    panel: (first) =>
      first
        ? { idPrefix: 'fb-executable-rep2-', split: 'hidden_primary_replication_2' }
        : { idPrefix: 'fb-executable-', split: 'hidden_primary' },
    document: (tasks) => documentFields(space, design, tasks),
    noAnchor: (name) => noAnchor(space, name),
  };
}

const METHODS: Record<ReleasedFamily, string> = {
  substitution: 'anchor_similarity_plus_portfolio_coherence',
  pairing: 'anchor_pairing_plus_portfolio_coherence',
  constraint: 'dietary_and_nova_filter_then_pairing_plus_portfolio_coherence',
  cultural_composition: 'cuisine_projection_plus_portfolio_coherence_of_distinct_categories',
};

const percent = (weight: number): string => `${Number((weight * 100).toFixed(4))}pct`;

function candidatesOf(space: Space, design: CompileDesign, id: ReleasedFamily): Family<Eligible>['candidates'] {
  if (id === 'constraint') return constraintCandidates(space, design);
  if (id === 'cultural_composition') return regionalCandidates(space, design);
  return spreadCandidates(space, design, id);
}

function releasedFamily(space: Space, design: CompileDesign, id: ReleasedFamily): Family<Eligible> {
  const { weights } = design[id];
  const method = `${METHODS[id]}_${percent(weights.single)}_${percent(weights.pair)}`;
  return {
    id,
    anchors: space.eligible,
    looksAtSimilarity: id !== 'cultural_composition',
    candidates: candidatesOf(space, design, id),
    mapTask: (candidate, choices) => ({ ...rulesOf(space, candidate, choices), weights }),
    prompt: (candidate, names) => culinaryPrompt(id, candidate, names, design.select),
    reference: ({ anchor, region, variant }) => ({
      method,
      anchor: anchor.name,
      target_region: region,
      constraint_variant: variant?.flag ?? null,
      maximum_nova: variant?.nova ?? null,
    }),
  };
}

/** Rows and limits of a task: those of its diet in a constraint task, distinct categories in a regional one. */
function rulesOf(
  { environment, cuisineRow }: Space,
  { anchor, region, variant }: Candidate<Eligible>,
  choices: readonly Choice[],
): Omit<MapTask, 'weights'> {
  const choiceRows = choices.map(({ row }) => row);
  const tags = choiceRows.map((row) => tagsOfRow(environment, row, 'compiling tasks'));
  return {
    anchorRow: region === null ? anchor.row : cuisineRow.get(region)!,
    choiceRows,
    allowed: variant === null ? ALL_ALLOWED : allowedBits(tags, (each) => satisfies(each, variant)),
    conflicts: region === null ? undefined : conflictWords(tags.map(({ category }) => category)),
  };
}

function documentFields(
  { environment, eligible }: Space,
  design: CompileDesign,
  tasks: readonly TaskObject[],
): DocumentFields {
  const { identity, names, dims } = environment;
  const keys = Object.keys(tasks[0]?.selection_scores_bps ?? {}).length;
  return {
    benchmark: 'FlavourBench',
    track: 'executable_culinary_selection',
    design_version: DESIGN_VERSION,
    design: designBlock(design),
    excluded_calibration_anchors: [...design.excludedAnchors],
    environment: {
      kind: identity.kind,
      sha256: identity.sha256,
      ingredient_count: names.length,
      eligible_count: eligible.length,
      embedding_dimensions: dims,
      similarity: 'float64, terms in column order',
    },
    source_hashes: Object.fromEntries(identity.files.map(({ role, path, sha256 }) => [`${role}:${path}`, sha256])),
    counts: {
      scored_combinations_per_task: keys,
      total_prefrozen_selection_scores: keys * tasks.length,
      unique_anchor_ingredients: new Set(tasks.map((task) => task.anchor_ingredient)).size,
      human_judgments_required: 0,
    },
    metric_contract: {
      per_task: 'prefrozen_exact_lookup_over_all_selections',
      primary: 'equal_family_macro_mean',
      best_selection: 100,
      chance_baseline: 'exact_taskwise_mean_over_all_selections',
      partial_credit: true,
      posthoc_item_exclusion: false,
    },
  };
}

function noAnchor({ environment, ineligible }: Space, name: string): FlavourError {
  const reason = ineligible.get(name);
  if (reason !== undefined)
    return failure('ANCHOR_INELIGIBLE', null, `${name} is no anchor and no candidate: ${reason}`);
  const near = nameMatcher(environment).suggest(name, 5);
  return failure(
    'INGREDIENT_UNKNOWN',
    null,
    `environment ${shown(environment.name)} has no ingredient ${shown(name)}`,
    near.length === 0
      ? 'No name is near in spelling; names have underscores, for example olive_oil.'
      : `Nearest spellings: ${near.join(', ')}.`,
  );
}

/** Reads what panel 2 needs to know of panel 1: its anchors and digests, proved first. Errors: SCHEMA_INVALID, VERIFY_FAILED. */
export function readFirstPanel(path: string): FirstPanel {
  const { document, tasks, physicalSha256, semanticSha256 } = verifyTaskFile(path);
  const place = { file: path };
  if (document === undefined) {
    throw failure(
      'SCHEMA_INVALID',
      place,
      'a task-set document expected, found plain task rows',
      'Give the task-set document of panel 1.',
    );
  }
  const replication = replicationOf(document);
  if (replication !== 1) {
    throw failure(
      'SCHEMA_INVALID',
      { ...place, path: 'replication.index' },
      `panel 1 expected, found panel ${replication}`,
      'Give the task set that panel 2 is to follow.',
    );
  }
  return {
    anchors: tasks.map(({ anchor }) => anchor),
    physicalSha256,
    artifactSha256: semanticSha256,
    taskSetSha256: document.task_set_sha256 as string,
  };
}
