import { flipTotals } from '../../engine/bounds.js';
import type { ClusterDesign } from '../../engine/design.js';
import type { Engine } from '../../engine/engine.js';
import { layoutOf } from '../../engine/layout.js';
import type { InferencePlan } from '../plan.js';
import { type MarginTests, marginDesign, marginTests } from './margin.js';

export interface EqualWithinOptions {
  readonly design: ClusterDesign;
  readonly plan: InferencePlan;
  readonly engine: Engine;
  readonly signal?: AbortSignal;
}

/** Flips of the margin tests: a stream of their own would say nothing more, since the tests are of other hypotheses. */
const STREAM = 1;

/** Tests every pair of models for equality within the margin of the plan, or gives null where it names none (decisions 3.3). */
export async function equalWithin({ design, plan, engine, signal }: EqualWithinOptions): Promise<MarginTests | null> {
  const { margin, flips, seed, alpha } = plan;
  if (margin === null || design.ranked < 2) return null;
  const moved = marginDesign(design, margin);
  const totals = flipTotals(moved, layoutOf(moved));
  const random = { kind: 'philox', seed, stream: STREAM } as const;
  const { pairs } = await engine.flips(moved, { draws: flips, random, signal });
  return marginTests({ design: moved, totals, exceedances: pairs, flips, alpha });
}
