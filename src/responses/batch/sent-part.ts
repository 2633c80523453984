import { z } from 'zod';
import { type ErrorPlace, FlavourError, fail } from '../../util/error.js';
import { checked } from '../../util/schema.js';
import type { LoadedWork } from './part-content.js';
import { PART_ID } from './part-folder.js';

/** A part as it is sent to another machine: what JSON holds, bytes, and the path of the file that it reads, null where it reads none. */
interface SentPart {
  readonly facts: unknown;
  readonly bytes: Readonly<Record<string, Uint8Array>>;
  readonly file: string | null;
}

interface SentError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly where?: ErrorPlace;
}

/** Makes a part ready to be sent. */
export function sentPart(work: LoadedWork): SentPart {
  if (work.form === 'arrow' || work.form === 'parquet') {
    const { path, ...facts } = work;
    return { facts, bytes: {}, file: path };
  }
  if (work.form !== 'held') {
    const { bytes, ...facts } = work;
    return { facts, bytes: { bytes: bytes as Uint8Array }, file: null };
  }
  const { bytes, start, end, tooLong, ...facts } = work;
  const { code, message, hint, where } = tooLong?.error ?? {};
  const error = tooLong === null ? null : { line: tooLong.line, error: { code, message, hint, where } };
  return { facts: { ...facts, tooLong: error }, bytes: { bytes: bytes.subarray(start, end) }, file: null };
}

/** Facts by which a part is told from others: its id names files, and only its own content is read. */
const sentSchema = z.looseObject({
  id: z.string().regex(PART_ID, { error: 'the id of a part expected' }),
  name: z.string(),
  form: z.enum(['held', 'lines', 'csv', 'document', 'arrow', 'parquet']),
});

/** Makes a part of what was sent; `file` is where the file that it reads stands here. Errors: SCHEMA_INVALID for what nothing of ours sends. */
export function receivedPart(
  facts: unknown,
  bytes: Readonly<Record<string, Uint8Array>>,
  file: string | undefined,
): LoadedWork {
  const sent = checked(sentSchema, facts, { file: 'a part of the queue' }) as unknown as LoadedWork;
  if (sent.form === 'arrow' || sent.form === 'parquet') {
    if (file === undefined) fail('SCHEMA_INVALID', { file: sent.name }, 'was sent without its file');
    return { ...sent, path: file };
  }
  const content = bytes.bytes as Uint8Array<ArrayBuffer>;
  if (sent.form !== 'held') return { ...sent, bytes: content } as LoadedWork;
  const late = sent.tooLong as { line: number; error: SentError } | null;
  const tooLong = late && {
    line: late.line,
    error: new FlavourError(late.error.code, late.error.message, late.error),
  };
  return { ...sent, bytes: content, start: 0, end: content.length, tooLong };
}
