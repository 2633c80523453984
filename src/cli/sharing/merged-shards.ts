import { fail } from '../../util/error.js';
import type { Shard } from '../../util/shard.js';

/** A share of a work that was done by itself. */
export interface DoneShard {
  readonly path: string;
  readonly shard: Shard | null;
  /** All of it is done. */
  readonly done: boolean;
  /** What the work is: equal texts, equal works. */
  readonly work: string;
}

/** Holds shards against each other: all of one work, each share once, all finished. Errors: SHARDS_DIFFER, SHARDS_INCOMPLETE. */
export function assertShards(shards: readonly DoneShard[]): void {
  const [first] = shards;
  const met = new Map<number, string>();
  for (const { path, shard, done, work } of shards) {
    if (shard === null)
      fail('SHARDS_DIFFER', { file: path }, 'is a whole result and no shard', 'Give what was made with --shard.');
    const count = first!.shard?.count;
    if (work !== first!.work)
      fail(
        'SHARDS_DIFFER',
        { file: path },
        `is a shard of other inputs or options than ${first!.path}`,
        'Give every shard of one call: the same inputs, options and version of the program.',
      );
    if (shard.count !== count)
      fail(
        'SHARDS_DIFFER',
        { file: path },
        `is one of ${shard.count} shards, ${first!.path} one of ${count}`,
        'Split all of them alike.',
      );
    const other = met.get(shard.index);
    if (other !== undefined)
      fail('SHARDS_DIFFER', { file: path }, `is shard ${shard.index}, as ${other} is`, 'Give every shard once.');
    met.set(shard.index, path);
    if (!done)
      fail(
        'SHARDS_INCOMPLETE',
        { file: path },
        'was not finished',
        'Run the same shard again: it goes on where it stood.',
      );
  }
  const count = first?.shard?.count ?? 0;
  const missing = Array.from({ length: count }, (_, k) => k + 1).filter((index) => !met.has(index));
  if (missing.length > 0)
    fail(
      'SHARDS_INCOMPLETE',
      null,
      `shard ${missing.slice(0, 10).join(', ')}${missing.length > 10 ? ', ...' : ''} of ${count} is missing`,
      'Give every shard; one that did not finish is run again with the same --shard.',
    );
}
