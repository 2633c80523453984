import type { LedgerWriter } from '../ledger/ledger-writer.js';
import { pendingCells, sealAmbiguous } from '../ledger/resume.js';
import { type AttemptContext, askCell } from './attempt.js';
import { type Budget, makeBudget } from './budget.js';
import { buildRequest, type Credentials, routeHeaders } from './cell-request.js';
import { type Clock, isoTime } from './clock.js';
import type { Collection } from './compile-plan.js';
import type { Send } from './http.js';
import { countStrike, enterLane, type Lane, makeLanes, settleAll } from './lanes.js';
import { usdToMicros } from './money.js';
import type { Redact } from './redact.js';
import { addResult, makeTally, scheduleCounts, type Tally } from './run-tally.js';
import type { CellJob } from './schedule.js';
import { makeSlots } from './throttle.js';
import { makeSendCell } from './transport.js';

interface RunOptions {
  readonly collection: Collection;
  readonly jobs: readonly CellJob[];
  readonly ledger: LedgerWriter;
  readonly send: Send;
  readonly credentials: Credentials;
  readonly redact: Redact;
  readonly clock: Clock;
  /** Name of a request, from its cell and its number within cell and session; unique per request sent. */
  readonly attemptId: (cell: string, index: number) => string;
  /** At most this many cells are asked; null: all. */
  readonly limit: number | null;
  /** Only these cells; null: every pending one. */
  readonly only: ReadonlySet<string> | null;
  readonly maxWaitSeconds: number;
  /** Aborted to finish what is in flight and stop. */
  readonly stop: AbortSignal;
  /** Called at the start and after every cell. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly tally: Tally;
  /** Cells this session will ask. */
  readonly toAsk: number;
  readonly inFlight: number;
  readonly parked: readonly string[];
}

/** How a session ended. `complete` also when there was nothing to do; `limit_reached`: all that a limit let through is recorded. */
export interface RunSummary {
  readonly status: 'complete' | 'limit_reached' | 'incomplete' | 'stopped_by_budget' | 'stopped_by_signal';
  readonly manifest_sha256: string;
  readonly scheduled_cells: number;
  readonly already_completed: number;
  readonly already_failed: number;
  readonly sealed_ambiguous: number;
  readonly asked: number;
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly suspended: Readonly<Record<string, string>>;
  /** By model with cells that stay pending after a rejection: what the last one said. */
  readonly rejections: Readonly<Record<string, string>>;
  readonly spent_micros: number;
  readonly uncertain_micros: number;
  readonly session_micros: number;
  readonly cap_micros: number;
  readonly simulated: boolean;
  readonly tally: Tally;
}

/** Checks that every credential that will be needed is there, before anything is written or sent. Errors: CREDENTIAL_MISSING. */
export function checkCredentials(jobs: readonly CellJob[], credentials: Credentials): void {
  for (const route of new Set(jobs.map((job) => job.route))) routeHeaders(route, credentials);
}

/** Tokens that ambiguous records of this schedule may have used, which no record can state. */
function uncertainTokens(ledger: LedgerWriter, jobs: readonly CellJob[]): number {
  let tokens = 0;
  for (const { binding, reservation } of jobs) {
    const head = ledger.state.cells.get(binding.cell)?.head;
    if (head && head.tokens === 0 && (head.uncertain_micros > 0 || head.outcome === 'ambiguous'))
      tokens += reservation.tokens;
  }
  return tokens;
}

function openBudget(collection: Collection, ledger: LedgerWriter, jobs: readonly CellJob[]): Budget {
  const totals = ledger.totals();
  return makeBudget({
    capMicros: usdToMicros(collection.plan.budget.usd),
    capTokens: collection.plan.budget.tokens ?? null,
    spentMicros: totals.cost_micros,
    spentTokens: totals.tokens + uncertainTokens(ledger, jobs),
    uncertainMicros: totals.uncertain_micros,
  });
}

/**
 * Asks every pending cell of a schedule. Seals first what an interrupted run may have sent, then runs one lane a model under a
 * global, a backend and a model ceiling. Nothing is sent when nothing is pending.
 */
