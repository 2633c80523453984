import { existsSync, realpathSync } from 'node:fs';
import { addCounts, type BatchTotals, batchTotals, NO_COUNTS } from '../../../responses/batch/batch-totals.js';
import {
  isUnbegun,
  keptPart,
  type PartRecord,
  recordedParts,
  takePart,
  tidyPartFolder,
} from '../../../responses/batch/part-folder.js';
import { fail } from '../../../util/error.js';
import { assertShards } from '../../sharing/merged-shards.js';
import { type BatchState, beginBatch, readBatchState, takeBatchFolder, writeBatchState } from './batch-folder.js';
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

/** Holds the parts that a shard lists against those that lie in it. Errors: SHARDS_INCOMPLETE. */
function assertLists(path: string, { parts }: BatchState): void {
  const odd = recordedParts(path).find((id) => !parts!.includes(id));
  if (odd === undefined) return;
  fail('SHARDS_INCOMPLETE', { file: path }, `holds part ${odd}, which it does not list`, 'Run that shard again.');
}

/**
 * Holds the folder that a merge writes against what is in it: nothing, the same batch, or with `force` anything but the shards themselves. Errors:
 * OUTPUT_EXISTS.
 */
function assertTakes(out: string, folders: readonly string[], whole: BatchState, force: boolean): void {
  if (!existsSync(out)) return;
  const shard = folders.find((folder) => realpathSync(folder) === realpathSync(out));
  if (shard !== undefined)
    fail('OUTPUT_EXISTS', { file: out }, 'is one of the shards that are put together', 'Choose another folder.');
  const before = readBatchState(out);
  const same =
    before?.shard === null && before.plan_sha256 === whole.plan_sha256 && before.units_sha256 === whole.units_sha256;
  if (force || same || isUnbegun(out)) return;
  fail(
    'OUTPUT_EXISTS',
    { file: out },
    before === undefined ? 'is not empty, and holds no batch' : 'holds another batch',
    'Choose another folder, or add --force to replace the batch in it.',
  );
}

/**
 * Puts the shards of a batch into one folder, as one call without shards would have written it. Every file is held against its digest first. A merge
 * that was stopped is called again. Errors: SHARDS_DIFFER, SHARDS_INCOMPLETE; OUTPUT_EXISTS for a folder with anything else in it, unless `force`;
 * OUTPUT_BUSY, OUTPUT_NOT_REGULAR.
 */
export async function mergeBatchFolders(folders: readonly string[], out: string, force = false): Promise<MergedBatch> {
  const shards = folders.map((path) => {
    const state = readBatchState(path);
    if (state === undefined)
      fail('SHARDS_DIFFER', { file: path }, 'holds no batch', 'Give the folders that `rescore --shard` wrote.');
    const work = `${state.plan_sha256} ${state.units_sha256}`;
    return { path, state, shard: state.shard, done: state.parts !== null, work };
  });
  assertShards(shards);
  const ordered = [...shards].sort((a, b) => a.shard!.index - b.shard!.index);
  const whole: BatchState = { ...ordered[0]!.state, shard: null, parts: null };
  assertTakes(out, folders, whole, force);
  for (const { path, state } of ordered) assertLists(path, state);
  const parts = ordered.flatMap(({ path, state }) => state.parts!.map((id) => ({ path, record: wholePart(path, id) })));
  const met = new Map<string, string>();
  let families: string | undefined;
  for (const { path, record } of parts) {
    const own = record.counts.tally.families;
    if (own.length > 0) families ??= own.join('\n');
    if (own.length > 0 && own.join('\n') !== families)
      fail(
        'SHARDS_DIFFER',
        { file: path },
        `part ${record.id} counts other families of tasks than those before it`,
        'Give what `rescore --shard` wrote.',
      );
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
  const records = parts.map(({ record: { counts: _, ...rest } }) => rest);
  const folder = { path: out, format: whole.plan.format };
  const release = await takeBatchFolder(folder, { plan: whole.plan_sha256, shard: undefined, force });
  try {
    beginBatch(out, whole, force);
    let sum = NO_COUNTS;
    for (const { path, record } of parts) {
      takePart(out, path, record);
      sum = addCounts([sum, record.counts]);
    }
    tidyPartFolder(folder, records);
    const totals = batchTotals(sum);
    const run = { backend: 'wasm', threads: 1, reason: `merged from ${shards.length} shards`, warnings: [] };
    const text = writeSummary(out, { state: whole, totals, records, run });
    writeBatchState(out, { ...whole, parts: records.map(({ id }) => id) });
    return { totals, state: whole, parts: records.length, text };
  } finally {
    release();
  }
}
