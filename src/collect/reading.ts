import type { FinishClass } from './finish.js';

/** Shape of a reply body (collection 1.8). */
export type EnvelopeClass =
  | 'chat_completions'
  | 'messages'
  | 'error_envelope'
  | 'gateway_api_envelope'
  | 'responses_api_schema_mismatch'
  | 'unknown_envelope'
  | 'not_json';

export interface Usage {
  readonly prompt: number;
  readonly completion: number;
  readonly reasoning: number | null;
}

/**
 * Whether the provider took the request. `rejected`: it did not, and the cell stays pending. `refused`: it did not and never
 * will, so the cell is sealed as failed and nothing is owed. `ambiguous`: nobody knows.
 */
export type Delivery = 'accepted' | 'rejected' | 'refused' | 'ambiguous';

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
  readonly envelope: EnvelopeClass | null;
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
  envelope: null,
  generationId: null,
  model: null,
  provider: null,
  finish: null,
  native: null,
  finishClass: 'unknown',
  text: null,
  usage: null,
  costUsd: null,
  cache: null,
};
