/** One of `count` shares of a work, 1-based. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Most shares of a work. */
export const MOST_SHARDS = 100_000;
