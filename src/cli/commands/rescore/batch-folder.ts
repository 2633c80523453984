import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalDigest } from '../../../io/canonical.js';
import { sha256 } from '../../../io/digest.js';
import type { InputFile } from '../../../io/envelope.js';
import { inputStat } from '../../../io/file.js';
import { withFileSource } from '../../../io/read-file.js';
import { assertOutside } from '../../../io/write/guard.js';
import { makeFolder } from '../../../io/write/temporary.js';
import { kernelLock } from '../../../ledger/kernel-lock.js';
import type { Unit } from '../../../responses/batch/input-units.js';
import {
  forgetParts,
  isUnbegun,
  openPartFolder,
  PART_ID,
  type PartFolder,
  putWhole,
  readStated,
} from '../../../responses/batch/part-folder.js';
import type { RowFormat } from '../../../responses/batch/row-table.js';
import { parserNamed } from '../../../responses/parser.js';
import { fail } from '../../../util/error.js';
import { positiveCount, sha256Text } from '../../../util/schema.js';
import { MOST_SHARDS, type Shard } from '../../../util/shard.js';

const SCHEMA = 'flavourbench-rescore-batch-v1';

/** The plan of a batch as its document states it. */
export interface StatedBatchPlan {
  readonly parser: string;
  readonly parser_sha256: string;
  readonly tasks: number;
  readonly compare: readonly string[];
  readonly ignore_unknown: boolean;
  readonly strict: boolean;
  readonly format: RowFormat;
}

/** What a folder says of the batch in it. */
export interface BatchState {
  readonly schema: typeof SCHEMA;
  /** Digest of what decides the rows: tasks, parser, form, program. */
  readonly plan_sha256: string;
  /** Digest of the inputs by name, size and both ends, and of their units: equal for the shards of one batch. */
  readonly units_sha256: string;
  readonly shard: Shard | null;
  /** As its document states them. */
  readonly plan: StatedBatchPlan;
  /** Task files and core plan, by their digests. */
  readonly inputs: readonly InputFile[];
  /** Ids of the parts, in order, once all are done. */
  readonly parts: readonly string[] | null;
}

/** Bytes at each end of an input that tell it from another of its name and size. */
const ENDS = 65_536;

/** Digest of both ends of a file; null for a pipe, which has none to go back to. */
async function endsDigest(name: string): Promise<string | null> {
  if (inputStat(name)?.size === undefined) return null;
  return withFileSource(name, async (source) => {
    const { size } = source;
    const most = Math.min(size, ENDS);
    const head = Buffer.from(source.read(0, most));
    const tail = source.read(size - most, most);
    return sha256(Buffer.concat([head, tail]));
  });
}

/** Digest of the units of a batch, and of both ends of the inputs that they are of. */
export async function unitsDigest(units: readonly Unit[]): Promise<string> {
  const ends: [string, string | null][] = [];
  for (const name of new Set(units.map((unit) => unit.name))) ends.push([name, await endsDigest(name)]);
  return canonicalDigest([
    units.map(({ name, bytes, work }) => [name, bytes, work.form, 'some' in work ? (work.some ?? null) : null]),
    ends,
  ]);
}

const statePath = (folder: string): string => join(folder, 'batch.json');

const stateSchema = z.looseObject({
  schema: z.literal(SCHEMA),
  plan_sha256: sha256Text,
  units_sha256: sha256Text,
  shard: z
    .object({ index: positiveCount, count: positiveCount.max(MOST_SHARDS) })
    .refine(({ index, count }) => index <= count)
    .nullable(),
  plan: z.looseObject({ parser: z.string().refine((name) => parserNamed(name) !== undefined) }),
  inputs: z.array(z.looseObject({ sha256: sha256Text })),
  parts: z.array(z.string().regex(PART_ID)).nullable(),
});

/** Reads what a folder says of the batch in it; undefined where it holds none, or what no batch can be. */
export function readBatchState(folder: string): BatchState | undefined {
  try {
    const state: unknown = readStated(statePath(folder));
    return stateSchema.safeParse(state).success ? (state as BatchState) : undefined;
  } catch {
    return undefined;
  }
}

/** Removes what sums up a batch that another one takes the place of: beside rows of the new one it would look like theirs. */
function dropSummary(folder: string): void {
  for (const name of ['summary.json', 'summary.csv', 'near-misses.json']) rmSync(join(folder, name), { force: true });
}

/**
 * Begins a batch in a folder: it says so before anything of an earlier one goes, so that on a full disk that one stays. `afresh` does every part
 * again; what summed up another batch is removed.
 */
export function beginBatch(folder: string, state: Omit<BatchState, 'schema' | 'parts'>, afresh: boolean): void {
  const earlier = readBatchState(folder);
  const same = earlier?.plan_sha256 === state.plan_sha256 && earlier.units_sha256 === state.units_sha256;
  writeBatchState(folder, { ...state, parts: null });
  if (afresh) forgetParts(folder);
  if (!same) dropSummary(folder);
}

/** Writes what a folder says of the batch in it. */
export function writeBatchState(folder: string, state: Omit<BatchState, 'schema'>): void {
  putWhole(folder, 'batch.json', `${JSON.stringify({ schema: SCHEMA, ...state })}\n`);
}

/**
 * Takes a folder for a batch, one process at a time: an empty one, or one in which the same batch was begun. Returns what gives it back. Errors:
 * OUTPUT_EXISTS for a folder with anything else in it, unless `force`; OUTPUT_BUSY while another process writes to it; OUTPUT_NOT_REGULAR for a link in it.
 */
export async function takeBatchFolder(
  folder: PartFolder,
  { plan, shard, force }: { readonly plan: string; readonly shard: Shard | undefined; readonly force: boolean },
): Promise<() => void> {
  const { path } = folder;
  assertOutside(path);
  const state = readBatchState(path);
  const same = state?.plan_sha256 === plan && JSON.stringify(state.shard) === JSON.stringify(shard ?? null);
  if (!same && !force && !isUnbegun(path))
    fail(
      'OUTPUT_EXISTS',
      { file: path },
      state === undefined
        ? 'is not empty, and holds no batch'
        : 'holds a batch of other tasks, options or another shard',
      'Choose another folder, or add --force to do every part again.',
    );
  makeFolder(path);
  const handle = openSync(join(path, '.lock'), 'a+');
  if ((await kernelLock(handle)) === 'busy') {
    closeSync(handle);
    fail('OUTPUT_BUSY', { file: path }, 'another process writes this batch', 'Wait for it, or choose another folder.');
  }
  try {
    openPartFolder(folder);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  return () => closeSync(handle);
}
