import type { CellResult } from './attempt.js';
import type { Clock } from './clock.js';
import type { Collection } from './compile-plan.js';
import type { Route } from './route.js';
import type { CellJob } from './schedule.js';
import { type Gate, makeGate, makePace, makeSlots, type Pace, type Slots } from './throttle.js';

/** One model's queue, and whether it may be asked. */
export interface Lane {
  readonly route: Route;
  readonly queue: CellJob[];
  readonly gate: Gate;
  readonly backend: Slots;
  readonly pace: Pace;
  /** Ends in a row without a usable reply, and all ends of this session. */
  strikes: number;
  ends: number;
  /** The last of them: its cell, and what came back against what was expected. */
  last: { readonly cell: string; readonly words: string } | null;
}

/** Makes one lane a model that has cells to ask; lanes of one backend share its ceiling and pace. */
export function makeLanes(options: {
  readonly collection: Collection;
  readonly chosen: readonly CellJob[];
  readonly clock: Clock;
}): readonly Lane[] {
  const { collection, chosen, clock } = options;
  const { concurrency, pacing_ms } = collection.plan;
  const queues = new Map<string, CellJob[]>();
  for (const job of chosen) {
    const queue = queues.get(job.route.model_id);
    if (queue) queue.push(job);
    else queues.set(job.route.model_id, [job]);
  }
  const backends = new Map<string, { slots: Slots; pace: Pace }>();
  return collection.routes.flatMap((route) => {
    const queue = queues.get(route.model_id);
    if (queue === undefined) return [];
    let shared = backends.get(route.backend);
    if (shared === undefined) {
      const size = concurrency.backends[route.backend] ?? concurrency.global;
      const intervalMs = pacing_ms[route.backend] ?? 0;
      shared = { slots: makeSlots(size), pace: makePace({ intervalMs, clock }) };
      backends.set(route.backend, shared);
    }
    const gate = makeGate(clock);
    return [{ route, queue, gate, backend: shared.slots, pace: shared.pace, strikes: 0, ends: 0, last: null }];
  });
}

/** Waits until the route is open and both slots are held. A parked route holds no slot, so it stops no other. */
export async function enterLane(lane: Lane, global: Slots, stop: AbortSignal): Promise<boolean> {
  for (;;) {
    if (!(await lane.gate.open(stop))) return false;
    await lane.backend.acquire();
    await global.acquire();
    if (!stop.aborted && lane.gate.suspended === null && !lane.gate.parked) {
      await lane.pace.wait(stop);
      if (!stop.aborted) return true;
    }
    global.release();
    lane.backend.release();
  }
}

/** Ends that are the model's own doing, and say something about the cell: every other failure says something about the route. */
export const OWN_ENDS: ReadonlySet<string> = new Set(['completed', 'length', 'content_filter', 'refusal']);

/** What an end without a usable reply said; null for a usable one (collection 1.10). */
function strikeWords(result: Exclude<CellResult, { kind: 'stopped' }>, ownEnds: ReadonlySet<string>): string | null {
  if (result.kind === 'pending') return result.detail ?? result.reason;
  const { outcome, error } = result.record;
  // A reply that another model cut off or refused is no doing of the model that was asked.
  if (ownEnds.has(outcome)) return result.foreign === null ? null : `${outcome}: ${result.foreign}`;
  return error === null ? outcome : `${outcome}: ${error.message}`;
}

/** Counts an end without a usable reply; after `limit` in a row the route rests, before it burns the whole block. */
export function countStrike(
  lane: Lane,
  cell: string,
  result: CellResult,
  { limit, ownEnds }: { readonly limit: number; readonly ownEnds: ReadonlySet<string> },
): void {
  if (result.kind === 'stopped') return;
  const words = strikeWords(result, ownEnds);
  lane.ends += 1;
  lane.strikes = words === null ? 0 : lane.strikes + 1;
  if (words === null) return;
  lane.last = { cell, words };
  if (lane.strikes >= limit)
    lane.gate.suspend(`${lane.strikes} cells in a row without a usable reply, the last: ${words}`);
}

/** Waits for every worker even when one fails: what is in flight is journalled and recorded before the error is passed on. */
export async function settleAll(workers: readonly Promise<void>[], onFailure: () => void): Promise<void> {
  const guarded = workers.map((worker) =>
    worker.catch((error: unknown) => {
      onFailure();
      throw error;
    }),
  );
  const results = await Promise.allSettled(guarded);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
