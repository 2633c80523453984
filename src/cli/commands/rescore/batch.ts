import type { InputFile, RunFacts } from '../../../io/envelope.js';
import { addCounts, type BatchTotals, batchTotals, NO_COUNTS } from '../../../responses/batch/batch-totals.js';
import { type PartRecord, planDigest, tidyPartFolder } from '../../../responses/batch/part-folder.js';
import type { ScoringPlan } from '../../../responses/batch/part-sink.js';
import { openPartSource, type PartSource } from '../../../responses/batch/part-source.js';
import type { PartThreads } from '../../../responses/batch/part-threads.js';
import type { RowFormat } from '../../../responses/batch/row-table.js';
import type { PartDone, PartScorerStart } from '../../../responses/batch/score-part.js';
import { scoreParts } from '../../../responses/batch/score-parts.js';
import { parserFields } from '../../../responses/parser-contract.js';
import type { Task } from '../../../tasks/task.js';
import type { Shard } from '../../../util/shard.js';
import { VERSION } from '../../../util/version.js';
import { kernelsDigest } from '../../sharing/kernels-digest.js';
import {
  type BatchState,
  beginBatch,
  readBatchState,
  takeBatchFolder,
  unitsDigest,
  writeBatchState,
} from './batch-folder.js';
import { rateLine } from './rate.js';
import { writeSummary } from './summary-files.js';

/** What a batch is made of. */
export interface BatchOptions {
  readonly inputs: readonly string[];
  /** Tasks that are scored, and ids of others that may be answered. */
  readonly tasks: readonly Task[];
  readonly known: readonly string[];
  readonly plan: ScoringPlan;
  /** Threads that the caller opened, and closes; null: this one. */
  readonly threads: PartThreads | null;
  readonly keepRows?: boolean;
  readonly shard?: Shard | undefined;
  readonly partBytes?: number | undefined;
  /** Scores the parts elsewhere, in their order; absent: threads of this process do. */
  readonly elsewhere?: PartsElsewhere | undefined;
  onPart?(part: PartDone): void;
}

/** What has parts scored elsewhere. */
export interface PartsElsewhere {
  score(parts: PartSource, start: PartScorerStart): AsyncIterable<PartDone>;
  /** Who does it, for the line that shows how far it is. */
  who(): string;
  /** Who did it, for the document. */
  did(): RunFacts;
}

/** The parts of a batch in their order, added up. */
export async function runBatch(
  options: BatchOptions,
  source: PartSource,
  folder?: PartScorerStart['folder'],
): Promise<BatchTotals> {
  const { tasks, known, plan, threads, keepRows, elsewhere, onPart } = options;
  // Threads get what they read and no more: prompts are most of a task.
  const start: PartScorerStart = {
    tasks: tasks.map((task) => ({ ...task, prompt: '' })),
    known,
    plan,
    ...(folder ? { folder } : {}),
    ...(keepRows ? { keepRows } : {}),
  };
  const line = rateLine(source.sized ? source.bytes : 0);
  let sum = NO_COUNTS;
  let bytes = 0;
  try {
    const parts = elsewhere ? elsewhere.score(source, start) : scoreParts(source.parts(), start, threads);
    for await (const part of parts) {
      onPart?.(part);
      sum = addCounts([sum, part.counts]);
      bytes += part.bytes;
      line.update({ rows: sum.rows, bytes, passedOver: part.skipped, who: elsewhere?.who() });
    }
    return batchTotals(sum);
  } finally {
    line.stop();
  }
}

/** Where a batch with rows goes, and how. */
export interface FolderBatch extends BatchOptions {
  readonly folder: string;
  readonly format: RowFormat;
  readonly force: boolean;
  /** Task files and core plan, by their digests. */
  readonly planInputs: () => readonly InputFile[];
}

/** What became of a batch with rows. */
export interface FolderDone {
  readonly totals: BatchTotals;
  readonly parts: number;
  /** Of these, parts that had been done before. */
  readonly skipped: number;
  /** Parts of an earlier call that these inputs no longer have. */
  readonly removed: number;
  /** Whether the folder held the result of other inputs, which this one takes the place of. */
  readonly replaced: boolean;
  /** Its document. */
  readonly text: string;
}

/**
 * Scores a batch into a folder: parts that it holds already under the same digest are passed over, so a call that was stopped in any way goes on
 * where it stood. Errors: those of `takeBatchFolder`, of the readers, of rows where the plan is strict.
 */
export async function folderBatch(batch: FolderBatch): Promise<FolderDone> {
  const { inputs, tasks, known, plan, folder: path, format, shard, force } = batch;
  const program = {
    version: VERSION,
    kernels: kernelsDigest(),
    parser: parserFields(plan.parser).parser_sha256,
    format,
  };
  const digest = planDigest(tasks, new Set(known), plan, program);
  const release = await takeBatchFolder({ path, format }, { plan: digest, shard, force });
  try {
    const source = await openPartSource({ inputs, keyed: true, shard, partBytes: batch.partBytes });
    const state: Omit<BatchState, 'schema' | 'parts'> = {
      plan_sha256: digest,
      units_sha256: await unitsDigest(source.units),
      shard: shard ?? null,
      plan: {
        ...parserFields(plan.parser),
        tasks: tasks.length,
        compare: plan.compare,
        ignore_unknown: plan.ignoreUnknown,
        strict: plan.strict,
        format,
      },
      inputs: batch.planInputs(),
    };
    const earlier = readBatchState(path);
    const replaced = earlier !== undefined && earlier.parts !== null && earlier.units_sha256 !== state.units_sha256;
    beginBatch(path, state, force);
    const records: Omit<PartRecord, 'counts'>[] = [];
    let skipped = 0;
    const totals = await runBatch(
      {
        ...batch,
        onPart({ record, skipped: before }) {
          const { counts: _, ...rest } = record!;
          records.push(rest);
          skipped += before ? 1 : 0;
        },
      },
      source,
      { path, format, planDigest: digest },
    );
    const removed = tidyPartFolder({ path, format }, records);
    const own = {
      backend: 'wasm',
      threads: batch.threads?.threads ?? 1,
      reason: 'as asked, else the processors',
      warnings: [],
    };
    const run = batch.elsewhere?.did() ?? own;
    const text = writeSummary(path, { state, totals, records, run });
    writeBatchState(path, { ...state, parts: records.map(({ id }) => id) });
    return { totals, parts: records.length, skipped, removed, replaced, text };
  } finally {
    release();
  }
}
