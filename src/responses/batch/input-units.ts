import { arrowBatchRows } from '../../io/arrow/arrow-messages.js';
import { arrowInvalid } from '../../io/arrow.js';
import { inputStat } from '../../io/file.js';
import { answersBudget } from '../../io/held/table-bound.js';
import { withFileSource } from '../../io/read-file.js';
import type { Shard } from '../../util/shard.js';
import { isRowFile, responseForm } from '../answer-file.js';
import { tableOf } from '../csv-answers.js';
import type { RowRange } from '../rescore-arrow.js';
import { openStream, packing } from './byte-stream.js';

/** Bytes of a part; one constant, so that parts stay the same when a file grows. */
export const PART_BYTES = 16 * 1024 * 1024;

/** A piece of an input that is a part, or a stream that becomes several when it is read. */
export interface Unit {
  readonly name: string;
  readonly bytes: number;
  readonly work:
    | { readonly form: 'stream' }
    | {
        readonly form: 'range';
        readonly from: number;
        readonly to: number;
        readonly place: number;
        readonly ranges: number;
      }
    | { readonly form: 'arrow' | 'parquet'; readonly some?: RowRange };
}

/** Ranges of items, of which each holds about `bytes` of a file. */
function itemRanges(rows: readonly number[], size: number, bytes: number): (RowRange & { readonly bytes: number })[] {
  const total = rows.reduce((sum, n) => sum + n, 0);
  const most = Math.max(1, Math.ceil((total * bytes) / Math.max(1, size)));
  const ranges: (RowRange & { bytes: number })[] = [];
  let from = 0;
  let before = 0;
  for (let held = 0, to = 1; to <= rows.length; to += 1) {
    held += rows[to - 1]!;
    if (held < most && to < rows.length) continue;
    ranges.push({ from, to, before, bytes: Math.round((size * held) / Math.max(1, total)) });
    before += held;
    from = to;
    held = 0;
  }
  return ranges;
}

async function columnUnits(name: string, form: 'arrow' | 'parquet', partBytes: number): Promise<Unit[]> {
  return withFileSource(name, async (source) => {
    let rows: readonly number[] = [];
    if (form === 'parquet') {
      const { openParquet } = await import('../../io/parquet.js');
      rows = (await openParquet(source, name, { budget: answersBudget(name, source.size) })).groups;
    } else {
      try {
        rows = Buffer.from(source.read(0, 6)).toString('latin1') === 'ARROW1' ? arrowBatchRows(source, name) : [];
      } catch (cause) {
        throw arrowInvalid(name, cause);
      }
    }
    if (rows.length < 2) return [{ name, bytes: source.size, work: { form } }];
    return itemRanges(rows, source.size, partBytes).map(({ bytes, ...some }) => ({
      name,
      bytes,
      work: { form, some },
    }));
  });
}

/** Lists the units of an input. Errors: those of reading it, ARROW_INVALID, PARQUET_INVALID. */
export async function unitsOf(name: string, partBytes: number): Promise<Unit[]> {
  const size = inputStat(name)?.size;
  const stream: Unit = { name, bytes: size ?? 0, work: { form: 'stream' } };
  if (size === undefined) return [stream];
  const form = responseForm(name);
  if (form === 'arrow' || form === 'parquet') return columnUnits(name, form, partBytes);
  const input = openStream(name, () => {});
  const { head } = input;
  input.close();
  if (form === 'document' || packing(head) || tableOf(head) || !isRowFile(name)) return [stream];
  const ranges = Math.max(1, Math.ceil(size / partBytes));
  return Array.from({ length: ranges }, (_, place) => {
    const from = place * partBytes;
    const to = Math.min(size, from + partBytes);
    return { name, bytes: to - from, work: { form: 'range', from, to, place, ranges } };
  });
}

/** The units of a share of a batch, with their place among all: each belongs to the share in which its first byte falls. */
export function shardUnits(
  units: readonly Unit[],
  { index, count }: Shard,
): { readonly unit: Unit; readonly place: number }[] {
  const total = units.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  return units.flatMap((unit, place) => {
    const shard = 1 + Math.min(count - 1, Math.floor((before * count) / Math.max(1, total)));
    before += unit.bytes;
    return shard === index ? [{ unit, place }] : [];
  });
}
