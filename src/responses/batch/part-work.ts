import type { FlavourError } from '../../util/error.js';
import type { CsvColumns } from '../csv-answers.js';
import type { RowRange } from '../rescore-arrow.js';

/** Line feeds of each part of a file, by its place; -1 where it was not read yet. Shared by threads. */
export type LineCounts = Int32Array<SharedArrayBuffer>;

/** The lines that begin in a range of bytes of a file. */
export interface RangeWork {
  readonly form: 'range';
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Place of the range among those of its file, whose lines are counted in `feeds`. */
  readonly place: number;
  readonly feeds: LineCounts;
}

/** The same with the lines in memory. */
export interface HeldWork {
  readonly form: 'held';
  /** Lines are `bytes[start, end)`. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  /** The last line of the range, where it is longer than a line may be; it is in no bytes. */
  readonly tooLong: { readonly line: number; readonly error: FlavourError } | null;
}

/** What one thread does at a time: a piece of an input that can be scored by itself. */
export type PartWork = {
  /** Place among the parts of the batch: those of one input follow one another, and ids sort as texts. */
  readonly id: string;
  /** The file as the call named it. */
  readonly name: string;
} & (
  | RangeWork
  | HeldWork
  | { readonly form: 'lines'; readonly bytes: Uint8Array<ArrayBuffer>; readonly firstLine: number }
  | {
      readonly form: 'csv';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly firstLine: number;
      readonly firstRow: number;
      readonly columns: CsvColumns;
    }
  | { readonly form: 'document'; readonly bytes: Uint8Array<ArrayBuffer> }
  | {
      readonly form: 'arrow' | 'parquet';
      readonly path: string;
      /** Bytes of its share of the file. */
      readonly bytes: number;
      /** Digest of the whole file; empty where nothing is kept of it. */
      readonly sha256: string;
      /** Absent: all of it, as of a stream of Arrow. */
      readonly some?: RowRange;
    }
);