export async function runCollection(options: RunOptions): Promise<RunSummary> {
  const { collection, jobs, ledger, clock, limit, only, onProgress } = options;
  // A worker that fails (a full disk) stops the others too: nobody waits for a retry or a parked route that cannot be recorded.
  const failing = new AbortController();
  const stop = AbortSignal.any([options.stop, failing.signal]);
  const { plan, frozenPlan } = collection;
  const division = pendingCells(
    ledger.state,
    jobs.map((job) => job.binding),
  );
  const open = new Set(division.pending.map((binding) => binding.cell));
  const pendingJobs = jobs.filter(({ binding }) => open.has(binding.cell) && (only === null || only.has(binding.cell)));
  const chosen = limit === null ? pendingJobs : pendingJobs.slice(0, limit);
  checkCredentials(chosen, options.credentials);
  const sealed = await sealAmbiguous(ledger, { recordedAt: isoTime(clock.now()) });
  ledger.putFrozenPlan(frozenPlan);
  for (const phase of collection.phases) {
    const counts = scheduleCounts(jobs, phase);
    if (counts.length === 0) continue;
    await ledger.declareSchedule({ manifest_sha256: frozenPlan.artifact_sha256, phase, counts });
  }
  const budget = openBudget(collection, ledger, jobs);
  const lanes = makeLanes({ collection, chosen, clock });
  const global = makeSlots(plan.concurrency.global);
  const tally = makeTally(lanes.map((lane) => ({ id: lane.route.model_id, scheduled: lane.queue.length })));
  const onStop = (): void => budget.stop();
  stop.addEventListener('abort', onStop);
  if (stop.aborted) budget.stop();
  const report = (): void =>
    onProgress?.({
      tally,
      toAsk: chosen.length,
      inFlight: global.inUse,
      parked: lanes.filter((l) => l.gate.parked).map((l) => l.route.model_id),
    });
  report();
  let budgetStopped = false;
  const sendCell = makeSendCell({ send: options.send, redact: options.redact, seed: plan.seed });
  const work = async (lane: Lane): Promise<void> => {
    const context: AttemptContext = {
      ...options,
      stop,
      budget,
      gate: lane.gate,
      enter: () => enterLane(lane, global, stop),
      leave: () => {
        global.release();
        lane.backend.release();
      },
      request: (job) =>
        buildRequest({
          route: job.route,
          messages: job.messages,
          credentials: options.credentials,
          maxBodyBytes: plan.max_reply_bytes,
          label: { cell: job.binding.cell, phase: job.binding.key.phase },
        }),
      sendCell,
      maxAttempts: plan.max_attempts,
      accounting: plan.accounting,
    };
    for (;;) {
      const job = stop.aborted || lane.gate.suspended !== null ? undefined : lane.queue.shift();
      if (job === undefined) return;
      const result = await askCell(job, context);
      if (result.kind === 'stopped') {
        budgetStopped ||= result.reason === 'budget';
        return;
      }
      addResult(tally, lane.route.model_id, result);
      countStrike(lane, result, plan.suspend_after);
      report();
    }
  };
  try {
    const workers = lanes.flatMap((lane) =>
      Array.from({ length: Math.min(lane.route.concurrency, lane.queue.length) }, () => work(lane)),
    );
    await settleAll(workers, () => failing.abort());
  } finally {
    stop.removeEventListener('abort', onStop);
  }
  const suspended: Record<string, string> = {};
  for (const { route, gate } of lanes) {
    if (gate.suspended === null) continue;
    suspended[route.model_id] = gate.suspended;
    const model = tally.models.get(route.model_id);
    if (model) model.suspended = gate.suspended;
  }
  const recorded = tally.completed + tally.failed;
  const left = chosen.length - recorded;
  const state = budget.state();
  return {
    status: stop.aborted
      ? 'stopped_by_signal'
      : budgetStopped
        ? 'stopped_by_budget'
        : left > 0
          ? 'incomplete'
          : chosen.length < pendingJobs.length
            ? 'limit_reached'
            : 'complete',
    manifest_sha256: frozenPlan.artifact_sha256,
    scheduled_cells: jobs.length,
    already_completed: division.completed,
    already_failed: division.failed + sealed.length,
    sealed_ambiguous: sealed.length,
    asked: recorded + tally.pending,
    completed: tally.completed,
    failed: tally.failed,
    pending: open.size - recorded,
    failures: Object.fromEntries([...tally.failures].sort(([a], [b]) => (a < b ? -1 : 1))),
    suspended,
    rejections: Object.fromEntries(
      [...tally.models.values()].flatMap(({ model_id, lastRejection }) =>
        lastRejection === null ? [] : [[model_id, lastRejection]],
      ),
    ),
    spent_micros: state.spentMicros,
    uncertain_micros: state.uncertainMicros,
    session_micros: tally.spentMicros,
    cap_micros: state.capMicros,
    simulated: frozenPlan.simulated,
    tally,
  };
}
