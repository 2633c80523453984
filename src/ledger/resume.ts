import { fail } from '../util/error.js';
import { type CellBinding, type CellKey, contractDigest } from './cell-key.js';
import { blockName, type CellState, type LedgerState, startOf } from './journal-state.js';
import type { LedgerWriter } from './ledger-writer.js';
import type { ResponseRecord } from './record.js';

interface Pending {
  /** To be asked, in the order given. */
  readonly pending: CellBinding[];
  /** Perhaps accepted, not recorded: to be sealed, never sent. */
  readonly ambiguous: CellBinding[];
  readonly completed: number;
  readonly failed: number;
}

/**
 * Divides a schedule by what the ledger holds. Errors: ROUTE_MIXED for a block that holds records of another contract: routes are
 * replaced whole, never pooled.
 */
export function pendingCells(state: LedgerState, schedule: Iterable<CellBinding>): Pending {
  const contracts = new Map<string, string>();
  const contractOf = (key: CellKey): string => {
    const short = JSON.stringify([key.model_id, key.endpoint_execution_sha256, key.protocol_sha256, key.decoding]);
    let found = contracts.get(short);
    if (found === undefined) contracts.set(short, (found = contractDigest(key)));
    return found;
  };
  const result = { pending: [] as CellBinding[], ambiguous: [] as CellBinding[] };
  let completed = 0;
  let failed = 0;
  for (const binding of schedule) {
    const block = blockName({ phase: binding.key.phase, slot: binding.slot, panel: binding.panel });
    const held = state.contracts.get(block);
    if (held !== undefined && held !== contractOf(binding.key)) {
      fail(
        'ROUTE_MIXED',
        null,
        `block ${block} holds records of contract ${held}; this plan asks under ${contractOf(binding.key)}`,
        `Put the old block aside whole: flavourbench ledger quarantine DIR --model ${binding.key.model_id} --reason TEXT; ledger explain DIR --plan PLAN --model ${binding.key.model_id} --task ${binding.task_id} shows which field differs.`,
      );
    }
    const cell = state.cells.get(binding.cell);
    if (cell?.attempt === 'maybe_accepted') result.ambiguous.push(binding);
    else if (cell?.head === undefined || cell.retry !== undefined) result.pending.push(binding);
    else if (cell.head.status === 'completed') completed += 1;
    else failed += 1;
  }
  return { ...result, completed, failed };
}

/**
 * Writes a failed record, outcome `ambiguous`, for every cell whose journal shows a request that may have been accepted but that
 * has no record (collection 1.12). Such a cell is never sent again by itself. Call it before sending anything: a request in flight
 * looks the same. Costs the journal knows are booked; otherwise the reservation is kept as `uncertain`.
 */
export async function sealAmbiguous(
  ledger: LedgerWriter,
  options: { readonly recordedAt: string },
): Promise<ResponseRecord[]> {
  const open = [...ledger.cells()].filter((cell) => cell.attempt === 'maybe_accepted');
  const records = open.map((cell) => sealedRecord(ledger, cell, options.recordedAt));
  await Promise.all(records.map((record) => ledger.putRecord(record)));
  return records;
}

function sealedRecord(ledger: LedgerWriter, cell: CellState, recordedAt: string): ResponseRecord {
  const start = startOf(cell);
  const binding = start?.binding;
  if (!binding) {
    fail(
      'LEDGER_DAMAGED',
      { file: ledger.dir },
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

/**
 * Asks for failed cells again, by an explicit list. Completed cells are refused: an answer is not drawn twice until it
 * pleases. A list is served once per cell, so an interrupted `collect --retry` can be run again. Returns how many cells it opened.
 * Errors: USAGE for a cell that has no failed record.
 */
export async function requestRetry(
  ledger: LedgerWriter,
  options: { readonly cells: readonly string[]; readonly listSha256: string },
): Promise<{ readonly requested: number; readonly alreadyServed: number }> {
  const writes: Promise<string>[] = [];
  let alreadyServed = 0;
  for (const id of options.cells) {
    const cell = ledger.state.cells.get(id);
    if (cell?.retried.includes(options.listSha256)) {
      alreadyServed += 1;
      continue;
    }
    if (cell?.head?.status !== 'failed') {
      fail(
        'USAGE',
        { file: ledger.dir },
        cell?.head ? `cell ${id} is completed; only failed cells are asked again` : `cell ${id} has no record here`,
        '`ledger failures DIR` writes a list of failed cells.',
      );
    }
  }
  for (const id of new Set(options.cells)) {
    const cell = ledger.state.cells.get(id);
    if (!cell?.head || cell.retried.includes(options.listSha256) || cell.retry === options.listSha256) continue;
    writes.push(
      ledger.book({
        type: 'retry_requested',
        cell: id,
        supersedes: cell.head.record_sha256,
        list_sha256: options.listSha256,
      }),
    );
  }
  await Promise.all(writes);
  return { requested: writes.length, alreadyServed };
}
