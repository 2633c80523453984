import type { Redis } from 'ioredis';
import type { Blob, Blobs } from './blobs.js';
import type { Host, WorkerState } from './board.js';
import type { Packet } from './packet.js';
import type { Program } from './program.js';
import type { QueuePackages } from './redis.js';

/** A part of a call. */
export interface AskedPart {
  /** Equal ids of equal calls mean equal results. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly packet: Packet | null;
  /** Files that were put before. */
  readonly files?: readonly Blob[];
}

export interface CallOptions {
  readonly packages: QueuePackages;
  readonly redis: Redis;
  readonly blobs: Blobs;
  readonly program: Program;
  /** Digest of what is called: the same call, called again, takes over what was done. */
  readonly id: string;
  readonly kind: string;
  /** For people. */
  readonly name: string;
  readonly caller: Host;
  /** What every worker needs once. */
  readonly opening: Packet;
  /** Keeps what is done until the end, for a call that is killed and called again. */
  readonly keep: boolean;
  /** Milliseconds without Redis, or without memory in it while no part ends, after which the call gives up. */
  readonly lostAfter: number;
  /** Hears once a second how far it is. */
  onState?(state: CallProgress): void;
}

/** How far a call is. */
export interface CallProgress {
  readonly done: number;
  readonly parts: number;
  /** Workers that can do its parts, and all others that were heard of. */
  readonly workers: readonly WorkerState[];
  readonly others: readonly WorkerState[];
}

/** A call whose parts are done by workers. */
export interface QueueCall {
  /** Has a part done. Errors: PART_FAILED where every try failed; what the part itself failed with; QUEUE_LOST, REDIS_LOST, REDIS_FULL, CALL_CANCELLED. */
  run(part: AskedPart): Promise<Packet>;
  /** Puts a file that parts read. */
  putFile(path: string): Promise<Blob>;
  /** Says how many parts there are in all. */
  expect(parts: number): void;
  /** Ends it with an error, which all parts under way are rejected with. */
  stop(error: Error): void;
  /** Parts that workers can do at a time, as last heard. */
  hands(): number;
  /** Ids of the workers that did something. */
  readonly did: ReadonlySet<string>;
  /** Ends it: all is forgotten where it is done, else what was done is kept for the same call. */
  close(how: 'done' | 'stopped' | 'failed'): Promise<void>;
}
