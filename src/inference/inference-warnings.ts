import { shown } from '../util/error.js';
import { counted, fixed } from '../util/format.js';
import { intervalSituation, intervalWarning } from './intervals/interval-choice.js';
import { narrowReasons } from './intervals/lone-strata.js';
import type { InferenceParts } from './parts.js';
import { drawWarnings, frozenWarnings } from './plan-warnings.js';
import { emptiedShare } from './resample.js';
import type { PairSummary } from './result.js';
import { stratumShares } from './strata.js';

/** Strata that a sentence lists. */
const LISTED = 8;

export interface WarningOptions
  extends Pick<InferenceParts, 'matrix' | 'plan' | 'design' | 'strata' | 'decided' | 'drawn'> {
  /** Pairs of models. */
  readonly pairs: number;
  readonly summary: PairSummary | null;
}

/** Lists what a reader must know before believing an inference, as sentences without a full stop. */
export function inferenceWarnings(options: WarningOptions): string[] {
  const { matrix, plan, decided, pairs } = options;
  const models = matrix.models.length;
  if (decided === null) return frozenWarnings({ plan, models, pairs, chance: matrix.chance !== undefined });
  return [
    ...weightWarnings(options),
    ...drawWarnings(plan),
    ...flipWarnings(options),
    ...turnWarnings(options.summary!),
    ...designWarnings(options),
    ...intervalWarnings(options),
  ];
}

/** A score whose families do not weigh the same is another score (decisions 4.3). */
function weightWarnings({ plan, strata }: WarningOptions): string[] {
  if (plan.family_weights === undefined || strata.weights === undefined) return [];
  const shares = stratumShares(strata);
  const said = strata.labels.slice(0, LISTED).map((label, s) => `${shown(label)} ${fixed(100 * shares[s]!, 1)} %`);
  const more = strata.labels.length > LISTED ? `, ... (${strata.labels.length} in all)` : '';
  return [`by choice of the call families do not weigh the same: ${said.join(', ')}${more}`];
}

/** More flips are advised only where flips are what lacks (decisions 2.3), and an unusual control is named. */
function flipWarnings({ plan, decided, pairs, summary }: WarningOptions): string[] {
  const { said } = decided!;
  const warnings: string[] = [];
  // Where no control could reject anything, the design is what is said, not the control.
  if (plan.multiplicity_reason.startsWith('over ') && summary!.byDesign < summary!.total)
    warnings.push(`the familywise error is kept by max-T: ${plan.multiplicity_reason}`);
  if (said.flipsNeeded !== null)
    warnings.push(
      `${counted(plan.flips, 'sign flip')} cannot make ${counted(pairs, 'pair')} significant under ${plan.multiplicity}; use at least ${said.flipsNeeded}, or --multiplicity max-t`,
    );
  return warnings;
}

function turnWarnings({ couldTurn: turning }: PairSummary): string[] {
  if (turning === 0) return [];
  const near = `${counted(turning, 'decision')} ${turning === 1 ? 'stands' : 'stand'} so near the limit that the sampled p could lie on either side of it`;
  return [`${near} (99 % limits, the other decisions held); more sign flips say which`];
}

/** Strata of one cluster, and draws that left a stratum empty (decisions 2.5). */
function designWarnings({ plan, strata, design, drawn }: WarningOptions): string[] {
  return narrowReasons({ design, labels: strata.labels, emptied: emptiedShare(drawn, plan) });
}

/** What the grid of intervals says of the kind in force on a table like this one (decisions 2.4). */
function intervalWarnings({ matrix, plan, design }: WarningOptions): string[] {
  const warning = intervalWarning(intervalSituation({ values: matrix.values, design }), plan.interval);
  return warning === null ? [] : [warning];
}
