import { type PortfolioMaps, subsets } from '../../engine/maps.js';
import { canonicalDigest } from '../../io/canonical.js';
import { orderKey, sha256 } from '../../io/digest.js';
import { fail } from '../../util/error.js';
import { variantName } from '../feasibility.js';
import type { Candidate, Family, TaskSource } from './family.js';
import { mapFault, type Ordered, scoreOrdered } from './score.js';
import type { Selected } from './select-tasks.js';
import type { TaskObject } from './taskset-document.js';

/** Lists the letters of the labels, A on. */
function labelsOf(choices: number): string[] {
  return Array.from({ length: choices }, (_, i) => String.fromCharCode(65 + i));
}

/** Lists the portfolio keys of k of n in lexicographic order. */
export function portfolioKeys(choices: number, select: number): string[] {
  const labels = labelsOf(choices);
  return subsets(choices, select).map((members) => members.map((i) => labels[i]).join(''));
}

/** Puts names in label order: ascending by the hash of seed, task and name (compiler b.7). */
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

const SCORING = {
  method: 'exact_selection_lookup_bps_v1',
  minimum_bps: 0,
  maximum_bps: 10_000,
  quality_score_inclusion: 'successful_and_parseable_only',
  transport_or_parse_failure: 'coverage_only_not_quality_score',
};

interface AssembleRequest {
  readonly source: TaskSource;
  readonly seed: string;
  readonly idPrefix: string;
  readonly split: string;
  readonly selected: readonly (Selected<Candidate> & { readonly family: Family })[];
}

/** Gives the selected candidates labels, prompts, maps and references. Errors: MAP_REJECTED names the task and the rule; PROMPT_LEAKS. */
export function assembleTasks(request: AssembleRequest): TaskObject[] {
  const { source, seed, idPrefix, selected } = request;
  const { design } = source;
  const ids = selected.map(({ family, number }) => `${idPrefix}${family.id}-${String(number).padStart(3, '0')}`);
  const ordered: Ordered[] = selected.map(({ family, candidate }, t) => ({
    family,
    candidate,
    choices: labelOrder(seed, ids[t]!, candidate.choices),
  }));
  const maps = scoreOrdered(source, ordered);
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
    return taskObject(request, item, { id: ids[t]!, stratum: selected[t]!.stratum, maps, t, keys });
  });
}

interface TaskPlace {
  readonly id: string;
  readonly stratum: number;
  readonly maps: PortfolioMaps;
  /** Place of the task in the maps. */
  readonly t: number;
  readonly keys: readonly string[];
}

function taskObject({ source, split }: AssembleRequest, item: Ordered, place: TaskPlace): TaskObject {
  const { family, candidate, choices } = item;
  const { id, stratum, maps, t, keys } = place;
  const names = choices.map(({ name }) => name);
  const prompt = family.prompt(candidate, names);
  const oracle = {
    ...family.reference(candidate),
    selection_size: source.design.select,
    all_combinations_scored: keys.length,
    normalization: 'within_task_min_max_over_valid_selections',
    invalid_selection_score_bps: 0,
  };
  return {
    task_id: id,
    split,
    family: family.id,
    validation_stratum: stratum,
    anchor_ingredient: candidate.anchor.name,
    primary_category: candidate.anchor.category,
    prompt,
    prompt_sha256: sha256(prompt),
    prompt_protocol: source.protocol,
    choices: Object.fromEntries(labelsOf(names.length).map((label, i) => [label, names[i]!])),
    selection_size: source.design.select,
    selection_scores_bps: Object.fromEntries(keys.map((key, i) => [key, maps.scores[t * keys.length + i]!])),
    optimal_selection: keys[maps.optimal[t]!]!,
    chance_score_bps: maps.chance[t]!,
    optimal_margin_bps: maps.margin[t]!,
    oracle_reference: oracle,
    oracle_reference_sha256: canonicalDigest(oracle),
    scoring: SCORING,
  };
}
