import { canonicalDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { isObject } from '../io/json.js';
import { pyCanonical } from '../io/pyjson.js';
import { whereOf } from '../responses/answer.js';
import { readAnswers } from '../responses/answer-file.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { type CellKey, cellId, type Phase, slotName } from './cell-key.js';
import { assertRecordDigest, type ImportedCell, RECORD_SCHEMA, type RecordDraft } from './record.js';

export interface ImportOptions {
  readonly file: string;
  readonly tasks: ReadonlyMap<string, Task>;
  /** What the log is; goes into every record and into the cell key, so that no collection takes these answers for its own. */
  readonly label: string;
  /** For rows that name no model. */
  readonly modelId?: string;
  readonly phase: Phase;
}

/**
 * Reads lab responses (any form of collection 2.2) as cells of ours; a second answer to a task is a second sample. Errors: those of
 * `readAnswers`; TASK_UNKNOWN; DIGEST_MISMATCH (exit 4) for a record of a ledger that was changed; SCHEMA_INVALID for a selection without its text; USAGE for a row without a model.
 */
export function* answerCells(options: ImportOptions): Generator<ImportedCell> {
  const { file, tasks, label, phase } = options;
  const samples = new Map<string, number>();
  for (const answered of readAnswers(file)) {
    const { answer } = answered;
    const modelId = answer.model || options.modelId || '';
    const task = tasks.get(answer.task);
    const place = whereOf(answered);
    const row = answered.row();
    if (isObject(row) && row.schema === RECORD_SCHEMA)
      assertRecordDigest(answer.defect === null ? JSON.parse(pyCanonical(row)) : {}, place);
    if (!task) {
      fail('TASK_UNKNOWN', place, `no task file holds ${shown(answer.task)}`, 'Give the task sets with --tasks.');
    }
    if (answer.selection !== null) {
      fail(
        'SCHEMA_INVALID',
        place,
        'the row gives a selection without the text it was read from',
        'A ledger keeps raw answers; `score` and `infer` take selections as they are.',
      );
    }
    if (modelId === '') fail('USAGE', place, 'the row names no model', 'Say which with --model ID.');
    const name = JSON.stringify([modelId, task.id]);
    const repeat = samples.get(name) ?? 0;
    samples.set(name, repeat + 1);
    const key: CellKey = {
      model_id: modelId,
      endpoint_execution_sha256: canonicalDigest({ imported: label, model_id: modelId }),
      protocol_sha256: canonicalDigest({ imported: label }),
      decoding: {},
      prompt_sha256: sha256(task.prompt),
      phase,
      repeat,
    };
    yield {
      binding: {
        cell: cellId(key),
        key,
        slot: slotName(modelId),
        panel: task.panel,
        family: task.family,
        task_id: task.id,
        original_task_id: null,
        task_set_sha256: null,
        manifest_sha256: null,
      },
      answer: answer.failed || answer.defect !== null ? null : answer.text,
      choices: task.choices,
      draft: draftOf(answer.failed, answer.defect, answer.text, modelId),
    };
  }
}

function draftOf(failed: boolean, defect: string | null, text: string | null, modelId: string): ImportedCell['draft'] {
  const reason = failed ? 'failed_status' : defect !== null ? 'invalid_text' : 'empty';
  const completed = !failed && defect === null && text !== null;
  return {
    model_name: modelId,
    source: 'imported',
    rank_eligible: false,
    route: {
      transport: 'imported',
      requested_model: modelId,
      expected_model: null,
      expected_provider: null,
      provider_tag: null,
    },
    status: completed ? 'completed' : 'failed',
    outcome: completed ? 'completed' : reason,
    started_at: null,
    recorded_at: null,
    wall_time_ms: null,
    generation: completed ? generationOf(text as string) : null,
    error: completed ? null : { type: 'Imported', message: defect ?? 'the log has no answer' },
    budget: null,
  };
}

function generationOf(answer: string): NonNullable<RecordDraft['generation']> {
  return {
    answer,
    actual_model: null,
    actual_provider: null,
    generation_ids: [],
    prompt_tokens: null,
    completion_tokens: null,
    reasoning_tokens: null,
    cost_micros: 0,
    cost_reconciled: false,
    billing_status: 'imported',
    latency_ms: null,
    retries: 0,
    finish_reason: null,
    native_finish_reason: null,
    finish_class: 'unknown',
    identity_evidence: null,
    metadata: [],
  };
}
