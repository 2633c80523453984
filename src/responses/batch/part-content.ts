import { createHash } from 'node:crypto';
import { partKey } from './part-folder.js';
import type { PartWork, RangeWork } from './part-work.js';
import { heldRange, type RangeMemory } from './range-lines.js';

/** A part whose content is at hand, in memory or in a file of its own. */
export type LoadedWork = Exclude<PartWork, RangeWork>;

/** Reads what a part is of, into the memory of the kernel where it is a range of a file. */
export async function loadedWork(work: PartWork, memory: RangeMemory): Promise<LoadedWork> {
  if (work.form !== 'range') return work;
  const { id, name } = work;
  return { id, name, ...(await heldRange(work, name, memory)) };
}

const digest = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Bytes of the content of a part. */
export function contentBytes(work: LoadedWork): number {
  if (work.form === 'held') return work.end - work.start;
  return typeof work.bytes === 'number' ? work.bytes : work.bytes.length;
}

/** Digest of a part under a plan, from its content and the place of its rows: equal digests mean equal rows. */
export function workKey(work: LoadedWork, planDigest: string): string {
  const { name, form } = work;
  switch (form) {
    case 'held':
      return partKey(
        digest(work.bytes.subarray(work.start, work.end)),
        { name, form: 'range', line: work.firstLine, row: 0 },
        planDigest,
      );
    case 'lines':
      return partKey(digest(work.bytes), { name, form, line: work.firstLine, row: 0 }, planDigest);
    case 'csv': {
      const content = digest(Buffer.from(JSON.stringify(work.columns)), work.bytes);
      return partKey(content, { name, form, line: work.firstLine, row: work.firstRow }, planDigest);
    }
    case 'document':
      return partKey(digest(work.bytes), { name, form, line: 1, row: 1 }, planDigest);
    default: {
      const content = digest(Buffer.from(JSON.stringify([work.sha256, work.some ?? null])));
      return partKey(content, { name, form, line: 0, row: 1 + (work.some?.before ?? 0) }, planDigest);
    }
  }
}
