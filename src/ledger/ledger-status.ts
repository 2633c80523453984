import type { Phase } from './cell-key.js';
import type { RecordEntry, ShardDeclaration } from './journal-event.js';
import { type CellState, type LedgerState, startOf } from './journal-state.js';
import { ownShard } from './ledger-shard.js';
import type { LedgerView } from './ledger-view.js';

/** Counts of one model in one stratum, or sums of such counts. Money is micro-USD. No score. */
export interface StatusCounts {
  /** Cells begun, or the schedule's count where one was declared and is larger: a reworded task leaves its old cell behind. */
  scheduled: number;
  completed: number;
  failed: number;
  /** Begun and certainly not accepted: will be asked again. */
  rejected: number;
  /** Perhaps accepted, no record yet: in flight, or to be sealed. */
  open: number;
  /** Completed and read by the parser. */
  parseable: number;
  /** Completed with reasoning in the answer, which the parser passed over. */
  reasoned: number;
  /** Replies that claimed a cost or a token count that cannot be; each is booked at its reservation. */
  implausible: number;
  cost_micros: number;
  uncertain_micros: number;
  tokens: number;
  superseded: number;
  /** Failed cells by kind of failure. */
  readonly failures: Record<string, number>;
  /** Completed cells by parse outcome. */
  readonly parses: Record<string, number>;
}

interface StatusRow extends StatusCounts {
  readonly phase: Phase;
  readonly model_id: string;
  readonly panel: string;
  readonly family: string;
}

/**
 * What the ledger has cost, micro-USD: records in force, superseded and in quarantine, and requests without a record as they will be sealed.
 * `collect` counts the same against its cap.
 */
export interface Spending {
  readonly spent_micros: number;
  readonly uncertain_micros: number;
  /** Tokens that replies stated; `collect` adds what it set aside for requests that may have been served and state none. */
  readonly stated_tokens: number;
  /** Of money and tokens: what lies in quarantine, what belongs to requests without a record, and what a salvage found to be paid beside the records. */
  readonly quarantined: {
    readonly spent_micros: number;
    readonly uncertain_micros: number;
    readonly stated_tokens: number;
  };
  readonly open: { readonly spent_micros: number; readonly uncertain_micros: number };
  readonly salvaged: { readonly spent_micros: number; readonly uncertain_micros: number };
}

export interface LedgerStatus {
  /** One row a model and stratum (phase, panel, family), sorted. */
  readonly rows: readonly StatusRow[];
  readonly models: readonly (StatusCounts & { readonly phase: Phase; readonly model_id: string })[];
  readonly total: StatusCounts;
  readonly spending: Spending;
  readonly quarantined_records: number;
  readonly quarantined_blocks: number;
  readonly scores_inspected: number;
  readonly simulated: boolean;
  /** The share of a plan that it holds; null where it holds a whole one. */
  readonly shard: ShardDeclaration | null;
  readonly journal: { readonly lines: number; readonly head: string; readonly torn_bytes: number };
}

function emptyCounts(): StatusCounts {
  return {
    scheduled: 0,
    completed: 0,
    failed: 0,
    rejected: 0,
    open: 0,
    parseable: 0,
    reasoned: 0,
    implausible: 0,
    cost_micros: 0,
    uncertain_micros: 0,
    tokens: 0,
    superseded: 0,
    failures: {},
    parses: {},
  };
}

function tally(into: Record<string, number>, from: Record<string, number>): void {
  for (const [name, count] of Object.entries(from)) into[name] = (into[name] ?? 0) + count;
}

function add(into: StatusCounts, from: StatusCounts): void {
  into.scheduled += from.scheduled;
  into.completed += from.completed;
  into.failed += from.failed;
  into.rejected += from.rejected;
  into.open += from.open;
  into.parseable += from.parseable;
  into.reasoned += from.reasoned;
  into.implausible += from.implausible;
  into.cost_micros += from.cost_micros;
  into.uncertain_micros += from.uncertain_micros;
  into.tokens += from.tokens;
  into.superseded += from.superseded;
  tally(into.failures, from.failures);
  tally(into.parses, from.parses);
}

function book(row: StatusCounts, entry: RecordEntry): void {
  if (entry.implausible) row.implausible += 1;
  row.cost_micros += entry.cost_micros;
  row.uncertain_micros += entry.uncertain_micros;
  row.tokens += entry.tokens;
}

