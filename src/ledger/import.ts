import { readAnswers } from '../responses/file.js';
import { PARSER_V3, parseSelection } from '../responses/parser.js';
import type { Task } from '../tasks/task.js';
import { canonicalDigest } from '../util/canonical.js';
import { sha256 } from '../util/digest.js';
import { FlavourError, shown } from '../util/error.js';
import { assertInputFile, readInput } from '../util/file.js';
import { parseJson } from '../util/json.js';
import { textLines } from '../util/lines.js';
import { type PyValue, parsePyJson } from '../util/pyjson.js';
import { type CellBinding, type CellKey, cellId, type Phase, slotName } from './cell.js';
import type { Ledger } from './ledger.js';
import type { RecordDraft } from './record.js';
import { fromReleased, releasedResponse } from './released.js';

/** An answer from elsewhere, bound to a cell of ours. */
export interface ImportedCell {
  readonly binding: CellBinding;
  /** Text to parse; null for a failed answer. */
  readonly answer: string | null;
  readonly choices: readonly string[];
  readonly draft: Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes' | 'origin' | 'parse'>;
}

export interface ImportOptions {
  readonly file: string;
  readonly tasks: ReadonlyMap<string, Task>;
  /** What the log is; goes into every record and into the cell key, so that no collection takes these answers for its own. */
  readonly label: string;
  /** For rows that name no model. */
  readonly modelId?: string;
  readonly phase: Phase;
}

/** True where the first line is a released response or observation. */
function isReleased(file: string): boolean {
  assertInputFile(file);
  for (const { text } of textLines(file)) {
    if (text.trim() === '') continue;
    try {
      return releasedResponse(JSON.parse(text)) !== undefined;
    } catch {
      return false;
    }
  }
  return false;
}

function* releasedCells(options: ImportOptions): Generator<ImportedCell> {
  const { file, tasks } = options;
  for (const { text, line } of textLines(file)) {
    if (text.trim() === '') continue;
    const place = { file, line };
    const row = parseJson(text, place);
    const response = releasedResponse(row);
    if (!response) {
      throw new FlavourError('SCHEMA_INVALID', `${file}:${line}: not a released response`, {
        hint: 'Every line of the file must be of the same kind.',
        where: place,
      });
    }
    const tree = parsePyJson(text, place) as { [key: string]: PyValue };
    const exact = (response === row ? tree : tree.response) as { [key: string]: PyValue };
    yield fromReleased({ response, exact, tasks, place: `${file}:${line}` });
  }
}

function* answerCells(options: ImportOptions): Generator<ImportedCell> {
  const { file, tasks, label, phase } = options;
  const samples = new Map<string, number>();
  for (const { answer, line } of readAnswers(file)) {
    const modelId = answer.model || options.modelId;
    const task = tasks.get(answer.task);
    const problem = !modelId
      ? ['USAGE', 'the row names no model', 'Say which with --model ID.']
      : !task
        ? [
            'TASK_UNKNOWN',
            `no task file holds ${shown(answer.task)}`,
            'Give the task sets with --tasks.',
          ]
        : answer.selection !== null
          ? [
              'SCHEMA_INVALID',
              'the row gives a selection without the text it was read from',
              'A ledger keeps raw answers; `score` and `infer` take selections as they are.',
            ]
          : undefined;
    if (problem || !modelId || !task) {
      const [code, what, hint] = problem as [string, string, string];
      throw new FlavourError(code, `${file}:${line}: ${what}`, { hint, where: { file, line } });
    }
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

function draftOf(
  failed: boolean,
  defect: string | null,
  text: string | null,
  modelId: string,
): ImportedCell['draft'] {
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

/**
 * Enters an existing log: lab responses (any form of collection 2.2) or released response documents, each answer marked with where
 * it came from. The whole file is read and checked before anything is written; importing it again changes nothing.
 */
export async function importLog(
  ledger: Ledger,
  options: ImportOptions,
): Promise<{ readonly written: number; readonly known: number; readonly parseable: number }> {
  const origin = { label: options.label, sha256: sha256(readInput(options.file)) };
  const cells = [...(isReleased(options.file) ? releasedCells(options) : answerCells(options))];
  let parseable = 0;
  const records = cells.map(({ binding, answer, choices, draft }) => {
    const parsed = answer === null ? null : parseSelection(answer, choices);
    if (parsed?.outcome === 'ok') parseable += 1;
    const parse = parsed && { parser: PARSER_V3, outcome: parsed.outcome, selection: parsed.key };
    const known = ledger.has(binding.cell) ? ledger.get(binding.cell) : undefined;
    if (known?.source === 'imported' && known.origin?.sha256 === origin.sha256) return known;
    return ledger.compose(binding, { ...draft, parse, origin });
  });
  const results = await Promise.all(records.map((record) => ledger.putRecord(record)));
  const written = results.filter((result) => result.isNew).length;
  return { written, known: results.length - written, parseable };
}
