import { existsSync } from 'node:fs';
import { layout } from '../ledger/ledger-folder.js';
import type { LedgerView } from '../ledger/ledger-view.js';
import { fail } from '../util/error.js';
import { readFrozenPlan } from './frozen-plan.js';
import { capsOfBudget } from './plan-share.js';

const FROM_A_COPY = 'Restore the ledger from a copy.';

/**
 * Holds the caps that a ledger of shards states against the frozen plan that it names, which lies in it. Errors: LEDGER_DAMAGED (exit 4) where
 * they differ, or where that plan is gone; those of `readFrozenPlan`.
 */
export function assertShardCaps({ dir, state }: Pick<LedgerView, 'dir' | 'state'>): void {
  for (const { manifest_sha256, cap_micros, cap_tokens } of state.shards.values()) {
    const file = layout.frozenPlan(dir, manifest_sha256);
    if (!existsSync(file))
      fail('LEDGER_DAMAGED', { file }, 'is missing: the plan of a shard', FROM_A_COPY, { exit: 4 });
    const { micros, tokens } = capsOfBudget(readFrozenPlan(file, manifest_sha256).budget);
    if (micros === cap_micros && tokens === cap_tokens) continue;
    fail(
      'LEDGER_DAMAGED',
      { file: layout.journal(dir) },
      `says that its plan has a cap of ${cap_micros} micro-USD and ${cap_tokens} tokens; it has ${micros} and ${tokens}`,
      FROM_A_COPY,
      { exit: 4 },
    );
  }
}
