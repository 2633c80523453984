import { type PortfolioMaps, subsets } from '../../engine/maps.js';
import { canonicalDigest } from '../../io/canonical.js';
import { orderKey, sha256 } from '../../io/digest.js';
import { fail } from '../../util/error.js';
import { type Candidate, variantName } from './candidate.js';
import type { CompileDesign, Family } from './design.js';
import { culinaryPrompt, PROMPT_PROTOCOL } from './prompt.js';
import { mapFault, type Ordered, scoreOrdered } from './score.js';
import type { Selected } from './select.js';
import type { Eligible, Space } from './space.js';

/** A task as a document holds it (compiler b.10). */
export interface TaskObject {
  readonly task_id: string;
  readonly split: string;
  readonly family: string;
  readonly validation_stratum: number;
  readonly anchor_ingredient: string;
  readonly primary_category: string;
  readonly prompt: string;
  readonly prompt_sha256: string;
  readonly prompt_protocol: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly selection_size: number;
  readonly selection_scores_bps: Readonly<Record<string, number>>;
  readonly optimal_selection: string;
  readonly chance_score_bps: number;
  readonly optimal_margin_bps: number;
  readonly oracle_reference: Readonly<Record<string, string | number | null>>;
  readonly oracle_reference_sha256: string;
  readonly scoring: Readonly<Record<string, string | number>>;
}

/** Letters of the labels, A on. */
export function labelsOf(choices: number): string[] {
  return Array.from({ length: choices }, (_, i) => String.fromCharCode(65 + i));
}

/** Portfolio keys of k of n in lexicographic order. */
export function portfolioKeys(choices: number, select: number): string[] {
  const labels = labelsOf(choices);
  return subsets(choices, select).map((members) => members.map((i) => labels[i]).join(''));
}

/** Names in label order: ascending by the hash of seed, task and name (compiler b.7). */
export function labelOrder<T extends { readonly name: string }>(
  seed: string,
  taskId: string,
  choices: readonly T[],
): T[] {
  return choices
    .map((item) => ({ item, key: orderKey(seed, 'choice', taskId, item.name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}

const METHODS: Record<Family, string> = {
  substitution: 'anchor_similarity_plus_portfolio_coherence',
  pairing: 'anchor_pairing_plus_portfolio_coherence',
  constraint: 'dietary_and_nova_filter_then_pairing_plus_portfolio_coherence',
  cultural_composition: 'cuisine_projection_plus_portfolio_coherence_of_distinct_categories',
};

const percent = (weight: number): string => `${Number((weight * 100).toFixed(4))}pct`;

function reference(
  { family, anchor, region, variant }: Candidate,
  design: CompileDesign,
  keys: number,
): TaskObject['oracle_reference'] {
  const { single, pair } = design[family].weights;
  return {
    method: `${METHODS[family]}_${percent(single)}_${percent(pair)}`,
    anchor: anchor.name,
    target_region: region,
    constraint_variant: variant?.flag ?? null,
    maximum_nova: variant?.nova ?? null,
    selection_size: design.select,
    all_combinations_scored: keys,
    normalization: 'within_task_min_max_over_valid_selections',
    invalid_selection_score_bps: 0,
  };
}

export const SCORING = {
  method: 'exact_selection_lookup_bps_v1',
  minimum_bps: 0,
  maximum_bps: 10_000,
  quality_score_inclusion: 'successful_and_parseable_only',
  transport_or_parse_failure: 'coverage_only_not_quality_score',
};

export interface AssembleRequest {
  readonly space: Space;
  readonly design: CompileDesign;
  readonly seed: string;
  readonly idPrefix: string;
  readonly split: string;
  readonly selected: readonly Selected<Candidate>[];
}

/** Labels, prompts, maps and references of the selected candidates. Errors: MAP_REJECTED names the task and the rule. */
export function assembleTasks(request: AssembleRequest): TaskObject[] {
  const { space, design, seed, idPrefix, selected } = request;
  const ids = selected.map(
    ({ candidate, number }) => `${idPrefix}${candidate.family}-${String(number).padStart(3, '0')}`,
  );
  const ordered: Ordered[] = selected.map(({ candidate }, t) => ({
    candidate,
    choices: labelOrder<Eligible>(seed, ids[t]!, candidate.choices),
  }));
  const maps = scoreOrdered(space, design, ordered);
  const keys = portfolioKeys(design.choices, design.select);
  return ordered.map((item, t) => {
    const fault = mapFault(maps, t, design);
    if (fault) {
      const { anchor, variant } = item.candidate;
      fail(
        'MAP_REJECTED',
        null,
        `${ids[t]} (anchor ${anchor.name}${variant ? `, ${variantName(variant)}` : ''}): ${fault.detail}`,
        'Use `scoreability: before` in the design, or another seed.',
      );
    }
    return taskObject(request, item, ids[t]!, selected[t]!.stratum, maps, t, keys);
  });
}

function taskObject(
  { design, split }: AssembleRequest,
  { candidate, choices }: Ordered,
  id: string,
  stratum: number,
  maps: PortfolioMaps,
  t: number,
  keys: readonly string[],
): TaskObject {
  const labels = labelsOf(design.choices);
  const names = choices.map(({ name }) => name);
  const prompt = culinaryPrompt(candidate, names, design.select);
  const oracle = reference(candidate, design, keys.length);
  return {
    task_id: id,
    split,
    family: candidate.family,
    validation_stratum: stratum,
    anchor_ingredient: candidate.anchor.name,
    primary_category: candidate.anchor.category,
    prompt,
    prompt_sha256: sha256(prompt),
    prompt_protocol: PROMPT_PROTOCOL,
    choices: Object.fromEntries(labels.map((label, i) => [label, names[i]!])),
    selection_size: design.select,
    selection_scores_bps: Object.fromEntries(keys.map((key, i) => [key, maps.scores[t * keys.length + i]!])),
    optimal_selection: keys[maps.optimal[t]!]!,
    chance_score_bps: maps.chance[t]!,
    optimal_margin_bps: maps.margin[t]!,
    oracle_reference: oracle,
    oracle_reference_sha256: canonicalDigest(oracle),
    scoring: SCORING,
  };
}
