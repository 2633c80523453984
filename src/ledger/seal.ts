import { fail } from '../util/error.js';
import type { Ledger } from './ledger.js';
import type { ResponseRecord } from './record.js';
import { type CellState, startOf } from './state.js';

/**
 * Writes a failed record, outcome `ambiguous`, for every cell whose journal shows a request that may have been accepted but that
 * has no record (collection 1.12). Such a cell is never sent again by itself. Call it before sending anything: a request in flight
 * looks the same. Costs the journal knows are booked; otherwise the reservation is kept as `uncertain`.
 */
export async function sealAmbiguous(
  ledger: Ledger,
  options: { readonly recordedAt: string },
): Promise<ResponseRecord[]> {
  const open = [...ledger.cells()].filter((cell) => cell.attempt === 'maybe_accepted');
  const records = open.map((cell) => sealedRecord(ledger, cell, options.recordedAt));
  await Promise.all(records.map((record) => ledger.putRecord(record)));
  return records;
}

function sealedRecord(ledger: Ledger, cell: CellState, recordedAt: string): ResponseRecord {
  const start = startOf(cell);
  const binding = start?.binding;
  if (!binding) {
    fail(
      'LEDGER_DAMAGED',
      { file: ledger.dir, path: cell.cell },
      `cell ${cell.cell} was begun without saying what it is`,
      'Its journal lines were not written by this program; start a new ledger.',
      { exit: 4 },
    );
  }
  const known = cell.cost_micros;
  return ledger.compose(binding, {
    model_name: start?.model_name ?? binding.key.model_id,
    source: 'sealed',
    origin: null,
    rank_eligible: start?.rank_eligible ?? false,
    route: start?.route ?? {
      transport: 'unknown',
      requested_model: null,
      expected_model: null,
      expected_provider: null,
      provider_tag: null,
    },
    status: 'failed',
    outcome: known === undefined ? 'ambiguous' : 'interrupted',
    started_at: start?.at ?? null,
    recorded_at: recordedAt,
    wall_time_ms: null,
    generation: null,
    parse: null,
    error: {
      type: 'AmbiguousDelivery',
      message:
        'The run was interrupted after the request was started; it may have been accepted and is never sent again.',
    },
    budget: { reserved_micros: start?.reserved_micros ?? 0, actual_micros: known ?? 0 },
  });
}
