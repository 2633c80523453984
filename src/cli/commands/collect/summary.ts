import { microsToUsd } from '../../../collect/money.js';
import type { RunSummary } from '../../../collect/runner.js';
import { plain, printLine } from '../../print.js';

/** The end of a session in a few lines. */
export function printSummary(summary: RunSummary): void {
  const { status, asked, completed, failed, pending } = summary;
  printLine(
    `${status}: ${asked} asked, ${completed} completed, ${failed} failed; before: ${summary.already_completed} completed, ${summary.already_failed} failed (${summary.sealed_ambiguous} sealed now); ${pending} pending${summary.simulated ? '; SIMULATED answers among them' : ''}`,
  );
  printLine(
    `spent ${microsToUsd(summary.session_micros)} USD now, ${microsToUsd(summary.spent_micros)} USD in all, ${microsToUsd(summary.uncertain_micros)} USD uncertain, cap ${microsToUsd(summary.cap_micros)} USD`,
  );
  if (status === 'stopped_by_budget')
    printLine(
      'the cap leaves no room for the next request: raise the budget of the plan and run again',
    );
  const kinds = Object.entries(summary.failures);
  if (kinds.length > 0) printLine(kinds.map(([kind, n]) => `${kind} ${n}`).join(', '));
  for (const [model, reason] of Object.entries(summary.suspended)) {
    printLine(plain(`${model} rested: ${reason}`));
  }
  for (const [model, detail] of Object.entries(summary.rejections)) {
    if (!(model in summary.suspended)) printLine(plain(`${model} given up, the last: ${detail}`));
  }
}
