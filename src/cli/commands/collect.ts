import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { makeClock, STANDING_CLOCK } from '../../collect/clock.js';
import type { Collection } from '../../collect/compile-plan.js';
import { isOwnJob } from '../../collect/plan-share.js';
import { parseRetryList, type RetryList } from '../../collect/retry-list.js';
import { checkCredentials, type RunSummary, runCollection } from '../../collect/run-collection.js';
import { buildSchedule, type CellJob } from '../../collect/schedule.js';
import { isSimulated, simulatedAttemptId } from '../../collect/transport.js';
import { readText } from '../../io/file.js';
import { PHASES, type Phase } from '../../ledger/cell-key.js';
import { LedgerWriter } from '../../ledger/ledger-writer.js';
import { requestRetry } from '../../ledger/resume.js';
import { fail, shown } from '../../util/error.js';
import type { Shard } from '../../util/shard.js';
import { currentHolder, probeProcess, takeOverOption } from '../open-ledger.js';
import { printJson, printLine, printNote } from '../print.js';
import { shardOption } from '../sharing/shard-option.js';
import { stoppable } from '../stop-signal.js';
import { SYSTEM_TIME } from '../system-time.js';
import { showAgreement } from './collect/agreement.js';
import { assertAgreed, confirmCost } from './collect/confirm.js';
import { openConnection, STOPPING } from './collect/connection.js';
import { dryRun, plannedSession } from './collect/dry-run.js';
import { type ProbeRow, printProbe, probeRow } from './collect/probe.js';
import { type Display, lineDisplay, liveDisplay, silentDisplay } from './collect/progress.js';
import { printSummary } from './collect/summary.js';
import { loadCollection } from './plan.js';

interface CollectFlags {
  readonly ledger: string;
  readonly phase?: string;
  readonly shard?: Shard;
  readonly dryRun?: boolean;
  readonly limit?: string;
  readonly probe?: boolean;
  readonly yes?: boolean;
  readonly confirm?: string;
  readonly retry?: string;
  readonly live?: boolean;
  readonly maxWait: string;
  readonly allowUnpinned?: boolean;
  readonly ca?: string;
  readonly takeOver?: boolean;
  readonly agreement?: boolean;
  readonly liveScores?: boolean;
  readonly json?: boolean;
}

/** A week: who is asked to wait longer begins another session then. */
const LONGEST_WAIT_S = 604_800;

function wholeNumber(text: string, option: string, least: number, most = 999_999_999): number {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least || value > most) {
    fail(
      'USAGE',
      null,
      `${option}: expected a whole number from ${least} to ${most}, got ${shown(text)}`,
      'See `flavourbench collect --help`.',
    );
  }
  return value;
}

function phasesOf(collection: Collection, flag: string | undefined): readonly Phase[] {
  if (flag === undefined) return collection.phases;
  const phase = PHASES.find((name) => name === flag);
  if (phase === undefined || !collection.phases.includes(phase)) {
    fail(
      'USAGE',
      null,
      `--phase ${shown(flag)}: the plan has ${collection.phases.join(', ')}`,
      'Add the phase to the plan, or choose one it has.',
    );
  }
  return [phase];
}

function readRetry(file: string | undefined, jobs: readonly CellJob[], collection: Collection): RetryList | null {
  if (file === undefined) return null;
  const list = parseRetryList(readText(file), file);
  const known = new Set(jobs.map((job) => job.binding.cell));
  const isOwn = isOwnJob(collection);
  const foreign = list.cells.find((cell) => known.has(cell) && !isOwn({ binding: { cell } }));
  if (foreign !== undefined)
    fail('USAGE', { file }, `cell ${foreign} is of another shard`, 'Retry it where its shard is collected.');
  const unplanned = list.cells.find((cell) => !known.has(cell));
  if (unplanned !== undefined) {
    fail(
      'USAGE',
      { file },
      `cell ${unplanned} is not in this plan`,
      'A changed route or protocol makes other cells; retry under the plan that made the failure.',
    );
  }
  return list;
}

function chooseDisplay(flags: CollectFlags): Display {
  if (flags.live) return liveDisplay();
  return flags.json ? silentDisplay : lineDisplay();
}

const EXIT: Readonly<Record<RunSummary['status'], number>> = {
  complete: 0,
  limit_reached: 0,
  incomplete: 3,
  stopped_by_budget: 5,
  stopped_by_signal: 5,
};

