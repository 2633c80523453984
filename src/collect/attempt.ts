import type { LedgerWriter } from '../ledger/ledger-writer.js';
import type { ResponseRecord } from '../ledger/record.js';
import { type AttemptName, accountingEvent, replyEvent, retryEvent, startedEvent } from './attempt-events.js';
import type { Budget } from './budget.js';
import { type Accounting, type Charge, chargeOf, claimWords, fetchAccounting } from './charge.js';
import type { Clock } from './clock.js';
import type { HttpRequest, Send } from './http.js';
import type { Reading } from './reading.js';
import type { Redact } from './redact.js';
import type { Route } from './route.js';
import type { CellJob } from './schedule.js';
import { backoffSeconds, type Gate, jitterSeconds, retryAfterSeconds } from './throttle.js';
import { tokensOf } from './tokens-used.js';
import { verdictOf } from './verdict.js';

/** What one route's cells share while they are asked. */
export interface AttemptContext {
  readonly ledger: LedgerWriter;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly gate: Gate;
  /** Waits for a slot and for the route to be open; false when the run or the route is over. */
  readonly enter: () => Promise<boolean>;
  readonly leave: () => void;
  readonly request: (job: CellJob) => HttpRequest & { readonly body: string };
  readonly send: Send;
  readonly sendCell: (job: CellJob, request: HttpRequest) => Promise<Reading>;
  readonly redact: Redact;
  /** Name of a request, from its cell and its number within cell and session; unique per request sent. */
  readonly attemptId: (cell: string, index: number) => string;
  readonly maxAttempts: number;
  /** Longest Retry-After that is waited for, seconds. */
  readonly maxWaitSeconds: number;
  readonly accounting: { readonly attempts: number; readonly delay_s: number };
  readonly stop: AbortSignal;
}

/** `pending`: certainly not accepted, the cell is asked again another time. `stopped`: it was not even tried. */
export type CellResult =
  | {
      readonly kind: 'recorded';
      readonly record: ResponseRecord;
      readonly delivery: Reading['delivery'];
      /** Who answered in place of the frozen route; null where nobody did, or where no answer came. */
      readonly foreign: string | null;
    }
  | {
      readonly kind: 'pending';
      readonly reason: string;
      /** What the last rejection said, redacted; null where there was none. */
      readonly detail: string | null;
    }
  | { readonly kind: 'stopped'; readonly reason: 'budget' | 'route' | 'signal' };

/**
 * Asks one cell: at most `maxAttempts` requests, another one only after a certain rejection. Every request is journalled
 * before its first byte, its cost is reserved before that, and its end is journalled before anything depends on it.
 */
export async function askCell(job: CellJob, context: AttemptContext): Promise<CellResult> {
  const { ledger, budget, clock } = context;
  let detail: string | null = null;
  for (let index = 0; ; index += 1) {
    if (!(await context.enter())) {
      if (index > 0) return { kind: 'pending', reason: 'not asked again before the end', detail };
      return { kind: 'stopped', reason: context.stop.aborted ? 'signal' : 'route' };
    }
    const name: AttemptName = {
      cell: job.binding.cell,
      attempt_id: context.attemptId(job.binding.cell, index),
      attempt_index: index,
    };
    const request = context.request(job);
    let startedMs: number;
    let reading: Reading;
    try {
      if (!(await budget.reserve(job.reservation))) {
        return { kind: 'stopped', reason: context.stop.aborted ? 'signal' : 'budget' };
      }
      await ledger.append(startedEvent({ job, name, body: request.body }));
      startedMs = clock.now();
      reading = await context.sendCell(job, request);
    } finally {
      context.leave();
    }
    if (reading.delivery !== 'rejected') {
      return settle({ job, name, reading, startedMs, request }, context);
    }
    budget.release(job.reservation);
    await ledger.append(replyEvent({ name, reading, costMicros: null }));
    const again = await waitAfterRejection({ reading, name, job }, context);
    detail = reading.message;
    if (!again) return { kind: 'pending', reason: reading.failure ?? 'rejected', detail };
  }
}

