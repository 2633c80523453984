import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repeatAgreement } from '../../../collect/agreement.js';
import type { CellJob } from '../../../collect/cell-job.js';
import { makeClock } from '../../../collect/clock.js';
import { forecastCost } from '../../../collect/forecast.js';
import type { Collection } from '../../../collect/manifest.js';
import { microsToUsd } from '../../../collect/money.js';
import { parseRetryList, type RetryList } from '../../../collect/retry-list.js';
import { checkCredentials, type RunSummary, runCollection } from '../../../collect/runner.js';
import { buildSchedule } from '../../../collect/schedule.js';
import {
  Ledger,
  PHASES,
  type Phase,
  pendingCells,
  requestRetry,
  viewLedger,
} from '../../../ledger/index.js';
import { FlavourError, shown } from '../../../util/error.js';
import { readText } from '../../../util/file.js';
import { currentHolder, probeProcess } from '../../holder.js';
import { plain, printJson, printLine, printTable } from '../../print.js';
import { loadCollection } from '../plan.js';
import { barDisplay, type Display, liveDisplay, silentDisplay } from './progress.js';
import { openSurroundings, stopOnSignal } from './session.js';

export interface CollectFlags {
  readonly ledger: string;
  readonly phase?: string;
  readonly dryRun?: boolean;
  readonly limit?: string;
  readonly retry?: string;
  readonly live?: boolean;
  readonly maxWait: string;
  readonly allowUnpinned?: boolean;
  readonly ca?: string;
  readonly agreement?: boolean;
  readonly json?: boolean;
}

function wholeNumber(text: string, option: string, least: number): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least) {
    throw new FlavourError(
      'USAGE',
      `${option}: expected a whole number of at least ${least}, got ${shown(text)}`,
      {
        hint: 'See `flavourbench collect --help`.',
      },
    );
  }
  return value;
}

function phasesOf(collection: Collection, flag: string | undefined): readonly Phase[] {
  if (flag === undefined) return collection.phases;
  const phase = PHASES.find((name) => name === flag);
  if (phase === undefined || !collection.phases.includes(phase)) {
    throw new FlavourError(
      'USAGE',
      `--phase ${shown(flag)}: the plan has ${collection.phases.join(', ')}`,
      {
        hint: 'Add the phase to the plan, or choose one it has.',
      },
    );
  }
  return [phase];
}

function readRetry(file: string | undefined, jobs: readonly CellJob[]): RetryList | null {
  if (file === undefined) return null;
  const list = parseRetryList(readText(file), file);
  const known = new Set(jobs.map((job) => job.binding.cell));
  const stranger = list.cells.find((cell) => !known.has(cell));
  if (stranger !== undefined) {
    throw new FlavourError('USAGE', `${file}: cell ${stranger} is not in this plan`, {
      hint: 'A changed route or protocol makes other cells; retry under the plan that made the failure.',
      where: { file },
    });
  }
  return list;
}

function dryRun(options: {
  readonly collection: Collection;
  readonly jobs: readonly CellJob[];
  readonly flags: CollectFlags;
  readonly limit: number | null;
}): void {
  const { collection, jobs, flags, limit } = options;
  const held = existsSync(join(flags.ledger, 'attempts.jsonl'));
  const division = held
    ? pendingCells(
        viewLedger(flags.ledger).state,
        jobs.map((job) => job.binding),
      )
    : undefined;
  const open = division && new Set(division.pending.map((binding) => binding.cell));
  const pending = open ? jobs.filter((job) => open.has(job.binding.cell)) : jobs;
  const chosen = limit === null ? pending : pending.slice(0, limit);
  const forecast = forecastCost({ jobs: chosen, budget: collection.plan.budget });
  const first = chosen.slice(0, 5).map(({ binding }) => ({
    cell: binding.cell,
    phase: binding.key.phase,
    model_id: binding.key.model_id,
    task_id: binding.task_id,
  }));
  const summary = {
    provider_calls_made: 0,
    manifest_sha256: collection.manifest.artifact_sha256,
    scheduled_cells: jobs.length,
    already_completed: division?.completed ?? 0,
    already_failed: division?.failed ?? 0,
    ambiguous_to_seal: division?.ambiguous.length ?? 0,
    to_ask: chosen.length,
    forecast,
    first,
  };
  if (flags.json) {
    printJson(summary);
    return;
  }
  printLine(`manifest ${summary.manifest_sha256}`);
  printLine(
    `${jobs.length} cells scheduled, ${summary.already_completed} completed, ${summary.already_failed} failed, ${summary.ambiguous_to_seal} to seal, ${chosen.length} to ask`,
  );
  printLine(
    `cost between ${forecast.low_usd} and ${forecast.ceiling_usd} USD, cap ${forecast.cap_usd} USD; no call was made`,
  );
  for (const { phase, model_id, task_id } of first) printLine(`  ${phase} ${model_id} ${task_id}`);
}

