import { createInterface } from 'node:readline/promises';
import type { LargestCost } from '../../../collect/largest-cost.js';
import { microsToUsd } from '../../../collect/money.js';
import { fail } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { printNote } from '../../print.js';

interface ConfirmFlags {
  readonly yes?: boolean;
  readonly confirm?: string;
}

/** Says what a session can cost at most. */
export function costWords({ cells, ceiling_micros, room_micros, largest_micros }: LargestCost): string {
  const capped = room_micros < ceiling_micros ? ' (what the cap leaves)' : '';
  return `${counted(cells, 'cell')} may cost up to ${microsToUsd(largest_micros)} USD${capped}`;
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
  if (cost.largest_micros === 0) return;
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
