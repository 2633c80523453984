import { canonicalDigest } from '../io/canonical.js';
import { type PyValue, pySealed } from '../io/pyjson.js';
import type { Task } from '../tasks/task.js';
import { type ErrorPlace, fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { type CellKey, cellId, slotName } from './cell-key.js';
import type { Generation, ImportedCell } from './record.js';

const SCHEMA = 'flavourbench-powered-response-v1';

type Json = { readonly [key: string]: unknown };

/** Finds the released response document in a row: the row itself, or its `response`; undefined for a row of another kind. */
export function releasedResponse(row: unknown): Json | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  for (const candidate of [row, (row as Json).response])
    if ((candidate as Json | null | undefined)?.schema_version === SCHEMA) return candidate as Json;
  return undefined;
}

function generationOf(value: Json): Generation {
  const text = (key: string) => (typeof value[key] === 'string' ? (value[key] as string) : null);
  const count = (key: string) =>
    Number.isSafeInteger(value[key]) && (value[key] as number) >= 0 ? (value[key] as number) : null;
  const finish = text('finish_reason');
  return {
    answer: text('answer_markdown'),
    actual_model: text('actual_model_id'),
    actual_provider: text('actual_provider'),
    generation_ids: Array.isArray(value.generation_ids) ? value.generation_ids.map(dataText) : [],
    prompt_tokens: count('prompt_tokens'),
    completion_tokens: count('completion_tokens'),
    reasoning_tokens: count('reasoning_tokens'),
    cost_micros: count('cost_micros') ?? 0,
    cost_reconciled: value.cost_reconciled === true,
    billing_status: 'imported',
    latency_ms: count('latency_ms'),
    retries: count('retries') ?? 0,
    finish_reason: finish,
    native_finish_reason: null,
    finish_class: finish === 'stop' || finish === 'end_turn' ? 'normal' : 'unknown',
    identity_evidence: null,
    metadata: [],
  };
}

/**
 * Reads a released response document (collection 1.11) as a cell of ours. Its own digest and its task binding are proved. Errors:
 * DIGEST_MISMATCH, SCHEMA_INVALID, TASK_UNKNOWN.
 */
export function fromReleased(options: {
  readonly response: Json;
  /** The same document with its number tokens kept. */
  readonly exact: { readonly [key: string]: PyValue };
  readonly tasks: ReadonlyMap<string, Task>;
  readonly place: ErrorPlace;
}): ImportedCell {
  const { response, exact, tasks, place } = options;
  const { artifact_sha256: stated } = exact;
  const found = pySealed(exact).artifact_sha256;
  if (stated !== found) {
    const what = `artifact_sha256 is ${stated === undefined ? 'missing' : dataText(stated)}, its content has ${found}`;
    fail('DIGEST_MISMATCH', place, what, 'The document was changed after it was released.', { exit: 4 });
  }
  const text = (key: string): string => {
    const value = response[key];
    if (typeof value === 'string' && value !== '') return value;
    fail(
      'SCHEMA_INVALID',
      { ...place, path: key },
      `a text expected, found ${shown(value)}`,
      'Give released response documents unchanged.',
    );
  };
  const original = response.original_task_id;
  const taskId = text('task_id');
  const task = tasks.get(typeof original === 'string' ? original : taskId);
  if (!task) {
    fail('TASK_UNKNOWN', place, `no task file holds ${shown(taskId)}`, 'Give the task sets with --tasks.');
  }
  const generation = generationOf((response.generation ?? {}) as Json);
  const completed = response.status === 'completed';
  const error = response.error as { type?: unknown; message?: unknown } | null | undefined;
  const key: CellKey = {
    model_id: text('model_id'),
    endpoint_execution_sha256: text('endpoint_execution_sha256'),
    protocol_sha256: canonicalDigest({ imported: SCHEMA, plan_sha256: text('plan_sha256') }),
    decoding: ((response.generation as Json | undefined)?.decoding ?? {}) as CellKey['decoding'],
    prompt_sha256: text('prompt_sha256'),
    phase: response.panel === 'repeat' ? 'repeat' : 'primary',
    repeat: 0,
  };
  return {
    answer: completed ? generation.answer : null,
    choices: task.choices,
    binding: {
      cell: cellId(key),
      key,
      slot: slotName(key.model_id),
      panel: task.panel,
      family: task.family,
      task_id: taskId,
      original_task_id: typeof original === 'string' ? original : null,
      task_set_sha256: null,
      manifest_sha256: null,
    },
    draft: {
      model_name: text('model_name'),
      source: 'imported',
      rank_eligible: true,
      route: {
        transport: text('execution_backend'),
        requested_model: key.model_id,
        expected_model: text('canonical_model_slug'),
        expected_provider: null,
        provider_tag: text('provider_route'),
      },
      status: completed ? 'completed' : 'failed',
      outcome: completed ? 'completed' : 'imported_failure',
      started_at: text('started_at'),
      recorded_at: text('recorded_at'),
      wall_time_ms: null,
      generation,
      error: completed
        ? null
        : {
            type: dataText(error?.type ?? 'unknown').slice(0, 120),
            message: dataText(error?.message ?? '').slice(0, 1000),
          },
      budget: null,
    },
  };
}