function agreement(ledger: Ledger, jobs: readonly CellJob[], json: boolean): void {
  const rows = repeatAgreement({ ledger, jobs, scores: false });
  if (json) {
    printJson(rows);
    return;
  }
  printTable(
    ['model', 'pairs', 'jaccard', 'identical', 'floor 0.80'],
    rows.map((row) => [
      plain(row.model_id),
      row.pairs,
      row.jaccard === null ? '-' : row.jaccard.toFixed(3),
      row.identical,
      row.jaccard === null ? '-' : row.below_floor ? 'below' : 'met',
    ]),
  );
}

function printSummary(summary: RunSummary): void {
  const { status, asked, completed, failed, pending } = summary;
  printLine(
    `${status}: ${asked} asked, ${completed} completed, ${failed} failed; before: ${summary.already_completed} completed, ${summary.already_failed} failed (${summary.sealed_ambiguous} sealed now); ${pending} pending${summary.simulated ? '; SIMULATED answers among them' : ''}`,
  );
  printLine(
    `spent ${microsToUsd(summary.session_micros)} USD now, ${microsToUsd(summary.spent_micros)} USD in all, ${microsToUsd(summary.uncertain_micros)} USD uncertain, cap ${microsToUsd(summary.cap_micros)} USD`,
  );
  const kinds = Object.entries(summary.failures);
  if (kinds.length > 0) printLine(kinds.map(([kind, n]) => `${kind} ${n}`).join(', '));
  for (const [model, reason] of Object.entries(summary.suspended)) {
    printLine(`${plain(model)} rested: ${plain(reason)}`);
  }
}

function chooseDisplay(flags: CollectFlags): Display {
  if (flags.live) return liveDisplay();
  return flags.json || !process.stderr.isTTY ? silentDisplay : barDisplay();
}

const EXIT: Readonly<Record<RunSummary['status'], number>> = {
  complete: 0,
  incomplete: 3,
  stopped_by_budget: 5,
  stopped_by_signal: 5,
};

/** Runs `collect`: 0 when every asked cell has a record, 3 when cells stay pending, 5 when a budget or a signal stopped it. */
export async function collect(file: string, flags: CollectFlags): Promise<void> {
  const limit = flags.limit === undefined ? null : wholeNumber(flags.limit, '--limit', 1);
  const maxWaitSeconds = wholeNumber(flags.maxWait, '--max-wait', 0);
  const collection = loadCollection(file, flags.allowUnpinned ?? false);
  const phases = phasesOf(collection, flags.phase);
  const manifestSha256 = collection.manifest.artifact_sha256;
  const schedule = { ...collection, seed: collection.plan.seed, manifestSha256 };
  const jobs = buildSchedule({ ...schedule, phases });
  if (flags.dryRun) {
    dryRun({ collection, jobs, flags, limit });
    return;
  }
  const retry = readRetry(flags.retry, jobs);
  const { credentials, redact, client } = openSurroundings({
    routes: collection.routes,
    ca: flags.ca,
  });
  if (!existsSync(flags.ledger) && !flags.agreement) checkCredentials(jobs, credentials);
  const holder = currentHolder();
  const ledger = await Ledger.open({
    dir: flags.ledger,
    holder,
    probe: probeProcess,
    clock: Date.now,
  });
  const note = (text: string): void => {
    process.stderr.write(`flavourbench: ${plain(text)}\n`);
  };
  const stopping = stopOnSignal(note);
  const display = chooseDisplay(flags);
  try {
    for (const text of ledger.notes) note(text);
    if (flags.agreement) {
      agreement(ledger, jobs, flags.json ?? false);
      return;
    }
    if (retry) await requestRetry(ledger, { cells: retry.cells, listSha256: retry.sha256 });
    const summary = await runCollection({
      collection,
      jobs,
      ledger,
      send: client.send,
      credentials,
      redact,
      clock: makeClock(Date.now),
      attemptId: randomUUID,
      limit,
      only: retry === null ? null : new Set(retry.cells),
      maxWaitSeconds,
      stop: stopping.signal,
      onProgress: display.update,
    });
    display.stop();
    const { tally: _, ...document } = summary;
    if (flags.json) printJson(document);
    else printSummary(summary);
    process.exitCode = EXIT[summary.status];
  } finally {
    stopping.detach();
    await ledger.close();
    await client.close();
  }
}
