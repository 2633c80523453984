import type { RecordDraft } from '../ledger/record.js';
import { DEFAULT_PARSER, parseSelection } from '../responses/parser.js';
import { parserFields } from '../responses/parser-contract.js';
import { accountingRow, recordRoute } from './attempt-events.js';
import { type Accounting, type Charge, chargeOf } from './charge.js';
import { isoTime } from './clock.js';
import type { Reading } from './reading.js';
import type { Redact } from './redact.js';
import type { Route } from './route.js';
import type { CellJob } from './schedule.js';

interface IdentityCheck {
  /** Failure kind; null when the reply came from the frozen route, or when the route is not pinned. */
  readonly failure: 'identity_model' | 'identity_provider' | null;
  readonly message: string | null;
  /** Where the identity was read. */
  readonly evidence: 'generation_accounting' | 'response_envelope' | null;
  readonly model: string | null;
  readonly provider: string | null;
}

function mismatch(what: 'model' | 'provider', expected: string, got: string | null): string {
  return `substituted or omitted ${what}: expected ${expected}, got ${got ?? 'nothing'}`;
}

/**
 * Holds the returned model and provider against the frozen ones (collection 1.8). On OpenRouter the accounting row
 * decides; the reply counts only while accounting is empty, and may name the requested model instead of the dated one.
 */
export function checkIdentity(options: {
  readonly route: Route;
  readonly reading: Reading;
  readonly accounting: Accounting | null;
}): IdentityCheck {
  const { route, reading, accounting } = options;
  const reconciled = accounting?.reconciled === true;
  const model = reconciled ? accounting.model : reading.model;
  const provider = reconciled ? accounting.provider : reading.provider;
  const evidence = reconciled ? 'generation_accounting' : 'response_envelope';
  const base = { evidence, model, provider } as const;
  const expected = route.expected_model;
  const names =
    expected === null
      ? null
      : route.transport === 'openrouter' && !reconciled
        ? [expected, route.requested_model]
        : [expected];
  if (names !== null && (model === null || !names.includes(model))) {
    return {
      ...base,
      failure: 'identity_model',
      message: mismatch('model', expected ?? '', model),
    };
  }
  if (route.expected_provider !== null && provider !== route.expected_provider) {
    return {
      ...base,
      failure: 'identity_provider',
      message: mismatch('provider', route.expected_provider, provider),
    };
  }
  return { ...base, failure: null, message: null };
}

/** Syntax only: a ledger holds no score. */
function parsed(answer: string, choices: readonly string[]) {
  const { outcome, key, reasoned } = parseSelection(answer, choices);
  return { ...parserFields(DEFAULT_PARSER), outcome, selection: key, inline_reasoning: reasoned };
}

/** What a request came to: the record of its cell, not yet bound, and what is booked. */
interface Verdict {
  readonly draft: Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes'>;
  readonly charge: Charge;
  /** What a reply says of itself that is not of the frozen route, whatever else is wrong with it; null where nothing is. */
  readonly foreign: string | null;
}

/**
 * Turns a final reading into the record of its cell. Identity is the last gate: an answer from another model or provider is a
 * failure, never a decision (collection 1.8). A failed record keeps no answer text but that of a reply cut off by its token
 * limit, which transfer evaluations read.
 */
export function verdictOf(options: {
  readonly job: CellJob;
  readonly reading: Reading;
  readonly accounting: Accounting | null;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly retries: number;
  readonly redact: Redact;
}): Verdict {
  const { job, reading, accounting, startedMs, endedMs, retries, redact } = options;
  const { route } = job;
  const charge = chargeOf({ route, reservation: job.reservation, reading, accounting });
  const identity = checkIdentity({ route, reading, accounting });
  const checked = reading.failure === null ? identity.failure : reading.failure;
  const message = reading.failure === null ? identity.message : reading.message;
  const failure = reading.delivery === 'ambiguous' ? 'ambiguous' : checked;
  const completed = failure === null;
  const cutOff = failure === 'length' && identity.failure === null;
  const answer = completed || cutOff ? reading.text : null;
  const simulated = route.transport === 'simulated';
  const draft: Verdict['draft'] = {
    model_name: route.name,
    source: simulated ? 'simulated' : 'collected',
    origin: null,
    rank_eligible: route.rank_eligible,
    route: recordRoute(job),
    status: completed ? 'completed' : 'failed',
    outcome: failure ?? 'completed',
    started_at: isoTime(startedMs),
    recorded_at: isoTime(endedMs),
    wall_time_ms: Math.max(0, Math.round(endedMs - startedMs)),
    generation: {
      answer,
      actual_model: identity.model,
      actual_provider: identity.provider,
      generation_ids: reading.generationId === null ? [] : [reading.generationId],
      prompt_tokens: charge.promptTokens,
      completion_tokens: charge.completionTokens,
      reasoning_tokens: charge.reasoningTokens,
      cost_micros: charge.micros,
      cost_reconciled: charge.basis === 'accounting',
      billing_status: charge.basis,
      latency_ms: accounting?.latencyMs ?? null,
      retries,
      finish_reason: reading.finish,
      native_finish_reason: reading.native,
      finish_class: reading.finishClass,
      identity_evidence: route.expected_model === null ? null : identity.evidence,
      metadata: [
        ...(accounting === null ? [] : [accountingRow(accounting)]),
        ...charge.claims.map(({ field, said }) => ({ not_believed: field, said })),
      ],
    },
    parse: completed && answer !== null ? parsed(answer, job.choices) : null,
    error: failure === null ? null : { type: checked ?? failure, message: redact(message ?? failure) },
    budget: { reserved_micros: job.reservation.micros, actual_micros: charge.micros },
  };
  const answered = reading.replyKind === 'chat_completions' || reading.replyKind === 'messages';
  return { draft, charge, foreign: answered ? identity.message : null };
}
