import type { RecordEntry } from '../ledger/journal-event.js';
import type { LedgerState } from '../ledger/journal-state.js';
import type { Reservation } from './budget.js';
import type { Charge } from './charge.js';
import type { CellJob } from './schedule.js';

/** Tokens that a settled request is counted with: as they were stated, none where nothing was charged, else what was set aside for it. */
export function tokensOf({ basis, promptTokens, completionTokens }: Charge, reservation: Reservation): number {
  if (promptTokens !== null && completionTokens !== null) return promptTokens + completionTokens;
  return basis === 'not_charged' ? 0 : reservation.tokens;
}

/** Whether a request that an entry of the journal sums up may have used tokens that nobody stated. A price of nothing hides that in its costs. */
function mayHaveUsed(entry: RecordEntry, { micros }: Reservation): boolean {
  const { source, outcome, tokens, cost_micros, uncertain_micros } = entry;
  if (source === 'imported' || tokens > 0) return false;
  if (cost_micros + uncertain_micros > 0 || outcome === 'ambiguous' || outcome === 'interrupted') return true;
  return micros === 0 && outcome !== 'request_rejected';
}

/**
 * Counts the tokens that a ledger has used, superseded records and those put aside too: as they were stated, else what its plan sets aside for the
 * cell; for a cell that is in the plan no more, or not in this phase of it, the most that it sets aside for any of the model, else for any at all.
 */
export function tokensUsed({ cells, quarantined, totals }: LedgerState, jobs: readonly CellJob[]): number {
  const byCell = new Map(jobs.map(({ binding, reservation }) => [binding.cell, reservation]));
  const largest = (own: readonly CellJob[]): Reservation => ({
    micros: own.reduce((most, { reservation }) => Math.max(most, reservation.micros), 0),
    tokens: own.reduce((most, { reservation }) => Math.max(most, reservation.tokens), 0),
  });
  const byModel = new Map<string, Reservation>();
  const setAside = ({ cell, model_id: model }: RecordEntry): Reservation => {
    const known = byCell.get(cell) ?? byModel.get(model);
    if (known !== undefined) return known;
    const own = jobs.filter(({ route }) => route.model_id === model);
    const most = largest(own.length > 0 ? own : jobs);
    byModel.set(model, most);
    return most;
  };
  let unstated = 0;
  const add = (entry: RecordEntry): void => {
    if (entry.tokens > 0) return;
    const reservation = setAside(entry);
    if (mayHaveUsed(entry, reservation)) unstated += reservation.tokens;
  };
  for (const { head, superseded } of cells.values())
    for (const entry of head ? [...superseded, head] : superseded) add(entry);
  for (const entry of quarantined) add(entry);
  return totals.tokens + unstated;
}
