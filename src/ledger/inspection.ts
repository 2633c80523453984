import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson, sealed } from '../io/canonical.js';
import { writeOnce } from '../io/file.js';
import { fail } from '../util/error.js';
import { count, nonEmptyText } from '../util/schema.js';
import type { LedgerEvent } from './journal-event.js';
import { layout, onDisk } from './ledger-folder.js';
import type { LedgerView } from './ledger-view.js';
import { sealedDocument } from './stored-document.js';

const INSPECTION_SCHEMA = 'flavourbench-inspection/1';

/** A stamp as it is stored. */
const inspectionSchema = z.looseObject({
  schema: z.literal(INSPECTION_SCHEMA),
  at: nonEmptyText,
  records: count,
  scores_inspected: z.literal(true),
});

const STAMP = /^inspection-([0-9a-f]{64})\.json$/;

/** What enters a stamp: the one writer of a ledger. */
interface StampedLedger {
  readonly dir: string;
  book(event: LedgerEvent & { readonly type: 'scores_inspected' }): Promise<unknown>;
}

/**
 * Marks a ledger as one whose scores were looked at (collection 1.17): a file of its own, and a line in the journal's chain, which every later
 * line follows. Resolves to the digest of the stamp once both are on the disk, so that no score is shown before. A stamp whose line was
 * not written because the process was killed is entered by the next writer.
 */
export async function stampInspection(
  ledger: StampedLedger,
  options: { readonly at: string; readonly records: number },
): Promise<string> {
  const { dir } = ledger;
  const stamp = sealed({
    schema: INSPECTION_SCHEMA,
    at: options.at,
    records: options.records,
    scores_inspected: true,
  });
  const name = `inspection-${stamp.artifact_sha256}.json`;
  const path = join(layout.inspections(dir), name);
  onDisk(dir, () => writeOnce(path, `${canonicalJson(stamp)}\n`));
  await ledger.book({ type: 'scores_inspected', stamp_sha256: stamp.artifact_sha256 });
  return stamp.artifact_sha256;
}

/** Lists the digests of the stamps in the folder, sorted. */
export function listInspections(dir: string): string[] {
  const folder = layout.inspections(dir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => STAMP.exec(name)?.[1])
    .filter((sha256) => sha256 !== undefined)
    .sort();
}

/** Proves a stamp: that it is there, and what was written. Errors: INPUT_NOT_FOUND, SCHEMA_INVALID, DIGEST_MISMATCH. */
export function proveInspection(dir: string, sha256: string): void {
  sealedDocument(join(layout.inspections(dir), `inspection-${sha256}.json`), inspectionSchema);
}

/**
 * Counts how often scores of a ledger were looked at, and proves that journal and stamps say the same. Errors: LEDGER_DAMAGED (exit 4) where
 * a stamp is gone that the journal tells of, DIGEST_MISMATCH where one was altered; INCOMPLETE (exit 3) for one that the journal does
 * not tell of, as a program of version 0.1.0 or a killed one leaves it.
 */
export function countInspections({ dir, state }: Pick<LedgerView, 'dir' | 'state'>): number {
  const stamps = listInspections(dir);
  const gone = [...state.inspections].find((sha256) => !stamps.includes(sha256));
  if (gone !== undefined)
    fail(
      'LEDGER_DAMAGED',
      { file: layout.inspections(dir) },
      `stamp ${gone} is missing: the journal tells that scores were looked at`,
      'Restore the folder from a copy; a look at scores cannot be undone.',
      { exit: 4 },
    );
  for (const sha256 of stamps) proveInspection(dir, sha256);
  const waiting = stamps.filter((sha256) => !state.inspections.has(sha256)).length;
  if (waiting > 0)
    fail(
      'INCOMPLETE',
      { file: layout.inspections(dir) },
      `${waiting} of ${stamps.length} looks at scores are not in the journal yet`,
      `Run \`ledger seal ${dir}\`, which enters them.`,
      { exit: 3 },
    );
  return stamps.length;
}
