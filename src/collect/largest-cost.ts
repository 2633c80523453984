import { canonicalDigest } from '../io/canonical.js';
import type { Spending } from '../ledger/ledger-status.js';
import type { Collection } from './compile-plan.js';
import { capsOf } from './plan-share.js';
import { isLoopback, type Route } from './route.js';
import type { CellJob } from './schedule.js';

/** The most that a session can cost, before it begins. Money is micro-USD. */
export interface LargestCost {
  /** Cells that it asks. */
  readonly cells: number;
  /** Every reply as long as its ceiling allows. */
  readonly ceiling_micros: number;
  /** What the cap of the plan, or the share of it that is collected here, leaves after all that was or may have been spent. */
  readonly room_micros: number;
  /** The smaller of the two. */
  readonly largest_micros: number;
  /** Models on other machines for which the plan states no price and the request no ceiling: what they cost is not known here. */
  readonly unpriced: readonly string[];
  /** Digest of plan, cells and amounts: whoever gives it has seen them. */
  readonly confirmation: string;
}

/** Whether what a route costs is not known here: it is asked elsewhere, at a price of nothing, and the request carries no ceiling of price. */
function isUnpriced({ transport, base_url, price }: Route): boolean {
  if (transport === 'simulated' || transport === 'openrouter' || base_url === null || isLoopback(base_url))
    return false;
  return [price.prompt, price.completion, price.request].every((part) => Number(part) === 0);
}

/**
 * States the most that asking the given cells can cost (collection 1.13): a cell is accepted at most once, and nothing is admitted past the
 * cap. The confirmation changes with the plan, with the cells and with what was spent.
 */
export function largestCost(options: {
  readonly collection: Collection;
  readonly jobs: readonly CellJob[];
  readonly spending: Pick<Spending, 'spent_micros' | 'uncertain_micros'> | null;
}): LargestCost {
  const { collection, jobs, spending } = options;
  const ceiling = jobs.reduce((sum, { reservation }) => sum + reservation.micros, 0);
  const used = (spending?.spent_micros ?? 0) + (spending?.uncertain_micros ?? 0);
  const room = Math.max(0, capsOf(collection).micros - used);
  const unpriced = [...new Set(jobs.filter(({ route }) => isUnpriced(route)).map(({ route }) => route.model_id))];
  const facts = {
    manifest_sha256: collection.frozenPlan.artifact_sha256,
    cells: jobs.map(({ binding }) => binding.cell),
    ceiling_micros: ceiling,
    room_micros: room,
  };
  return {
    cells: jobs.length,
    ceiling_micros: ceiling,
    room_micros: room,
    largest_micros: Math.min(ceiling, room),
    unpriced,
    confirmation: canonicalDigest(facts),
  };
}
