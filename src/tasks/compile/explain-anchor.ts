import { variantName } from '../feasibility.js';
import type { Compiled, CompiledFamily } from './compile.js';
import type { Candidate, TaskSource } from './family.js';
import { generateScoreable } from './generate.js';

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

/** What selection did with a candidate. */
function selectionOutcome(
  compiled: CompiledFamily | undefined,
  { anchor, variant }: Candidate,
): Pick<AnchorOutcome, 'outcome' | 'detail' | 'stratum'> {
  const same = ({ candidate: other }: { readonly candidate: Candidate }): boolean =>
    other.anchor.name === anchor.name && other.variant?.flag === variant?.flag && other.variant?.nova === variant?.nova;
  const taken = compiled?.selection.selected.find(same);
  if (taken) return { outcome: 'selected', detail: `task ${taken.number} of its family`, stratum: taken.stratum };
  const passed = compiled?.selection.passedOver.find(same);
  if (passed) return { outcome: passed.reason, detail: PASSED[passed.reason], stratum: passed.stratum };
  return { outcome: 'candidate', detail: 'a candidate; nothing was selected', stratum: null };
}

/**
 * Says why an anchor gives a task, a candidate that was passed over, or nothing, family by family (compiler b.2 to b.8).
 * `compiled` is the compile to look the anchor up in, null when it failed. Errors: INGREDIENT_UNKNOWN; ANCHOR_INELIGIBLE
 * where it is neither anchor nor candidate, or no anchor of any family.
 */
export function explainAnchor(source: TaskSource, anchor: string, compiled: Compiled | null): AnchorOutcome[] {
  const outcomes = generateScoreable(source, anchor).flatMap(({ family, candidates, rejections }): AnchorOutcome[] => {
    const inPanel = compiled?.families.find((each) => each.family.id === family.id);
    const common = (variant: Candidate['variant']) => ({
      family: family.id,
      variant: variant ? variantName(variant) : null,
    });
    return [
      ...candidates.map((candidate) => ({
        ...common(candidate.variant),
        ...selectionOutcome(inPanel, candidate),
        difficulty: candidate.difficulty,
        choices: candidate.choices.map(({ name }) => name),
      })),
      ...rejections.map(({ variant, rule, detail }) => ({
        ...common(variant),
        outcome: rule,
        detail,
        stratum: null,
        difficulty: null,
        choices: [],
      })),
    ];
  });
  if (outcomes.length === 0) throw source.noAnchor(anchor);
  return outcomes;
}
