import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson, sealed } from '../io/canonical.js';
import { writeOnce } from '../io/file.js';
import { count, nonEmptyText } from '../util/schema.js';
import { layout, onDisk } from './ledger-folder.js';

const INSPECTION_SCHEMA = 'flavourbench-inspection/1';

/** A stamp as it is stored. */
export const inspectionSchema = z.looseObject({
  schema: z.literal(INSPECTION_SCHEMA),
  at: nonEmptyText,
  records: count,
  scores_inspected: z.literal(true),
});

const STAMP = /^inspection-([0-9a-f]{64})\.json$/;

/**
 * Marks a ledger as one whose scores were looked at before the core was frozen. The stamp is a file of its own, so that it can be
 * set while a run holds the lock; the next writer enters it in the journal. Returns its digest.
 */
export function stampInspection(dir: string, options: { readonly at: string; readonly records: number }): string {
  const stamp = sealed({
    schema: INSPECTION_SCHEMA,
    at: options.at,
    records: options.records,
    scores_inspected: true,
  });
  const name = `inspection-${stamp.artifact_sha256}.json`;
  const path = join(layout.inspections(dir), name);
  onDisk(dir, () => writeOnce(path, `${canonicalJson(stamp)}\n`));
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
