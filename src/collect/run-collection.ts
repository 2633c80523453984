import { assertShardLedger } from '../ledger/ledger-shard.js';
import type { LedgerWriter } from '../ledger/ledger-writer.js';
import type { ResponseRecord } from '../ledger/record.js';
import { pendingCells, sealAmbiguous } from '../ledger/resume.js';
import type { Shard } from '../util/shard.js';
import { type AttemptContext, askCell } from './attempt.js';
import { type Budget, makeBudget } from './budget.js';
import { buildRequest, type Credentials, routeHeaders } from './cell-request.js';
import { type Clock, isoTime } from './clock.js';
import type { Collection } from './compile-plan.js';
import type { Send } from './http.js';
import { countStrike, enterLane, type Lane, makeLanes, OWN_ENDS, settleAll } from './lanes.js';
import { capsOf, isOwnJob, shardDeclaration } from './plan-share.js';
import type { Redact } from './redact.js';
import { addResult, makeTally, scheduleCounts, type Tally } from './run-tally.js';
import type { CellJob } from './schedule.js';
import { makeSlots } from './throttle.js';
import { tokensUsed } from './tokens-used.js';
import { makeSendCell } from './transport.js';

interface RunOptions {
  readonly collection: Collection;
  /** Cells of the whole plan in their order; of a shard only its own are asked. */
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
  /** At most this many cells of each model are asked; absent: all. */
  readonly perModel?: number;
  /** Only these cells; null: every pending one. */
  readonly only: ReadonlySet<string> | null;
  readonly maxWaitSeconds: number;
  /** Aborted to finish what is in flight and stop. */
  readonly stop: AbortSignal;
  /** Outcomes that are the model's own doing and no fault of its route; those of a leaderboard unless given. */
  readonly ownEnds?: ReadonlySet<string>;
  /** Called with every new record. */
  readonly onRecord?: (record: ResponseRecord) => void;
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
  /** The share of the plan that this was about; null: all of it. */
  readonly shard: Shard | null;
  readonly scheduled_cells: number;
  readonly already_completed: number;
  readonly already_failed: number;
  readonly sealed_ambiguous: number;
  readonly asked: number;
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  readonly failures: Readonly<Record<string, number>>;
  /** Replies that claimed a cost or a token count that cannot be: booked at their reservations. */
  readonly implausible: number;
  /** Routes that rest, by model, with the reason. */
  readonly suspended: Readonly<Record<string, string>>;
  /** Models of which no reply was ever usable, and that do not rest: what the last one came to. */
  readonly unusable: Readonly<Record<string, string>>;
  /** By model of either kind: the last cell without a usable reply, for `ledger explain`. */
  readonly unusable_cells: Readonly<Record<string, string>>;
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

/** Takes the jobs that a session asks, in order: at most `limit` in all and `perModel` of each model. */
export function chosenJobs(
  jobs: readonly CellJob[],
  { limit, perModel = Number.POSITIVE_INFINITY }: { readonly limit: number | null; readonly perModel?: number },
): readonly CellJob[] {
  const counts = new Map<string, number>();
  const kept = jobs.filter(({ route }) => {
    const count = (counts.get(route.model_id) ?? 0) + 1;
    counts.set(route.model_id, count);
    return count <= perModel;
  });
  return limit === null ? kept : kept.slice(0, limit);
}

/** Tells which models have a completed record in force. */
function answeredModels(ledger: LedgerWriter): ReadonlySet<string> {
  return new Set([...ledger.cells()].flatMap(({ head }) => (head?.status === 'completed' ? [head.model_id] : [])));
}

function openBudget(collection: Collection, ledger: LedgerWriter, jobs: readonly CellJob[]): Budget {
  const totals = ledger.totals();
  const caps = capsOf(collection);
  return makeBudget({
    capMicros: caps.micros,
    capTokens: caps.tokens,
    spentMicros: totals.cost_micros,
    spentTokens: tokensUsed(ledger.state, jobs),
    uncertainMicros: totals.uncertain_micros,
  });
}

/**
 * Asks every pending cell of a schedule. Seals first what an interrupted run may have sent, then runs one lane a model under a
 * global, a backend and a model ceiling. Nothing is sent when nothing is pending.
 */
export async function runCollection(options: RunOptions): Promise<RunSummary> {
  const { collection, ledger, clock, only, ownEnds = OWN_ENDS, onProgress } = options;
  const isOwn = isOwnJob(collection);
  const jobs = options.jobs.filter(isOwn);
  assertShardLedger(ledger.dir, ledger.state, collection.shard ?? null);
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
  const chosen = chosenJobs(pendingJobs, options);
  checkCredentials(chosen, options.credentials);
  const sealed = await sealAmbiguous(ledger, { recordedAt: isoTime(clock.now()) });
  ledger.putFrozenPlan(frozenPlan);
  const shard = shardDeclaration(collection, jobs.length);
  if (shard !== undefined) await ledger.declareShard(shard);
  for (const phase of collection.phases) {
    const counts = scheduleCounts(options.jobs, phase, isOwn);
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
      countStrike(lane, job.binding.cell, result, { limit: plan.suspend_after, ownEnds });
      if (result.kind === 'recorded') options.onRecord?.(result.record);
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
  const unusable: Record<string, string> = {};
  const unusableCells: Record<string, string> = {};
  const answered = answeredModels(ledger);
  for (const { route, gate, strikes, ends, last } of lanes) {
    const never = last !== null && strikes === ends && !answered.has(route.model_id);
    if (last !== null && (never || gate.suspended !== null)) unusableCells[route.model_id] = last.cell;
    if (never && gate.suspended === null) unusable[route.model_id] = last.words;
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
        : left > 0 || Object.keys({ ...suspended, ...unusable }).length > 0
          ? 'incomplete'
          : chosen.length < pendingJobs.length
            ? 'limit_reached'
            : 'complete',
    manifest_sha256: frozenPlan.artifact_sha256,
    shard: collection.shard ?? null,
    scheduled_cells: jobs.length,
    already_completed: division.completed,
    already_failed: division.failed + sealed.length,
    sealed_ambiguous: sealed.length,
    asked: recorded + tally.pending,
    completed: tally.completed,
    failed: tally.failed,
    pending: open.size - recorded,
    failures: Object.fromEntries([...tally.failures].sort(([a], [b]) => (a < b ? -1 : 1))),
    implausible: tally.implausible,
    suspended,
    unusable,
    unusable_cells: unusableCells,
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
