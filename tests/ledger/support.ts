import { sha256 } from '../../src/io/digest.js';
import { type CellBinding, type CellKey, cellId, slotName } from '../../src/ledger/cell-key.js';
import type { Holder } from '../../src/ledger/ledger-lock.js';
import { type LedgerOptions, LedgerWriter } from '../../src/ledger/ledger-writer.js';
import type { RecordDraft } from '../../src/ledger/record.js';

export const SELF: Holder = { pid: 101, started: 'tick 1', host: 'here', boot_id: 'boot-1', pid_namespace: 'pid:[1]' };

export function optionsFor(dir: string, changes: Partial<LedgerOptions> = {}): LedgerOptions {
  let now = Date.UTC(2026, 7, 20);
  return {
    dir,
    holder: SELF,
    probe: () => undefined,
    clock: () => {
      now += 1;
      return now;
    },
    // Flushes to the disk are what the kill tests are about.
    sync: false,
    ...changes,
  };
}

export function openLedger(dir: string, changes: Partial<LedgerOptions> = {}): Promise<LedgerWriter> {
  return LedgerWriter.open(optionsFor(dir, changes));
}

export interface CellOptions extends Partial<CellKey> {
  readonly task?: string;
  readonly family?: string;
  readonly panel?: string;
}

/** A binding for model `m/one`, task `task-1` unless changed. */
export function bindingFor(options: CellOptions = {}): CellBinding {
  const { task = 'task-1', family = 'pairing', panel = 'panel_1', ...changes } = options;
  const key: CellKey = {
    model_id: 'm/one',
    endpoint_execution_sha256: sha256('endpoint'),
    protocol_sha256: sha256('protocol'),
    decoding: { temperature: 0, max_tokens: 64 },
    prompt_sha256: sha256(`prompt ${task}`),
    phase: 'primary',
    repeat: 0,
    ...changes,
  };
  return {
    cell: cellId(key),
    key,
    slot: slotName(key.model_id),
    panel,
    family,
    task_id: task,
    original_task_id: null,
    task_set_sha256: sha256('task set'),
    manifest_sha256: null,
  };
}

export const ROUTE = {
  transport: 'openrouter',
  requested_model: 'm/one',
  expected_model: 'm/one-20260801',
  expected_provider: 'Provider',
  provider_tag: 'provider/fp8',
} as const;

export type Draft = Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes'>;

export function answerDraft(answer = 'FINAL_SELECTION: A,B,C', changes: Partial<Draft> = {}): Draft {
  return {
    model_name: 'One',
    source: 'collected',
    origin: null,
    rank_eligible: true,
    route: ROUTE,
    status: 'completed',
    outcome: 'completed',
    started_at: '2026-08-20T00:00:00.000Z',
    recorded_at: '2026-08-20T00:00:01.000Z',
    wall_time_ms: 1000,
    generation: {
      answer,
      actual_model: 'm/one-20260801',
      actual_provider: 'Provider',
      generation_ids: ['gen-1'],
      prompt_tokens: 200,
      completion_tokens: 10,
      reasoning_tokens: null,
      cost_micros: 1500,
      cost_reconciled: true,
      billing_status: 'reconciled',
      latency_ms: 900,
      retries: 0,
      finish_reason: 'stop',
      native_finish_reason: 'stop',
      finish_class: 'normal',
      identity_evidence: 'generation_accounting',
      metadata: [],
    },
    parse: { parser: 'flavourbench-selection-set-parser-v3', outcome: 'ok', selection: 'ABC' },
    error: null,
    budget: { reserved_micros: 2000, actual_micros: 1500 },
    ...changes,
  };
}

export function failureDraft(outcome = 'length', changes: Partial<Draft> = {}): Draft {
  return answerDraft('', {
    status: 'failed',
    outcome,
    generation: null,
    parse: null,
    error: { type: 'AbnormalFinish', message: `finish ${outcome}` },
    budget: { reserved_micros: 2000, actual_micros: 0 },
    ...changes,
  });
}

/** Journals a start, and optionally what came of it. */
export async function startCell(
  ledger: LedgerWriter,
  binding: CellBinding,
  then: readonly ('response_received' | 'request_rejected' | 'uncertain_delivery')[] = [],
): Promise<void> {
  const common = {
    cell: binding.cell,
    attempt_id: `a-${binding.cell.slice(0, 8)}`,
    attempt_index: 0,
  };
  await ledger.append({
    type: 'request_started',
    ...common,
    binding,
    model_name: 'One',
    route: ROUTE,
    rank_eligible: true,
    reserved_micros: 2000,
    metadata: { model: binding.key.model_id },
  });
  for (const type of then) await ledger.append({ type, ...common });
}
