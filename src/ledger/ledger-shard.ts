import { fail } from '../util/error.js';
import type { Shard } from '../util/shard.js';
import type { ShardDeclaration } from './journal-event.js';
import type { LedgerState } from './journal-state.js';

const WORDS = 2 ** 32;

/** Tells which of `count` shards, from 1, a cell belongs to: by its id alone, so that no other cell, price or roster moves it (collection 1.18). */
export function shardOfCell(cell: string, count: number): number {
  return Math.floor((Number.parseInt(cell.slice(0, 8), 16) * count) / WORDS) + 1;
}

/** Divides whole units among shards: each gets as many, the first of them one more where some are left over. Their sum is `units`. */
export function shareOf(units: number, { index, count }: Shard): number {
  return Math.floor(units / count) + Number(index <= units % count);
}

/** Says a shard in words: 2/8. */
export function shardName({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** The shard whose collection a ledger is; undefined for one of a whole plan, and for one that was put together of shards. */
export function ownShard({ shards, merges }: LedgerState): ShardDeclaration | undefined {
  return merges === 0 ? [...shards.values()][0] : undefined;
}

/**
 * Holds a ledger against the shard that is to be collected into it; null is a whole plan. A shard has a ledger of its own. Errors: SHARDS_DIFFER
 * where the ledger is another shard's, or holds something else.
 */
export function assertShardLedger(dir: string, state: LedgerState, shard: Shard | null): void {
  const own = ownShard(state);
  const asked = shard === null ? 'the whole plan' : `shard ${shardName(shard)}`;
  const what =
    own !== undefined
      ? own.index === shard?.index && own.count === shard.count
        ? undefined
        : `holds shard ${shardName(own)} of a plan; the call is for ${asked}`
      : shard !== null && state.cells.size > 0
        ? `holds ${state.cells.size} cells that are not those of one shard; the call is for ${asked}`
        : undefined;
  const [missing] = missingShards(state.shards);
  if (what === undefined && own === undefined && missing !== undefined)
    fail(
      'SHARDS_DIFFER',
      { file: dir },
      `was joined without shard ${missing} of ${[...state.shards.values()][0]!.count}, whose cells are asked elsewhere; the call is for ${asked}`,
      `Merge it with what is missing first. A shard that is lost is collected anew with --shard, into a folder of its own.`,
    );
  if (what === undefined) return;
  const hint =
    shard === null
      ? `Call with --shard ${shardName(own!)}, or name another folder with --ledger; \`flavourbench ledger merge\` joins shards into a ledger of the whole plan.`
      : `Give shard ${shardName(shard)} a folder of its own with --ledger.`;
  fail('SHARDS_DIFFER', { file: dir }, what, hint);
}

/** Numbers of shards that are not among those of one plan. */
export function missingShards(shards: ReadonlyMap<number, ShardDeclaration>): number[] {
  const [one] = shards.values();
  return Array.from({ length: one?.count ?? 0 }, (_, k) => k + 1).filter((index) => !shards.has(index));
}

/** Says what a ledger's words of its shards cannot be: another share than follows from the caps, two shards where none were joined; undefined where all of it can. */
export function shardProblem({ shards, merges }: LedgerState): string | undefined {
  const [own] = shards.values();
  if (own === undefined) return undefined;
  const other = [...shards.values()].find(
    ({ count, index }) => count !== own.count || (merges === 0 && index !== own.index),
  );
  if (other !== undefined) return `says that it is shard ${shardName(own)} and shard ${shardName(other)}`;
  for (const shard of shards.values()) {
    const { cap_micros, cap_tokens, share_micros, share_tokens } = shard;
    const [micros, tokens] = [shareOf(cap_micros, shard), cap_tokens === null ? null : shareOf(cap_tokens, shard)];
    if (share_micros !== micros || share_tokens !== tokens)
      return `says that its share is ${share_micros} micro-USD and ${share_tokens} tokens; of ${cap_micros} and ${cap_tokens} it is ${micros} and ${tokens}`;
  }
  return undefined;
}