function count(row: StatusCounts, cell: CellState): void {
  const { head } = cell;
  for (const entry of cell.superseded) book(row, entry);
  row.superseded += cell.superseded.length;
  row.scheduled += 1;
  if (head) {
    book(row, head);
    if (head.status === 'failed') {
      row.failed += 1;
      tally(row.failures, { [head.outcome]: 1 });
    } else {
      row.completed += 1;
      if (head.parse === 'ok') row.parseable += 1;
      if (head.inline_reasoning) row.reasoned += 1;
      tally(row.parses, { [head.parse ?? 'not_parsed']: 1 });
    }
  }
  if (cell.attempt === 'maybe_accepted') row.open += 1;
  else if (cell.attempt === 'rejected' && !head) row.rejected += 1;
}

type Place = Pick<StatusRow, 'phase' | 'model_id' | 'panel' | 'family'>;

function placeOf(cell: CellState): Place | undefined {
  if (cell.head) return cell.head;
  const binding = startOf(cell)?.binding;
  return (
    binding && {
      phase: binding.key.phase,
      model_id: binding.key.model_id,
      panel: binding.panel,
      family: binding.family,
    }
  );
}

function rowsOf(state: LedgerState): StatusRow[] {
  const rows = new Map<string, StatusRow>();
  const row = ({ phase, model_id, panel, family }: Place): StatusRow => {
    const name = JSON.stringify([phase, model_id, panel, family]);
    let found = rows.get(name);
    if (!found) rows.set(name, (found = { phase, model_id, panel, family, ...emptyCounts() }));
    return found;
  };
  for (const cell of state.cells.values()) {
    const place = placeOf(cell);
    if (place) count(row(place), cell);
  }
  for (const { cells, ...place } of state.schedule.values()) {
    const counts = row(place);
    const { completed, failed, rejected, open } = counts;
    counts.scheduled = Math.max(cells, completed + failed + rejected + open);
  }
  return [...rows.keys()].sort().map((name) => rows.get(name)!);
}

/** Adds up what a ledger has cost. */
export function spendingOf(state: LedgerState): Spending {
  const sum = (list: readonly { readonly cost_micros: number; readonly uncertain_micros: number }[]) => ({
    spent_micros: list.reduce((total, { cost_micros }) => total + cost_micros, 0),
    uncertain_micros: list.reduce((total, { uncertain_micros }) => total + uncertain_micros, 0),
  });
  const begun = [...state.cells.values()].filter(({ attempt }) => attempt === 'maybe_accepted');
  const open = sum(
    begun.map((cell) => ({
      cost_micros: cell.cost_micros ?? 0,
      uncertain_micros: cell.cost_micros === undefined ? (startOf(cell)?.reserved_micros ?? 0) : 0,
    })),
  );
  return {
    spent_micros: state.totals.cost_micros + open.spent_micros,
    uncertain_micros: state.totals.uncertain_micros + open.uncertain_micros,
    stated_tokens: state.totals.tokens,
    quarantined: {
      ...sum(state.quarantined),
      stated_tokens: state.quarantined.reduce((total, { tokens }) => total + tokens, 0),
    },
    open,
    salvaged: sum([state.salvaged]),
  };
}

/** Counts completion, failures, cost and parse outcomes of a ledger; it cannot tell a score, for none is in the journal. */
export function ledgerStatus(view: Pick<LedgerView, 'state' | 'scan'>, inspections: readonly string[]): LedgerStatus {
  const rows = rowsOf(view.state);
  const total = emptyCounts();
  const models = new Map<string, StatusCounts & { phase: Phase; model_id: string }>();
  for (const row of rows) {
    add(total, row);
    const name = JSON.stringify([row.phase, row.model_id]);
    let model = models.get(name);
    if (!model) models.set(name, (model = { phase: row.phase, model_id: row.model_id, ...emptyCounts() }));
    add(model, row);
  }
  const heads = [...view.state.cells.values()].map((cell) => cell.head);
  return {
    rows,
    models: [...models.values()],
    total,
    spending: spendingOf(view.state),
    quarantined_records: view.state.quarantined.length,
    quarantined_blocks: view.state.quarantines.length,
    scores_inspected: new Set([...inspections, ...view.state.inspections]).size,
    simulated: heads.some((head) => head?.source === 'simulated'),
    shard: ownShard(view.state) ?? null,
    journal: {
      lines: view.scan.lines,
      head: view.scan.chain,
      torn_bytes: view.scan.tailComplete ? 0 : view.scan.tail.length,
    },
  };
}
