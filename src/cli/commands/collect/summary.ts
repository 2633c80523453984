import { microsToUsd } from '../../../collect/money.js';
import type { RunSummary } from '../../../collect/run-collection.js';
import { shardName } from '../../../ledger/ledger-shard.js';
import type { Shard } from '../../../util/shard.js';
import { shellWord } from '../../../util/text.js';
import { plain, printLine } from '../../print.js';

/** What was called, to say what to call next. */
interface CollectCall {
  readonly plan: string;
  readonly ledger: string;
  readonly phase?: string;
  readonly shard?: Shard;
  readonly ca?: string;
  readonly allowUnpinned?: boolean;
  readonly yes?: boolean;
}

/** The same call again, for a shell. */
function callText({ plan, ledger, phase, shard, ca, allowUnpinned, yes }: CollectCall): string {
  const words = [
    ...['flavourbench', 'collect', plan, '--ledger', ledger],
    ...(phase === undefined ? [] : ['--phase', phase]),
    ...(shard === undefined ? [] : ['--shard', shardName(shard)]),
    ...(ca === undefined ? [] : ['--ca', ca]),
    ...(allowUnpinned ? ['--allow-unpinned'] : []),
    ...(yes ? ['--yes'] : []),
  ];
  return words.map(shellWord).join(' ');
}

/** Prints the end of a session in a few lines. */
export function printSummary(summary: RunSummary, call: CollectCall): void {
  const { status, asked, completed, failed, pending } = summary;
  printLine(
    `${status}: ${asked} asked, ${completed} completed, ${failed} failed; before: ${summary.already_completed} completed, ${summary.already_failed} failed (${summary.sealed_ambiguous} sealed now); ${pending} pending${summary.simulated ? '; SIMULATED answers among them' : ''}`,
  );
  printLine(
    `spent ${microsToUsd(summary.session_micros)} USD now, ${microsToUsd(summary.spent_micros)} USD in all, ${microsToUsd(summary.uncertain_micros)} USD uncertain, cap ${microsToUsd(summary.cap_micros)} USD`,
  );
  if (status === 'stopped_by_budget')
    printLine(
      `the ${call.shard ? 'share of the cap' : 'cap'} leaves no room for the next request: raise the budget of the plan and run ${call.shard ? 'every shard ' : ''}again`,
    );
  const kinds = Object.entries(summary.failures);
  if (kinds.length > 0) printLine(kinds.map(([kind, n]) => `${kind} ${n}`).join(', '));
  for (const [model, reason] of Object.entries(summary.suspended)) {
    printLine(plain(`${model} rested: ${reason}`));
  }
  for (const [model, reason] of Object.entries(summary.unusable)) {
    printLine(plain(`${model}: no reply was usable, the last: ${reason}`));
  }
  const [cell] = Object.values(summary.unusable_cells);
  if (cell !== undefined) {
    printLine(plain(`what came back:  flavourbench ledger explain ${shellWord(call.ledger)} ${cell}`));
    printLine(plain(`one cell of each route, once the plan is right:  ${callText(call)} --probe`));
  }
  for (const [model, detail] of Object.entries(summary.rejections)) {
    const cells = summary.tally.models.get(model)?.pending ?? 0;
    if (!(model in summary.suspended))
      printLine(
        plain(`${model}: ${cells} ${cells === 1 ? 'cell stays' : 'cells stay'} pending, the last after: ${detail}`),
      );
  }
  printNext(summary, call);
}

/** The calls that take up what is left. */
function printNext(summary: RunSummary, call: CollectCall): void {
  const { failed, already_failed, pending, status } = summary;
  const collect = callText(call);
  if (pending > 0 && status !== 'stopped_by_budget')
    printLine(plain(`pending cells are asked by the next:  ${collect}`));
  const left = failed + already_failed;
  if (left === 0) return;
  const ambiguous = summary.sealed_ambiguous + (summary.failures.ambiguous ?? 0);
  printLine(
    `${left} failed ${left === 1 ? 'cell is' : 'cells are'} not asked again unless you say so${ambiguous > 0 ? `; ${ambiguous} of them may have been accepted and charged` : ''}:`,
  );
  printLine(plain(`  flavourbench ledger failures ${shellWord(call.ledger)} > retry.jsonl`));
  printLine(plain(`  ${collect} --retry retry.jsonl`));
}
