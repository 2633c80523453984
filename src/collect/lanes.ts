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
  strikes: number;
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
    return [{ route, queue, gate, backend: shared.slots, pace: shared.pace, strikes: 0 }];
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

/** Tells whether an end says nothing about the cell and everything about the route. */
function isStrike(result: CellResult): boolean {
  if (result.kind === 'pending') return true;
  if (result.kind === 'stopped') return false;
  return result.delivery === 'ambiguous' || result.record.outcome === 'request_rejected';
}

function lastWords(result: CellResult): string | null {
  if (result.kind === 'recorded') return result.record.error?.message ?? result.record.outcome;
  return result.kind === 'pending' ? (result.detail ?? result.reason) : null;
}

/** Counts an end without a usable reply; after `limit` in a row the route rests, before it burns the whole block. */
export function countStrike(lane: Lane, result: CellResult, limit: number): void {
  if (result.kind === 'stopped') return;
  lane.strikes = isStrike(result) ? lane.strikes + 1 : 0;
  if (lane.strikes >= limit) {
    const last = lastWords(result);
    lane.gate.suspend(
      `${lane.strikes} cells in a row without a usable reply${last === null ? '' : `, the last: ${last}`}`,
    );
  }
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
