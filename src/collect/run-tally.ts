import type { Phase } from '../ledger/cell-key.js';
import { joinedKey } from '../util/joined.js';
import type { CellResult } from './attempt.js';

/** Running counts of one model; no score anywhere. */
interface ModelTally {
  readonly model_id: string;
  readonly scheduled: number;
  completed: number;
  failed: number;
  parseable: number;
  pending: number;
  micros: number;
  suspended: string | null;
  /** What the last rejection of a cell that stays pending said. */
  lastRejection: string | null;
}

/** What has happened so far, for a progress line and for the summary. */
export interface Tally {
  readonly models: ReadonlyMap<string, ModelTally>;
  /** Cells ended in this session: recorded, or left pending after a rejection. */
  done: number;
  completed: number;
  failed: number;
  pending: number;
  spentMicros: number;
  /** Replies whose claim of cost or tokens was not believed. */
  implausible: number;
  /** Outcome kind of failed cells, and reason of pending ones, with their numbers. */
  readonly failures: Map<string, number>;
}

/** Makes a tally of nothing done yet. */
export function makeTally(models: readonly { readonly id: string; readonly scheduled: number }[]): Tally {
  return {
    models: new Map(
      models.map(({ id, scheduled }) => [
        id,
        {
          model_id: id,
          scheduled,
          completed: 0,
          failed: 0,
          parseable: 0,
          pending: 0,
          micros: 0,
          suspended: null,
          lastRejection: null,
        },
      ]),
    ),
    done: 0,
    completed: 0,
    failed: 0,
    pending: 0,
    spentMicros: 0,
    implausible: 0,
    failures: new Map(),
  };
}

function count(tally: Tally, kind: string): void {
  tally.failures.set(kind, (tally.failures.get(kind) ?? 0) + 1);
}

/** Adds the end of one cell to the tally. */
export function addResult(tally: Tally, modelId: string, result: CellResult): void {
  const model = tally.models.get(modelId);
  if (model === undefined || result.kind === 'stopped') return;
  tally.done += 1;
  if (result.kind === 'pending') {
    tally.pending += 1;
    model.pending += 1;
    model.lastRejection = result.detail ?? result.reason;
    count(tally, `pending:${result.reason}`);
    return;
  }
  const { record } = result;
  const micros = record.generation?.cost_micros ?? 0;
  tally.spentMicros += micros;
  model.micros += micros;
  if (record.generation?.billing_status === 'implausible') tally.implausible += 1;
  if (record.status === 'completed') {
    tally.completed += 1;
    model.completed += 1;
    if (record.parse?.outcome === 'ok') model.parseable += 1;
    else count(tally, `unparseable:${record.parse?.outcome ?? 'none'}`);
  } else {
    tally.failed += 1;
    model.failed += 1;
    count(tally, record.outcome);
  }
}

interface CountedJob {
  readonly binding: {
    readonly cell: string;
    readonly key: { readonly model_id: string; readonly phase: Phase };
    readonly panel: string;
    readonly family: string;
  };
}

/**
 * Counts the cells of a phase that are collected here by model, panel and family, as the ledger is given them once a phase. Every row of the plan
 * is there, in the order of its cells, so that shards list the same models in the same order.
 */
export function scheduleCounts(
  jobs: readonly CountedJob[],
  phase: Phase,
  isOwn: (job: CountedJob) => boolean,
): { model_id: string; panel: string; family: string; cells: number }[] {
  const counts = new Map<string, { model_id: string; panel: string; family: string; cells: number }>();
  for (const job of jobs) {
    const { binding } = job;
    if (binding.key.phase !== phase) continue;
    const own = Number(isOwn(job));
    const { panel, family } = binding;
    const { model_id } = binding.key;
    const name = joinedKey(model_id, panel, family);
    const found = counts.get(name);
    if (found) found.cells += own;
    else counts.set(name, { model_id, panel, family, cells: own });
  }
  return [...counts.values()];
}
