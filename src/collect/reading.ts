/** How a reply ended, from the normalised and the provider's native reason (collection 1.8). */
type FinishClass = 'normal' | 'length' | 'content_filter' | 'refusal' | 'tool' | 'error' | 'unknown';

const NORMAL = new Set(['stop', 'end_turn', 'stop_sequence', 'complete', 'eos', 'eos_token']);
const LENGTH = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_length']);
const FILTER = new Set([
  'content_filter',
  'content_filtered',
  'safety',
  'prohibited_content',
  'blocklist',
  'recitation',
  'sensitive',
  'guardrail_intervened',
]);
const REFUSAL = new Set(['refusal', 'refused']);
const TOOL = new Set(['tool_calls', 'tool_call', 'tool_use', 'function_call']);
const ERROR = new Set(['error', 'failed', 'server_error', 'insufficient_system_resource']);

function classOf(reason: string | null): FinishClass | null {
  if (reason === null || reason === '') return null;
  const word = reason.toLowerCase();
  if (NORMAL.has(word)) return 'normal';
  if (LENGTH.has(word)) return 'length';
  if (FILTER.has(word)) return 'content_filter';
  if (REFUSAL.has(word)) return 'refusal';
  if (TOOL.has(word)) return 'tool';
  if (ERROR.has(word)) return 'error';
  return 'unknown';
}

/**
 * Classifies the end of a reply. The normalised reason decides; a native refusal, filter or length wins over a normalised `stop`,
 * because gateways are known to flatten those. `refused` is the explicit refusal field of a chat message.
 */
export function finishClass(options: {
  readonly finish: string | null;
  readonly native: string | null;
  readonly refused?: boolean;
}): FinishClass {
  const finish = classOf(options.finish);
  const native = classOf(options.native);
  if (options.refused || finish === 'refusal' || native === 'refusal') return 'refusal';
  if (finish === 'normal' || finish === null) {
    if (native === 'content_filter' || native === 'length') return native;
    return finish ?? 'unknown';
  }
  return finish;
}

/** Says Anthropic stop reasons in the words of chat completions; others pass through (collection 1.7). */
export function normaliseStopReason(reason: string | null): string | null {
  if (reason === null) return null;
  const word = reason.toLowerCase();
  if (word === 'end_turn' || word === 'stop_sequence') return 'stop';
  if (word === 'max_tokens') return 'length';
  if (word === 'tool_use') return 'tool_calls';
  return word;
}

/** Forms of a reply that carry an answer, one a protocol; every other form is no response (collection 1.8). */
export const ANSWER_KINDS = ['chat_completions', 'messages'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** Shape of a reply body (collection 1.8). */
export type ReplyKind =
  | AnswerKind
  | 'error_envelope'
  | 'gateway_api_envelope'
  | 'responses_api_schema_mismatch'
  | 'unknown_envelope'
  | 'not_json';

/** What a reply says of cost or tokens and that no reply can cost: kept as it was said, and not believed. */
export interface Claim {
  readonly of: 'cost' | 'tokens';
  readonly field: string;
  readonly said: string;
}

export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  readonly reasoning: number | null;
}

/**
 * Whether the provider took the request. `rejected`: it did not, and the cell stays pending. `refused`: it did not and never
 * will, so the cell is sealed as failed and nothing is owed. `ambiguous`: nobody knows.
 */
type Delivery = 'accepted' | 'rejected' | 'refused' | 'ambiguous';

/** Everything read from one reply or from its absence. `failure` is null only for an answer that may be scored. */
export interface Reading {
  readonly delivery: Delivery;
  /** Kind of the failure, snake case. */
  readonly failure: string | null;
  readonly message: string | null;
  /** A rejection that another attempt may overcome. */
  readonly retryable: boolean;
  /** A rejection that every further cell of this route would meet: wrong key, empty account, unknown model. */
  readonly suspend: boolean;
  readonly retryAfter: string | null;
  readonly status: number | null;
  readonly replyKind: ReplyKind | null;
  readonly generationId: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly finish: string | null;
  readonly native: string | null;
  readonly finishClass: FinishClass;
  readonly text: string | null;
  readonly usage: Usage | null;
  /** Cost in USD as the reply itself states it. */
  readonly costUsd: string | null;
  /** Amounts and counts in the reply that are none: negative, no number, past all bounds. */
  readonly claims: readonly Claim[];
  readonly cache: string | null;
}

/** A reading with nothing known, to be narrowed. */
export const EMPTY_READING: Reading = {
  delivery: 'ambiguous',
  failure: 'uncertain',
  message: null,
  retryable: false,
  suspend: false,
  retryAfter: null,
  status: null,
  replyKind: null,
  generationId: null,
  model: null,
  provider: null,
  finish: null,
  native: null,
  finishClass: 'unknown',
  text: null,
  usage: null,
  costUsd: null,
  claims: [],
  cache: null,
};
