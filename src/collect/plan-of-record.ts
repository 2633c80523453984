import { existsSync } from 'node:fs';
import { storedFile } from '../io/file.js';
import { layout } from '../ledger/ledger-folder.js';
import type { ResponseRecord } from '../ledger/record.js';
import { fail } from '../util/error.js';
import type { Asked } from './asked.js';
import { type FrozenPlan, readFrozenPlan } from './frozen-plan.js';

/** What is read of a record to find the plan that asked it. */
type PlannedRecord = Pick<ResponseRecord, 'manifest_sha256' | 'key'>;

const RESTORE = 'Restore the manifest from a copy of the ledger; without it nobody can say how the model was asked.';

/**
 * Makes a reader that tells of each record of a ledger how it was asked, by the frozen plan that the record names and the ledger keeps; null
 * for a record of no plan, as an import is. Errors: LEDGER_DAMAGED (exit 4) where the plan is missing or says something else than the
 * record's key; those of `readFrozenPlan`.
 */
export function askedIn(dir: string): (record: PlannedRecord) => Asked | null {
  const plans = new Map<string, FrozenPlan>();
  const known = new Map<string, Asked>();
  const planOf = (sha256: string): FrozenPlan => {
    const before = plans.get(sha256);
    if (before) return before;
    const path = layout.frozenPlan(dir, sha256);
    if (!existsSync(path))
      fail('LEDGER_DAMAGED', { file: path }, 'records name this frozen plan; it is missing', RESTORE, { exit: 4 });
    const plan = readFrozenPlan(storedFile(path), sha256);
    plans.set(sha256, plan);
    return plan;
  };
  return ({ manifest_sha256: sha256, key }) => {
    if (sha256 === null) return null;
    const name = JSON.stringify([sha256, key.model_id, key.protocol_sha256]);
    const before = known.get(name);
    if (before) return before;
    const { routes, protocols } = planOf(sha256);
    const route = routes.find(({ model_id }) => model_id === key.model_id);
    if (route?.protocol_sha256 !== key.protocol_sha256)
      fail(
        'LEDGER_DAMAGED',
        { file: layout.frozenPlan(dir, sha256) },
        `binds ${key.model_id} to ${route?.protocol_sha256 ?? 'no protocol'}, a record of it to ${key.protocol_sha256}`,
        RESTORE,
        { exit: 4 },
      );
    const protocol = protocols.find((one) => one.name === route.protocol)!;
    const asked = { protocol, effort: route.effort, extra_body: route.extra_body };
    known.set(name, asked);
    return asked;
  };
}
