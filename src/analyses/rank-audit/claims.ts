import type { ScoreMatrix } from '../../core/matrix.js';
import { pairIndex } from '../../engine/design.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { moreWords } from '../../inference/decisions/decision-words.js';
import { moreTasksFor, plannedDesign } from '../../inference/decisions/neighbours.js';
import { type Inference, PAIR_DECISIONS, type PairDecision } from '../../inference/result.js';
import { OPPOSITE_DECISION } from '../../inference/row-order.js';
import { plannedStrata } from '../../inference/strata.js';
import { fail, shown } from '../../util/error.js';
import { counted, general, placesFor, pointsText } from '../../util/format.js';
import { nearestOrAll } from '../../util/spelling.js';

/** A claim `A > B` that a call makes, and whether the data support it (reading 5.2). */
export interface CheckedClaim {
  readonly claim: string;
  readonly higher: string;
  readonly lower: string;
  /** Whether the test in force tells the two apart, the first above. */
  readonly holds: boolean;
  /** Of the first model. */
  readonly decision: PairDecision;
  /** By the multiplicity in force. */
  readonly adjusted_p: number;
  /** First minus second, points. */
  readonly difference: number;
  /** About how many more tasks would do it if the observed difference were the true one; null where no number would. */
  readonly more_tasks: number | null;
  /** The difference is that of scores half-way between their bounds, for cells are missing. */
  readonly bounded?: true;
}

const HINT = 'Write the names as they stand in the table: --fail-unless "A > B".';

/** Reads `A > B`, whose names may hold blanks and `>` themselves. Errors: USAGE, MODEL_UNKNOWN with the nearest name. */
export function parseClaim(claim: string, models: readonly string[]): readonly [higher: string, lower: string] {
  const known = new Set(models);
  const named = (text: string): string => (known.has(text) ? text : text.trim());
  const splits = [...claim.matchAll(/>/g)].map(
    ({ index }) => [named(claim.slice(0, index)), named(claim.slice(index + 1))] as const,
  );
  const whole = splits.filter(([first, second]) => known.has(first) && known.has(second));
  const [found, other] = whole;
  if (other !== undefined)
    fail(
      'USAGE',
      null,
      `--fail-unless ${shown(claim)} can be read in ${whole.length} ways`,
      'Rename a model that holds the sign >.',
    );
  if (found !== undefined && found[0] !== found[1]) return found;
  if (found !== undefined) fail('USAGE', null, `--fail-unless ${shown(claim)} names one model twice`, HINT);
  const near = splits.find(([first, second]) => known.has(first) || known.has(second)) ?? splits[0];
  if (near === undefined) fail('USAGE', null, `--fail-unless ${shown(claim)} is not of the form A > B`, HINT);
  const wrong = near.find((name) => !known.has(name))!;
  return fail(
    'MODEL_UNKNOWN',
    null,
    `--fail-unless names ${shown(wrong)}, which is none of the ${counted(models.length, 'model')}`,
    nearestOrAll(wrong, models) ?? HINT,
  );
}

export interface ClaimOptions {
  readonly claims: readonly string[];
  readonly inference: Inference;
  readonly matrix: ScoreMatrix;
  /** Whether missing cells leave the totals open, so that no number of tasks is known. */
  readonly bounded: boolean;
}

/** Checks claims by the test in force. Errors: those of `parseClaim`; USAGE for a pair that was not tested. */
export function checkClaims({ claims, inference, matrix, bounded }: ClaimOptions): CheckedClaim[] {
  const { models, pairTable: table, plan, tasks, pairSummary } = inference;
  const ids = models.map(({ modelId }) => modelId);
  const design = clusterDesign(matrix, plannedStrata(matrix, plan));
  const needed = pairSummary?.clustersNeeded ?? null;
  const planned = plannedDesign({ design, tasks, needed, plan, models: models.length });
  return claims.map((claim) => {
    const [higher, lower] = parseClaim(claim, ids);
    const [a, b] = [ids.indexOf(higher), ids.indexOf(lower)];
    const pair = a < b ? pairIndex(a, b, ids.length) : pairIndex(b, a, ids.length);
    const stated = PAIR_DECISIONS[table!.decision[pair]!]!;
    const decision = a > b ? OPPOSITE_DECISION[stated] : stated;
    if (decision === 'untested')
      fail(
        'USAGE',
        null,
        `--fail-unless ${shown(claim)}: with --against ${shown(plan.against)} this pair is not tested`,
        'Leave --against out, or name that model.',
      );
    const difference = (a < b ? 1 : -1) * table!.difference[pair]!;
    const above = { higher: a, lower: b, difference: Math.max(0, difference), decision };
    const holds = decision === 'higher';
    return {
      ...{ claim, higher, lower, holds, decision },
      adjusted_p: table!.adjusted[pair]!,
      difference: difference === 0 ? 0 : difference,
      more_tasks: holds || bounded ? null : moreTasksFor(planned, above),
      ...(bounded ? { bounded } : {}),
    };
  });
}

/** Says of a claim whether it holds, with its p, and what it would take where it does not; no full stop. */
export function claimWords(checked: CheckedClaim, size: { readonly tasks: number; readonly clusters: number }): string {
  const { higher, lower, decision, difference, adjusted_p: p, more_tasks: more } = checked;
  const said = `${higher} > ${lower}`;
  const apart = pointsText(Math.abs(difference), placesFor([Math.abs(difference)]));
  const points = checked.bounded ? `by the middle of what the missing cells allow ${apart}` : apart;
  const adjusted = `adjusted p ${general(p, 3)}`;
  if (decision === 'higher') return `${said} holds: ${points} above, ${adjusted}`;
  if (decision === 'lower') return `${said} does not hold: ${lower} is above, ${points} higher, ${adjusted}`;
  if (difference === 0) return `${said} does not hold: equal scores, ${adjusted}; no number of tasks is known to do it`;
  if (difference < 0)
    return `${said} does not hold: ${higher} is ${points} below, ${adjusted}; more tasks would not help if that is the true difference`;
  const needs =
    more === null
      ? 'how many tasks it takes is not known'
      : `${moreWords(more, size)} would do it if that is the true difference`;
  const untestable = decision === 'untestable' ? ' (too few clusters differ to tell them apart at all)' : '';
  return `${said} does not hold: ${points} above, ${adjusted}${untestable}; ${needs}`;
}
