import type { ColumnSpecs } from '../io/arrow.js';
import type { ResponseRecord } from './record.js';

/**
 * What tables say of a record: packs of a ledger, and the observations of a release. No column holds a score. Counts that
 * may pass 2^31 are doubles, exact to 2^53.
 */
export const RECORD_COLUMNS = {
  model: ['text', (r) => r.key.model_id],
  task: ['text', (r) => r.task_id],
  panel: ['text', (r) => r.panel],
  family: ['text', (r) => r.family],
  phase: ['text', (r) => r.key.phase],
  repeat: ['int32', (r) => r.key.repeat],
  completed: ['bool', (r) => r.status === 'completed'],
  parseable: ['bool', (r) => r.parse?.outcome === 'ok'],
  source: ['text', (r) => r.source],
  cell: ['text', (r) => r.cell],
  record: ['text', (r) => r.artifact_sha256],
  original_task: ['text', (r) => r.original_task_id],
  prompt_sha256: ['text', (r) => r.key.prompt_sha256],
  contract_sha256: ['text', (r) => r.contract_sha256],
  rank_eligible: ['bool', (r) => r.rank_eligible],
  outcome: ['text', (r) => r.outcome],
  parser: ['text', (r) => r.parse?.parser ?? null],
  parse: ['text', (r) => r.parse?.outcome ?? null],
  inline_reasoning: ['bool', (r) => r.parse?.inline_reasoning ?? null],
  selection: ['text', (r) => r.parse?.selection ?? null],
  answer: ['text', (r) => r.generation?.answer ?? null],
  transport: ['text', (r) => r.route.transport],
  provider_tag: ['text', (r) => r.route.provider_tag],
  actual_model: ['text', (r) => r.generation?.actual_model ?? null],
  actual_provider: ['text', (r) => r.generation?.actual_provider ?? null],
  finish_reason: ['text', (r) => r.generation?.finish_reason ?? null],
  native_finish_reason: ['text', (r) => r.generation?.native_finish_reason ?? null],
  finish_class: ['text', (r) => r.generation?.finish_class ?? null],
  prompt_tokens: ['float64', (r) => r.generation?.prompt_tokens ?? null],
  completion_tokens: ['float64', (r) => r.generation?.completion_tokens ?? null],
  reasoning_tokens: ['float64', (r) => r.generation?.reasoning_tokens ?? null],
  cost_micros: ['float64', (r) => r.generation?.cost_micros ?? r.budget?.actual_micros ?? null],
  latency_ms: ['float64', (r) => r.generation?.latency_ms ?? null],
  error_type: ['text', (r) => r.error?.type ?? null],
  started_at: ['text', (r) => r.started_at],
  recorded_at: ['text', (r) => r.recorded_at],
} satisfies ColumnSpecs<ResponseRecord>;

export type RecordColumn = keyof typeof RECORD_COLUMNS;

/** How an answer was given, as its provider reported it, in the order of every table. */
export const GENERATION_COLUMNS = [
  'actual_model',
  'actual_provider',
  'finish_reason',
  'native_finish_reason',
  'finish_class',
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cost_micros',
  'latency_ms',
  'error_type',
  'started_at',
  'recorded_at',
] as const satisfies readonly RecordColumn[];
