import { fail } from '../util/error.js';
import { type CellBinding, type CellKey, contractDigest } from './cell.js';
import { blockName, type LedgerState } from './state.js';

export interface Pending {
  /** To be asked, in the order given. */
  readonly pending: CellBinding[];
  /** Perhaps accepted, not recorded: to be sealed, never sent. */
  readonly ambiguous: CellBinding[];
  readonly completed: number;
  readonly failed: number;
}

/**
 * Divides a schedule by what the ledger holds. A block that holds records of another contract is an error: routes are replaced
 * whole, never pooled.
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
        { path: block },
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
