import { createInterface } from 'node:readline/promises';
import type { LargestCost } from '../../../collect/largest-cost.js';
import { microsToUsd } from '../../../collect/money.js';
import type { CellJob } from '../../../collect/schedule.js';
import { fail } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { printNote } from '../../print.js';

interface ConfirmFlags {
  readonly yes?: boolean;
  readonly confirm?: string;
}

/** Says what a session can cost at most, at the prices of the plan. */
export function costWords({ cells, ceiling_micros, room_micros, largest_micros, unpriced }: LargestCost): string {
  const capped = room_micros < ceiling_micros ? ' (what the cap leaves)' : '';
  const unknown = unpriced.length === 0 ? '' : `, and what ${unpriced.join(', ')} costs, which the plan prices at 0`;
  return `${counted(cells, 'cell')} may cost up to ${microsToUsd(largest_micros)} USD${capped}${unknown}`;
}

/** Asks on the terminal; only y or yes is consent. */
async function consent(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/**
 * Has the largest possible cost confirmed before anything is spent: by `--yes`, by the digest of a dry run, or on the terminal. What costs
 * nothing is not asked about. Errors: USAGE without consent, or where the digest is of another plan, other cells or another balance.
 */
export async function confirmCost(cost: LargestCost, { yes, confirm }: ConfirmFlags): Promise<void> {
  if (cost.largest_micros === 0 && cost.unpriced.length === 0) return;
  const words = costWords(cost);
  if (confirm !== undefined) {
    if (confirm === cost.confirmation) return;
    fail(
      'USAGE',
      null,
      `--confirm ${confirm} is not this run: ${words} now, confirmation ${cost.confirmation}`,
      'Look at `collect --dry-run` again: the plan, the pending cells or the balance have changed.',
    );
  }
  if (yes) {
    printNote(words);
    return;
  }
  if (process.stdin.isTTY && process.stderr.isTTY && (await consent(`flavourbench: ${words}. Ask them? [y/N] `)))
    return;
  fail(
    'USAGE',
    null,
    `${words}, and nobody has agreed to that`,
    'Add --yes, or --confirm with the digest that `collect --dry-run` prints.',
  );
}

interface AgreedSession {
  readonly chosen: readonly CellJob[];
  readonly cost: LargestCost;
}

/**
 * Holds what a session is about to ask, once nobody else can write to its ledger, against what was agreed to before that. Errors: USAGE where it
 * asks other cells or may cost more.
 */
export function assertAgreed(agreed: AgreedSession, now: AgreedSession): void {
  const cells = new Set(agreed.chosen.map(({ binding }) => binding.cell));
  const others = now.chosen.filter(({ binding }) => !cells.has(binding.cell)).length;
  if (others === 0 && now.cost.largest_micros <= agreed.cost.largest_micros) return;
  fail(
    'USAGE',
    null,
    `the ledger changed after its cost was agreed to: ${costWords(now.cost)} now, ${counted(others, 'cell')} not among those agreed to`,
    'Nothing was asked. Run it again, and look at the cost anew.',
  );
}
