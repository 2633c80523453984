import { withFileSource } from '../../io/read-file.js';
import { decodeText } from '../../io/utf8.js';
import type { Task } from '../../tasks/task.js';
import { documentAnswers } from '../answer-rows.js';
import { scoreCsv } from '../csv-answers.js';
import { rescoreBlocks, scoreRow } from '../rescore.js';
import { contentBytes, type LoadedWork, loadedWork, workKey } from './part-content.js';
import { donePart, type PartFolder, type PartRecord, writePart } from './part-folder.js';
import { type PartCounts, type PartRows, type PartSink, partSink, type ScoringPlan } from './part-sink.js';
import type { PartWork } from './part-work.js';
import { heldBlocks } from './range-lines.js';

/** What a thread that scores parts is opened with; plain data. */
export interface PartScorerStart {
  readonly tasks: readonly Task[];
  /** Ids of other tasks that may be answered. */
  readonly known: readonly string[];
  readonly plan: ScoringPlan;
  /** Where the rows go, and the digest of what decides them; absent: only counts are made. */
  readonly folder?: PartFolder & { readonly planDigest: string };
  /** Gives the rows back, for a caller in the same thread. */
  readonly keepRows?: boolean;
}

/** A part that is done. */
export interface PartDone {
  readonly id: string;
  /** Bytes of its content. */
  readonly bytes: number;
  readonly counts: PartCounts;
  /** What the folder keeps of it. */
  readonly record?: PartRecord;
  /** It had been done before. */
  readonly skipped: boolean;
  /** Its rows, where they were asked for: valid until the next part. */
  readonly rows?: PartRows;
}

/** Scores a part whose content is at hand. */
async function scored(work: LoadedWork, sink: PartSink): Promise<void> {
  const { name } = work;
  switch (work.form) {
    case 'held': {
      const { tooLong } = work;
      await rescoreBlocks(heldBlocks(work, sink.kernel), name, sink);
      if (tooLong === null) return;
      if (sink.bad === undefined) throw tooLong.error;
      sink.bad(tooLong.error, { file: name, line: tooLong.line });
      return;
    }
    case 'lines': {
      const { bytes, firstLine } = work;
      await rescoreBlocks([{ bytes, start: 0, end: bytes.length, firstLine }], name, sink);
      return;
    }
    case 'csv': {
      const { bytes, firstLine, firstRow, columns } = work;
      scoreCsv({ bytes, firstLine, firstRow, ...columns }, name, sink);
      return;
    }
    case 'document':
      for (const answered of documentAnswers(decodeText(name, work.bytes), name))
        scoreRow(sink, answered, answered.answer);
      return;
    default: {
      const { path, form, some } = work;
      if (form === 'arrow') {
        const { rescoreArrow } = await import('../rescore-arrow.js');
        await withFileSource(path, (source) => rescoreArrow(source, name, sink, some));
      } else {
        const { rescoreParquet } = await import('../rescore-parquet.js');
        await withFileSource(path, (source) => rescoreParquet(source, name, sink, some));
      }
    }
  }
}

/** Opens what scores parts in this thread, one after another. Errors: those of its kernel; of the readers, and of rows where the plan is strict. */
export function partScorer(start: PartScorerStart): (work: PartWork) => Promise<PartDone> {
  const { tasks, known, plan, folder, keepRows = folder !== undefined } = start;
  const sink = partSink({ tasks, known: new Set(known), plan, keepRows });
  return async (work) => {
    const { id, name } = work;
    sink.take();
    const part = await loadedWork(work, sink.kernel);
    const bytes = contentBytes(part);
    if (folder === undefined) {
      await scored(part, sink);
      const rows = sink.take();
      return { id, bytes, counts: rows.counts, skipped: false, ...(keepRows ? { rows } : {}) };
    }
    const key = workKey(part, folder.planDigest);
    const before = donePart(folder, id, key);
    if (before) return { id, bytes, counts: before.counts, record: before, skipped: true };
    await scored(part, sink);
    const rows = sink.take();
    const record = await writePart(folder, { id, key, name, bytes }, rows, tasks);
    return { id, bytes, counts: rows.counts, record, skipped: false };
  };
}
