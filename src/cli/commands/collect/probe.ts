import { microsToUsd } from '../../../collect/money.js';
import type { RunSummary } from '../../../collect/run-collection.js';
import type { ResponseRecord } from '../../../ledger/record.js';
import { plain, printLine, printTable } from '../../print.js';

/** What one route answered when it was asked once; no score. */
export interface ProbeRow {
  readonly model_id: string;
  readonly cell: string;
  /** Null where the reply is a usable answer. */
  readonly failure: string | null;
  readonly message: string | null;
  readonly returned_model: string | null;
  readonly expected_model: string | null;
  readonly returned_provider: string | null;
  readonly finish_reason: string | null;
  readonly native_finish_reason: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly inline_reasoning: boolean | null;
  readonly parse: string | null;
  readonly cost_micros: number;
  readonly billing: string;
}

/** Says what the record of a probe shows of its route. */
export function probeRow({ key, cell, outcome, status, error, generation, parse, route }: ResponseRecord): ProbeRow {
  return {
    model_id: key.model_id,
    cell,
    failure: status === 'completed' ? null : outcome,
    message: error?.message ?? null,
    returned_model: generation?.actual_model ?? null,
    expected_model: route.expected_model,
    returned_provider: generation?.actual_provider ?? null,
    finish_reason: generation?.finish_reason ?? null,
    native_finish_reason: generation?.native_finish_reason ?? null,
    prompt_tokens: generation?.prompt_tokens ?? null,
    completion_tokens: generation?.completion_tokens ?? null,
    reasoning_tokens: generation?.reasoning_tokens ?? null,
    inline_reasoning: parse?.inline_reasoning ?? null,
    parse: parse?.outcome ?? null,
    cost_micros: generation?.cost_micros ?? 0,
    billing: generation?.billing_status ?? 'unknown',
  };
}

const shownCount = (count: number | null) => count ?? '-';

/** Prints what a probe found, a row a route: what it answered, then what that used, both in 80 columns with their codes whole; then what each unusable reply was and what was expected. */
export function printProbe(rows: readonly ProbeRow[], { rejections, suspended }: RunSummary): void {
  printTable(
    ['model', 'answers as', 'finish', 'answer'],
    rows.map((row) => [
      row.model_id,
      [row.returned_model ?? '-', row.returned_provider ?? ''].join(' ').trim(),
      row.finish_reason ?? '-',
      row.failure ?? row.parse ?? '-',
    ]),
    { whole: ['finish', 'answer'] },
  );
  printLine('');
  printTable(
    ['model', 'in', 'out', 'reasoning', 'inline', 'USD', 'billing'],
    rows.map((row) => [
      row.model_id,
      shownCount(row.prompt_tokens),
      shownCount(row.completion_tokens),
      shownCount(row.reasoning_tokens),
      row.inline_reasoning === null ? '-' : row.inline_reasoning ? 'yes' : 'no',
      microsToUsd(row.cost_micros),
      row.billing,
    ]),
    { whole: ['inline', 'billing'] },
  );
  for (const { model_id, failure, message } of rows)
    if (failure !== null) printLine(plain(`${model_id}: ${failure}${message === null ? '' : `: ${message}`}`));
  for (const [model, detail] of Object.entries({ ...rejections, ...suspended }))
    if (!rows.some(({ model_id }) => model_id === model)) printLine(plain(`${model}: no reply: ${detail}`));
}
