import type { MapKernels } from '../../engine/maps.js';
import type { Environment } from '../../environment/environment.js';
import { nameMatcher } from '../../environment/matcher.js';
import { failure, shown } from '../../util/error.js';
import { type Candidate, type Rejection, variantName } from './candidate.js';
import type { Compiled } from './compile.js';
import type { CompileDesign } from './design.js';
import { generate } from './generate.js';
import { keepScoreable } from './score.js';
import type { Selectable, Selection } from './select.js';
import { openSpace } from './space.js';

/** What became of one anchor in one family (and variant). */
export interface AnchorOutcome {
  readonly family: string;
  readonly variant: string | null;
  /** `selected`, a rule that turned the anchor down, the rule that passed the candidate over, or `candidate`. */
  readonly outcome: string;
  readonly detail: string;
  readonly stratum: number | null;
  readonly difficulty: number | null;
  readonly choices: readonly string[];
}

const PASSED = {
  anchor_used: 'its anchor was taken before: by an earlier family, stratum, or variant',
  category_cap: 'its category had reached the cap when its turn came',
  stratum_full: 'the stratum was full when its turn came',
};

function rejected({ family, variant, rule, detail }: Rejection): AnchorOutcome {
  return {
    family,
    variant: variant ? variantName(variant) : null,
    outcome: rule,
    detail,
    stratum: null,
    difficulty: null,
    choices: [],
  };
}

/** What selection did with a candidate. */
export function fate<T extends Selectable>(
  selections: readonly Selection<T>[],
  same: (candidate: T) => boolean,
): Pick<AnchorOutcome, 'outcome' | 'detail' | 'stratum'> {
  const taken = selections.flatMap((s) => s.selected).find((s) => same(s.candidate));
  if (taken)
    return {
      outcome: 'selected',
      detail: `task ${taken.number} of its family`,
      stratum: taken.stratum,
    };
  const passed = selections.flatMap((s) => s.passedOver).find((s) => same(s.candidate));
  if (passed) return { outcome: passed.reason, detail: PASSED[passed.reason], stratum: passed.stratum };
  return { outcome: 'candidate', detail: 'a candidate; nothing was selected', stratum: null };
}

export interface ExplainRequest {
  readonly environment: Environment;
  readonly kernels: MapKernels;
  readonly design: CompileDesign;
  readonly anchor: string;
  /** The compile to look the anchor up in; null when it failed. */
  readonly compiled: Compiled | null;
}

function nearestSpellings(environment: Environment, name: string): string {
  const near = nameMatcher(environment).suggest(name, 5);
  return near.length === 0
    ? 'No name is near in spelling; names have underscores, for example olive_oil.'
    : `Nearest spellings: ${near.join(', ')}.`;
}

/**
 * Why an anchor gives a task, a candidate that was passed over, or nothing, family by family (compiler b.2 to b.8).
 * Errors: INGREDIENT_UNKNOWN; ANCHOR_INELIGIBLE says why it is neither anchor nor candidate.
 */
export function explainAnchor(request: ExplainRequest): AnchorOutcome[] {
  const { environment, kernels, design, anchor, compiled } = request;
  const space = compiled?.space ?? openSpace(environment, design, kernels);
  const item = space.byName.get(anchor);
  if (!item) {
    const reason = space.ineligible.get(anchor);
    throw reason === undefined
      ? failure(
          'INGREDIENT_UNKNOWN',
          null,
          `environment ${shown(environment.name)} has no ingredient ${shown(anchor)}`,
          nearestSpellings(environment, anchor),
        )
      : failure('ANCHOR_INELIGIBLE', null, `${anchor} is no anchor and no candidate: ${reason}`);
  }
  const ofCandidate = (candidate: Candidate): AnchorOutcome => {
    const { family, variant, difficulty, choices } = candidate;
    const same = (other: Candidate): boolean =>
      other.anchor.name === anchor &&
      other.family === family &&
      other.variant?.flag === variant?.flag &&
      other.variant?.nova === variant?.nova;
    return {
      family,
      variant: variant ? variantName(variant) : null,
      ...fate(compiled?.selections ?? [], same),
      difficulty,
      choices: choices.map(({ name }) => name),
    };
  };
  return generate({ space, design, anchors: [item] }).flatMap((pool) => {
    const scored = keepScoreable(space, design, pool);
    return [...scored.candidates.map(ofCandidate), ...scored.rejections.map(rejected)];
  });
}