/** Parks or rests the route as the rejection says, waits, and tells whether the cell may be asked again now. */
async function waitAfterRejection(
  options: { readonly reading: Reading; readonly name: AttemptName; readonly job: CellJob },
  context: AttemptContext,
): Promise<boolean> {
  const { reading, name } = options;
  const { clock, gate, ledger } = context;
  const reason = reading.failure ?? 'rejected';
  if (reading.suspend) {
    gate.suspend(context.redact(`${reason}: ${reading.message ?? 'no detail'}`));
    return false;
  }
  const asked = retryAfterSeconds(reading.retryAfter, clock.now());
  if (asked !== null && asked > context.maxWaitSeconds) {
    gate.suspend(
      `${reason}: the provider asks to wait ${Math.ceil(asked)} s${asked < Number.MAX_SAFE_INTEGER ? '' : ' or more'}`,
    );
    return false;
  }
  const key = `${name.cell}:${name.attempt_index}`;
  if (asked !== null) gate.parkFor((asked + jitterSeconds(key)) * 1000);
  if (!reading.retryable || name.attempt_index + 1 >= context.maxAttempts) return false;
  const seconds = asked ?? backoffSeconds({ key, attempt: name.attempt_index });
  await ledger.append(retryEvent({ name, reason, seconds }));
  if (asked === null) await clock.sleep(seconds * 1000, context.stop);
  return true;
}

/** Whether a cost is named by the provider, or follows from prices that are its contract: OpenRouter's account may yet say another. */
function isNamed({ transport }: Route, { basis }: Charge): boolean {
  return basis !== 'unknown' && (transport !== 'openrouter' || basis !== 'rate_card');
}

/** Books an accepted, refused or ambiguous request and writes the record of its cell. */
async function settle(
  options: {
    readonly job: CellJob;
    readonly name: AttemptName;
    readonly reading: Reading;
    readonly startedMs: number;
    readonly request: HttpRequest;
  },
  context: AttemptContext,
): Promise<CellResult> {
  const { job, name, reading, startedMs, request } = options;
  const { ledger, budget, clock } = context;
  const { route } = job;
  const { reservation } = job;
  const early = chargeOf({ route, reservation, reading, accounting: null });
  const named = isNamed(route, early);
  await ledger.append(replyEvent({ name, reading, costMicros: named ? early.micros : null }));
  let accounting: Accounting | null = null;
  if (route.transport === 'openrouter' && reading.generationId !== null) {
    accounting = await fetchAccounting({
      route,
      generationId: reading.generationId,
      headers: request.headers,
      send: context.send,
      clock,
      attempts: context.accounting.attempts,
      delaySeconds: context.accounting.delay_s,
    });
    if (accounting !== null) {
      const charge = chargeOf({ route, reservation, reading, accounting });
      // The last line that states a cost is what is booked: a row without one may yet unsay what the reply stated.
      const bookedMicros = named || isNamed(route, charge) ? charge.micros : null;
      await ledger.append(accountingEvent({ name, accounting, bookedMicros }));
    }
  }
  const { draft, charge, foreign } = verdictOf({
    job,
    reading,
    accounting,
    startedMs,
    endedMs: clock.now(),
    retries: name.attempt_index,
    redact: context.redact,
  });
  budget.settle(reservation, {
    micros: charge.micros,
    tokens: tokensOf(charge, reservation),
    uncertain: charge.basis === 'unknown',
  });
  if (charge.claims.length > 0)
    context.gate.suspend(
      context.redact(`a reply claims what cannot be (${claimWords(charge.claims)}); its reservation was booked`),
    );
  const record = ledger.compose(job.binding, draft);
  await ledger.putRecord(record);
  return { kind: 'recorded', record, delivery: reading.delivery, foreign };
}
