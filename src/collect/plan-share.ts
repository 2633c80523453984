import type { ShardDeclaration } from '../ledger/journal-event.js';
import { shardOfCell, shareOf } from '../ledger/ledger-shard.js';
import type { Collection } from './compile-plan.js';
import { usdToMicros } from './money.js';

/** Hard caps: micro-USD, and tokens where the plan has such a cap. */
interface Caps {
  readonly micros: number;
  readonly tokens: number | null;
}

/** Reads the caps of a budget as a plan writes it. */
export function capsOfBudget(budget: { readonly usd: string | number; readonly tokens?: number | undefined }): Caps {
  return { micros: usdToMicros(budget.usd), tokens: budget.tokens ?? null };
}

/** What a collection may spend here: the caps of its plan, or the share of them that goes with its share of the cells (collection 1.18). */
export function capsOf(collection: Collection): Caps {
  const caps = capsOfBudget(collection.plan.budget);
  const { shard } = collection;
  if (shard === undefined) return caps;
  return { micros: shareOf(caps.micros, shard), tokens: caps.tokens === null ? null : shareOf(caps.tokens, shard) };
}

/** Makes the test of whether a planned cell is collected here. */
export function isOwnJob({ shard }: Collection): (job: { readonly binding: { readonly cell: string } }) => boolean {
  return shard === undefined ? () => true : ({ binding }) => shardOfCell(binding.cell, shard.count) === shard.index;
}

/** Says in a ledger which share of a plan it holds; undefined for a whole plan. `cells` is their number. */
export function shardDeclaration(collection: Collection, cells: number): ShardDeclaration | undefined {
  const { shard, frozenPlan } = collection;
  if (shard === undefined) return undefined;
  const [caps, share] = [capsOfBudget(collection.plan.budget), capsOf(collection)];
  return {
    manifest_sha256: frozenPlan.artifact_sha256,
    index: shard.index,
    count: shard.count,
    cells,
    cap_micros: caps.micros,
    cap_tokens: caps.tokens,
    share_micros: share.micros,
    share_tokens: share.tokens,
  };
}