/** Runs `collect`: 0 when every asked cell has a record, 3 when cells stay pending, 5 when a budget or a signal stopped it. */
export async function collect(file: string, flags: CollectFlags): Promise<void> {
  const limit = flags.limit === undefined ? null : wholeNumber(flags.limit, '--limit', 1);
  const maxWaitSeconds = wholeNumber(flags.maxWait, '--max-wait', 0, LONGEST_WAIT_S);
  if (flags.liveScores && !flags.agreement) {
    fail(
      'USAGE',
      null,
      '--live-scores goes with --agreement; a collection is blind',
      'Add --agreement, or look with `ledger status --live-scores`; both stamp the ledger.',
    );
  }
  const { shard } = flags;
  const collection: Collection = { ...loadCollection(file, flags.allowUnpinned ?? false), ...(shard ? { shard } : {}) };
  const phases = phasesOf(collection, flags.phase);
  if (flags.agreement) {
    return showAgreement(buildSchedule(collection), flags);
  }
  if (flags.probe && (flags.retry ?? flags.limit) !== undefined) {
    fail('USAGE', null, '--probe asks one pending cell of each route', 'Leave --retry and --limit out.');
  }
  const perModel = flags.probe ? 1 : undefined;
  const jobs = buildSchedule(collection, phases);
  const own = jobs.filter(isOwnJob(collection));
  const retry = readRetry(flags.retry, jobs, collection);
  const asking = { collection, jobs: own, flags, limit, perModel, retry };
  if (flags.dryRun) {
    dryRun(asking);
    return;
  }
  const { credentials, redact, client } = openConnection({
    routes: collection.routes,
    ca: flags.ca,
  });
  if (!existsSync(flags.ledger)) checkCredentials(own, credentials);
  // Only where something can cost: the ledger is read for it.
  const agreed = own.some(({ route }) => route.transport !== 'simulated') ? plannedSession(asking) : null;
  if (agreed !== null) await confirmCost(agreed.cost, flags);
  const simulated = isSimulated(collection.routes);
  const clock = simulated ? STANDING_CLOCK : makeClock(SYSTEM_TIME);
  const ledger = await LedgerWriter.open({
    dir: flags.ledger,
    holder: currentHolder(),
    probe: probeProcess,
    clock: clock.now,
    sync: !simulated,
    takeOver: flags.takeOver,
  });
  const computedId = (cell: string, index: number): string => {
    const known = ledger.state.cells.get(cell);
    const records = (known?.superseded.length ?? 0) + (known?.head ? 1 : 0);
    return simulatedAttemptId({ cell, records, index });
  };
  const display = chooseDisplay(flags);
  const probed: ProbeRow[] = [];
  let summary: RunSummary;
  try {
    for (const text of ledger.notes) printNote(text);
    if (agreed !== null && !flags.yes) assertAgreed(agreed, plannedSession(asking, ledger.state));
    if (retry) await requestRetry(ledger, { cells: retry.cells, listSha256: retry.sha256 });
    summary = await stoppable(
      (stop) =>
        runCollection({
          collection,
          jobs,
          ledger,
          send: client.send,
          credentials,
          redact,
          clock,
          attemptId: simulated ? computedId : () => randomUUID(),
          limit,
          perModel,
          onRecord: flags.probe ? (record) => probed.push(probeRow(record)) : undefined,
          only: retry === null ? null : new Set(retry.cells),
          maxWaitSeconds,
          stop,
          onProgress: display.update,
        }),
      () => printNote(STOPPING),
    );
  } finally {
    display.stop();
    await ledger.close();
    await client.close();
  }
  const { tally: _, ...document } = summary;
  if (flags.probe) {
    const { asked, pending } = summary;
    if (flags.json) printJson({ ...document, probes: probed });
    else if (asked > 0) printProbe(probed, summary);
    else printLine(`no route was asked: ${pending} cells are pending`);
    const usable = probed.length === asked && probed.every(({ failure }) => failure === null);
    process.exitCode = Math.max(EXIT[summary.status], usable ? 0 : 3);
    return;
  }
  if (flags.json) printJson(document);
  else printSummary(summary, { plan: file, ...flags });
  process.exitCode = EXIT[summary.status];
}

/** Adds `collect`. */
export function register(program: Command): void {
  program
    .command('collect')
    .description('Ask every pending cell of a plan; stop and resume at any time.')
    .argument('<plan>', 'plan file, YAML or JSON')
    .option('--ledger <dir>', 'ledger folder', 'ledger')
    .option('--phase <phase>', 'only pilot, primary or repeat')
    .addOption(
      Object.assign(shardOption(), {
        description:
          'collect one of n shares of the cells, with its share of the budget, into a ledger of its own; `ledger merge` joins them',
      }),
    )
    .option('--dry-run', 'say what would be asked and what it may cost; no call, nothing written')
    .option('--yes', 'spend up to the largest possible cost without asking; for scripts')
    .option('--confirm <digest>', 'spend what the dry run of this digest showed, and nothing else')
    .option('--limit <n>', 'ask at most n cells')
    .option(
      '--probe',
      'ask one pending cell of each route and say what came back: name, finish, usage, reasoning, cost',
    )
    .option('--retry <file>', 'ask these failed cells again and no others: one a line, as `ledger failures` prints')
    .option('--live', 'show completion, failures, cost and parse rates by model (no score)')
    .option('--max-wait <seconds>', 'longest Retry-After that is waited for, in seconds', '600')
    .option('--allow-unpinned', 'accept routes that could silently change; never ranked')
    .option('--ca <file>', 'PEM certificates of a private authority, trusted besides the public ones')
    .addOption(takeOverOption())
    .option('--agreement', 'print agreement of the repeat phase with the primary phase; no call')
    .option('--live-scores', 'with --agreement: also score differences; stamps the ledger scores_inspected for good')
    .option('--json', 'print the summary as JSON')
    .action((plan: string, flags: CollectFlags) => collect(plan, flags));
}
