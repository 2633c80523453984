import { createHash } from 'node:crypto';
import { withFileSource } from '../../io/read-file.js';
import { decodeText } from '../../io/utf8.js';
import type { Task } from '../../tasks/task.js';
import { documentAnswers } from '../answer-rows.js';
import { rescoreBlocks, scoreRow } from '../rescore.js';
import { scoreCsv } from './csv-answers.js';
import { donePart, type PartFolder, type PartRecord, partKey, writePart } from './part-folder.js';
import { type PartCounts, type PartRows, type PartSink, partSink, type ScoringPlan } from './part-sink.js';
import type { PartWork } from './part-work.js';
import { firstLineOf, rangeLines } from './range-lines.js';

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

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A part whose content is at hand: its bytes, its digest, the place of its first row, and what scores it. */
interface LoadedPart {
  readonly bytes: number;
  readonly content: () => string;
  readonly line: number;
  readonly row: number;
  score(): Promise<void>;
}

function loaded(work: PartWork, sink: PartSink): LoadedPart {
  const { name } = work;
  switch (work.form) {
    case 'range': {
      const { bytes, start, end, feeds, tooLong } = rangeLines(work, name, sink.kernel.room);
      const firstLine = firstLineOf(work.feeds, work.place, feeds);
      return {
        bytes: end - start,
        content: () => digest(bytes.subarray(start, end)),
        line: firstLine,
        row: 0,
        async score() {
          if (end > start) await rescoreBlocks([{ bytes, start, end, firstLine }], name, sink);
          if (tooLong === undefined) return;
          if (sink.bad === undefined) throw tooLong;
          sink.bad(tooLong, { file: name, line: firstLine + feeds - 1 });
        },
      };
    }
    case 'lines': {
      const { bytes, firstLine } = work;
      const blocks = [{ bytes, start: 0, end: bytes.length, firstLine }];
      const score = () => rescoreBlocks(blocks, name, sink);
      return { bytes: bytes.length, content: () => digest(bytes), line: firstLine, row: 0, score };
    }
    case 'csv': {
      const { bytes, firstLine, firstRow, columns } = work;
      const block = { bytes, firstLine, firstRow, ...columns };
      const content = () => digest(Buffer.concat([Buffer.from(JSON.stringify(columns)), bytes]));
      const score = async () => scoreCsv(block, name, sink);
      return { bytes: bytes.length, content, line: firstLine, row: firstRow, score };
    }
    case 'document': {
      const { bytes } = work;
      return {
        bytes: bytes.length,
        content: () => digest(bytes),
        line: 1,
        row: 1,
        async score() {
          for (const answered of documentAnswers(decodeText(name, bytes), name))
            scoreRow(sink, answered, answered.answer);
        },
      };
    }
    default: {
      const { path, form, some, sha256 } = work;
      return {
        bytes: work.bytes,
        content: () => digest(Buffer.from(JSON.stringify([sha256, some ?? null]))),
        line: 0,
        row: 1 + (some?.before ?? 0),
        async score() {
          if (form === 'arrow') {
            const { rescoreArrow } = await import('../rescore-arrow.js');
            await withFileSource(path, (source) => rescoreArrow(source, name, sink, some));
          } else {
            const { rescoreParquet } = await import('../rescore-parquet.js');
            await withFileSource(path, (source) => rescoreParquet(source, name, sink, some));
          }
        },
      };
    }
  }
}

/** Opens what scores parts in this thread, one after another. Errors: those of its kernel; of the readers, and of rows where the plan is strict. */
export function partScorer(start: PartScorerStart): (work: PartWork) => Promise<PartDone> {
  const { tasks, known, plan, folder, keepRows = folder !== undefined } = start;
  const sink = partSink({ tasks, known: new Set(known), plan, keepRows });
  return async (work) => {
    const { id, name, form } = work;
    sink.take();
    const part = loaded(work, sink);
    const { bytes, line, row } = part;
    if (folder === undefined) {
      await part.score();
      const rows = sink.take();
      return { id, bytes, counts: rows.counts, skipped: false, ...(keepRows ? { rows } : {}) };
    }
    const key = partKey(part.content(), { name, form, line, row }, folder.planDigest);
    const before = donePart(folder, id, key);
    if (before) return { id, bytes, counts: before.counts, record: before, skipped: true };
    await part.score();
    const rows = sink.take();
    const record = await writePart(folder, { id, key, name, bytes }, rows, tasks);
    return { id, bytes, counts: rows.counts, record, skipped: false };
  };
}
