import { existsSync, readdirSync } from 'node:fs';
import { addCounts, type BatchTotals, batchTotals, NO_COUNTS } from '../../../responses/batch/batch-totals.js';
import { keptPart, type PartRecord, takePart } from '../../../responses/batch/part-folder.js';
import { fail } from '../../../util/error.js';
import { assertShards } from '../../sharing/merged-shards.js';
import { type BatchState, readBatchState, writeBatchState } from './batch-folder.js';
import { writeSummary } from './summary-files.js';

/** What the shards of a batch came to. */
interface MergedBatch {
  readonly totals: BatchTotals;
  readonly state: BatchState;
  readonly parts: number;
  readonly text: string;
}

/** Reads a part as it was written. Errors: SHARDS_INCOMPLETE. */
function wholePart(path: string, id: string): PartRecord {
  const record = keptPart(path, id);
  if (record !== undefined) return record;
  fail(
    'SHARDS_INCOMPLETE',
    { file: path },
    `part ${id} is missing or was changed since it was written`,
    'Run that shard again: it does the part anew.',
  );
}

/**
 * Puts the shards of a batch into one folder, as one call without shards would have written it. Every file is held against its digest first. Errors:
 * SHARDS_DIFFER, SHARDS_INCOMPLETE; OUTPUT_EXISTS for a folder that is not empty.
 */
export function mergeBatchFolders(folders: readonly string[], out: string): MergedBatch {
  const shards = folders.map((path) => {
    const state = readBatchState(path);
    if (state === undefined)
      fail('SHARDS_DIFFER', { file: path }, 'holds no batch', 'Give the folders that `rescore --shard` wrote.');
    const work = `${state.plan_sha256} ${state.units_sha256}`;
    return { path, state, shard: state.shard, done: state.parts !== null, work };
  });
  assertShards(shards);
  if (existsSync(out) && readdirSync(out).length > 0)
    fail('OUTPUT_EXISTS', { file: out }, 'is not empty', 'Choose another folder.');
  const ordered = [...shards].sort((a, b) => a.shard!.index - b.shard!.index);
  const parts = ordered.flatMap(({ path, state }) => state.parts!.map((id) => ({ path, record: wholePart(path, id) })));
  const met = new Map<string, string>();
  for (const { path, record } of parts) {
    const other = met.get(record.id);
    if (other !== undefined)
      fail(
        'SHARDS_DIFFER',
        { file: path },
        `holds part ${record.id}, as ${other} does`,
        'Give what `rescore --shard` wrote.',
      );
    met.set(record.id, path);
  }
  let sum = NO_COUNTS;
  for (const { path, record } of parts) {
    takePart(out, path, record);
    sum = addCounts([sum, record.counts]);
  }
  const records = parts.map(({ record: { counts: _, ...rest } }) => rest);
  const totals = batchTotals(sum);
  const { schema: _, ...state } = ordered[0]!.state;
  const run = { backend: 'wasm', threads: 1, reason: `merged from ${shards.length} shards`, warnings: [] };
  const text = writeSummary(out, { state, totals, records, run });
  const whole = { ...state, shard: null, parts: records.map(({ id }) => id) };
  writeBatchState(out, whole);
  return { totals, state: ordered[0]!.state, parts: records.length, text };
}
