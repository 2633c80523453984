import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { microsToUsd } from '../../../collect/money.js';
import { liveScores } from '../../../core/ledger-records.js';
import { listInspections, stampInspection } from '../../../ledger/inspection.js';
import { shardName } from '../../../ledger/ledger-shard.js';
import { type LedgerStatus, ledgerStatus, type StatusCounts } from '../../../ledger/ledger-status.js';
import { viewLedger } from '../../../ledger/ledger-view.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { fail } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { takeOverOption, withLedger } from '../../open-ledger.js';
import { countOption } from '../../options.js';
import { printJson, printLine, printTable, printText } from '../../print.js';

interface StatusFlags {
  readonly by: string;
  readonly watch?: number;
  readonly liveScores?: boolean;
  readonly takeOver?: boolean;
  readonly tasks?: readonly string[];
  readonly json?: boolean;
}

const HEAD = ['done', 'failed', 'pending', 'open', 'parsed', 'USD', 'failures', 'unparsed'];

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
}

function kinds(counts: Readonly<Record<string, number>>): string {
  const found = Object.entries(counts).filter(([name]) => name !== 'ok');
  found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return found.map(([name, count]) => `${name} ${count}`).join(', ') || '-';
}

function cellsOf(counts: StatusCounts): (string | number)[] {
  const begun = counts.completed + counts.failed;
  return [
    `${counts.completed}/${counts.scheduled}`,
    counts.failed,
    Math.max(0, counts.scheduled - begun - counts.open),
    counts.open,
    percent(counts.parseable, counts.completed),
    microsToUsd(counts.cost_micros),
    kinds(counts.failures),
    kinds(counts.parses),
  ];
}

function printStatus(status: LedgerStatus, by: string): void {
  if (by === 'stratum') {
    printTable(
      ['phase', 'model', 'panel', 'family', ...HEAD],
      status.rows.map((r) => [r.phase, r.model_id, r.panel, r.family, ...cellsOf(r)]),
    );
  } else {
    printTable(
      ['phase', 'model', ...HEAD],
      status.models.map((m) => [m.phase, m.model_id, ...cellsOf(m)]),
    );
  }
  const { total, spending } = status;
  printLine(
    `${total.completed} completed, ${total.failed} failed, ${total.open} open of ${total.scheduled}; ` +
      `${microsToUsd(spending.spent_micros)} USD booked, ${microsToUsd(spending.uncertain_micros)} USD uncertain, ${spending.stated_tokens} tokens`,
  );
  const { shard } = status;
  if (shard !== null)
    printLine(
      `shard ${shardName(shard)} of plan ${shard.manifest_sha256}: ${microsToUsd(shard.share_micros)} of ${microsToUsd(shard.cap_micros)} USD`,
    );
  for (const [where, part] of [
    ['in quarantine', spending.quarantined],
    ['of requests without a record', spending.open],
    ['of requests that a salvage left without one', spending.salvaged],
  ] as const)
    if (part.spent_micros + part.uncertain_micros > 0) {
      const tokens = 'stated_tokens' in part ? `, ${part.stated_tokens} tokens` : '';
      printLine(
        `of that ${where}: ${microsToUsd(part.spent_micros)} USD booked, ${microsToUsd(part.uncertain_micros)} USD uncertain${tokens}`,
      );
    }
  if (total.reasoned > 0) printLine(`inline reasoning in ${counted(total.reasoned, 'answer')}, passed over`);
  if (total.implausible > 0)
    printLine(
      `${counted(total.implausible, 'answer')} came with a cost or a number of tokens that cannot be: booked at the reservation`,
    );
  if (total.superseded > 0) printLine(`${total.superseded} superseded records kept`);
  if (status.quarantined_blocks > 0)
    printLine(`${status.quarantined_records} records of ${status.quarantined_blocks} superseded blocks in quarantine`);
  if (status.simulated) printLine('SIMULATED answers among them');
  if (status.scores_inspected > 0)
    printLine(`scores_inspected: ${status.scores_inspected} times; core freeze will say so`);
  if (status.journal.torn_bytes > 0)
    printLine(`the last journal line is torn (${status.journal.torn_bytes} bytes); the next writer repairs it`);
}

async function openLive(dir: string, flags: StatusFlags) {
  const { tasks } = flags;
  if (!tasks) {
    fail('USAGE', null, '--live-scores needs the score maps', 'Give --tasks FILE...');
  }
  const { byId } = readTaskFiles(tasks);
  viewLedger(dir);
  const stamp = await withLedger(dir, flags, (ledger) =>
    stampInspection(ledger, { at: new Date().toISOString(), records: ledger.state.totals.records }),
  );
  return { stamp, scores: liveScores(viewLedger(dir), byId) };
}

async function show(dir: string, flags: StatusFlags): Promise<void> {
  const live = flags.liveScores ? await openLive(dir, flags) : undefined;
  const status = ledgerStatus(viewLedger(dir), listInspections(dir));
  if (flags.json) {
    printJson(live ? { ...status, live } : status);
    return;
  }
  printStatus(status, flags.by);
  if (!live) return;
  printTable(
    ['model', 'panel', 'family', 'answers', 'mean so far'],
    live.scores.map((s) => [s.model_id, s.panel, s.family, s.answers, s.mean.toFixed(2)]),
  );
  printLine(`this ledger is now stamped scores_inspected (${live.stamp})`);
}

/** Reads the seconds between two prints. */
function secondsOption(text: string): number {
  const seconds = countOption(text);
  if (seconds > 86_400) throw new InvalidArgumentError('At most 86400 seconds are waited.');
  return seconds;
}

/** Adds `ledger status`. */
export function registerStatus(ledger: Command): void {
  ledger
    .command('status')
    .argument('<dir>', 'ledger folder')
    .description(
      'Completion, failures by kind, cost and parse rates; no score. Works while a run writes, but for --live-scores.',
    )
    .option('--by <what>', 'a row each `model` or `stratum` (phase, panel, family)', 'model')
    .option('--watch <seconds>', 'print again every so many seconds, at most a day', secondsOption)
    .option('--live-scores', 'also print mean scores; stamps the ledger scores_inspected for good')
    .option('--tasks <files...>', 'task sets, for --live-scores')
    .addOption(takeOverOption())
    .option('--json', 'print JSON')
    .action(async (dir: string, flags: StatusFlags) => {
      if (flags.by !== 'model' && flags.by !== 'stratum') {
        fail('USAGE', null, `--by ${flags.by} is not known`, 'Use --by model or --by stratum.');
      }
      await show(dir, flags);
      while (flags.watch !== undefined) {
        await sleep(flags.watch * 1000);
        if (process.stdout.isTTY) printText('\u001b[2J\u001b[H');
        await show(dir, flags);
      }
    });
}
