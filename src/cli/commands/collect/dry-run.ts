import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection } from '../../../collect/compile-plan.js';
import { forecastCost } from '../../../collect/forecast.js';
import { type LargestCost, largestCost } from '../../../collect/largest-cost.js';
import { capsOf } from '../../../collect/plan-share.js';
import type { RetryList } from '../../../collect/retry-list.js';
import { chosenJobs } from '../../../collect/run-collection.js';
import type { CellJob } from '../../../collect/schedule.js';
import type { LedgerState } from '../../../ledger/journal-state.js';
import { assertShardLedger, shardName } from '../../../ledger/ledger-shard.js';
import { spendingOf } from '../../../ledger/ledger-status.js';
import { viewLedger } from '../../../ledger/ledger-view.js';
import { pendingCells } from '../../../ledger/resume.js';
import { plain, printJson, printLine } from '../../print.js';
import { costWords } from './confirm.js';

interface Asking {
  readonly collection: Collection;
  /** Cells that are collected here. */
  readonly jobs: readonly CellJob[];
  readonly flags: { readonly ledger: string; readonly json?: boolean };
  readonly limit: number | null;
  readonly perModel?: number;
  readonly retry: RetryList | null;
}

function storedState(ledger: string): LedgerState | undefined {
  return existsSync(join(ledger, 'attempts.jsonl')) ? viewLedger(ledger).state : undefined;
}

interface PlannedSession {
  readonly completed: number;
  readonly failed: number;
  readonly ambiguous: number;
  readonly chosen: readonly CellJob[];
  readonly cost: LargestCost;
}

/** Finds what a session would ask: of `state`, that of a ledger held open, else of the ledger as it is without a lock. Errors: SHARDS_DIFFER. */
export function plannedSession(options: Asking, state = storedState(options.flags.ledger)): PlannedSession {
  const { collection, jobs, retry, flags } = options;
  if (state !== undefined) assertShardLedger(flags.ledger, state, collection.shard ?? null);
  const division =
    state &&
    pendingCells(
      state,
      jobs.map((job) => job.binding),
    );
  const listed = retry?.cells.filter((cell) => {
    const found = state?.cells.get(cell);
    return found?.head?.status === 'failed' && !found.retried.includes(retry.sha256);
  });
  const open = listed ? new Set(listed) : division && new Set(division.pending.map((binding) => binding.cell));
  const pending = open ? jobs.filter((job) => open.has(job.binding.cell)) : jobs;
  const chosen = chosenJobs(pending, options);
  const cost = largestCost({ collection, jobs: chosen, spending: state ? spendingOf(state) : null });
  const { completed = 0, failed = 0, ambiguous = [] } = division ?? {};
  return { completed, failed, ambiguous: ambiguous.length, chosen, cost };
}

/** Says what a run would ask and what that may cost. No call is made and nothing is written. */
export function dryRun(options: Asking): void {
  const { collection, jobs, flags } = options;
  const { completed, failed, ambiguous, chosen, cost } = plannedSession(options);
  const forecast = forecastCost({ jobs: chosen, capMicros: capsOf(collection).micros });
  const first = chosen.slice(0, 5).map(({ binding }) => ({
    cell: binding.cell,
    phase: binding.key.phase,
    model_id: binding.key.model_id,
    task_id: binding.task_id,
  }));
  const summary = {
    provider_calls_made: 0,
    manifest_sha256: collection.frozenPlan.artifact_sha256,
    shard: collection.shard ?? null,
    scheduled_cells: jobs.length,
    already_completed: completed,
    already_failed: failed,
    ambiguous_to_seal: ambiguous,
    to_ask: chosen.length,
    forecast,
    largest_cost: cost,
    first,
  };
  if (flags.json) {
    printJson(summary);
    return;
  }
  printLine(`manifest ${summary.manifest_sha256}`);
  if (collection.shard !== undefined)
    printLine(`shard ${shardName(collection.shard)}: its share of the cells and of the cap`);
  printLine(
    `${jobs.length} cells scheduled, ${summary.already_completed} completed, ${summary.already_failed} failed, ${summary.ambiguous_to_seal} to seal, ${chosen.length} to ask`,
  );
  printLine(
    `cost between ${forecast.low_usd} and ${forecast.ceiling_usd} USD, cap ${forecast.cap_usd} USD; no call was made`,
  );
  printLine(`${costWords(cost)}; to agree to just that:`);
  printLine(`  --confirm ${cost.confirmation}`);
  for (const { phase, model_id, task_id } of first) printLine(plain(`  ${phase} ${model_id} ${task_id}`));
  if (chosen.length > first.length) printLine(`  and ${chosen.length - first.length} more`);
}
