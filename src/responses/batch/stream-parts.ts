import { lineFeeds } from '../../io/lines.js';
import { fail } from '../../util/error.js';
import { MAX_DOCUMENT_BYTES } from '../answer-file.js';
import { rowsOf } from '../answer-rows.js';
import { csvRecords, headerEnd, tableOf } from '../csv-answers.js';
import type { ByteStream } from './byte-stream.js';
import { streamPieces } from './cut-stream.js';
import type { PartWork } from './part-work.js';

/** Tells by its beginning what an unpacked stream of text holds. */
function isDocument(head: Uint8Array): boolean {
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text.startsWith('[') || /^\{\s*"(?:responses|tasks|records)"\s*:\s*\[/.test(text)) return true;
  if (!text.startsWith('{')) return false;
  const feed = text.indexOf('\n');
  const line = (feed < 0 ? text : text.slice(0, feed)).trimEnd();
  try {
    return rowsOf(JSON.parse(line)) !== undefined;
  } catch {
    return feed >= 0 && !line.endsWith('}');
  }
}

/** So much of an unpacked stream is looked at. */
const LOOK = 1 << 20;

async function peeked(stream: ByteStream): Promise<{ head: Uint8Array; stream: ByteStream }> {
  const rest = stream[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  for (let size = 0; size < LOOK; size += parts.at(-1)!.length) {
    const next = await rest.next();
    if (next.done) break;
    parts.push(next.value);
  }
  const head = Buffer.concat(parts);
  async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { head, stream: whole() };
}

async function wholeDocument(stream: ByteStream, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > MAX_DOCUMENT_BYTES)
      fail(
        'BOUND_EXCEEDED',
        { file: name },
        `more than ${MAX_DOCUMENT_BYTES} bytes in one JSON document`,
        'Write one row a line; such files are streamed.',
      );
    parts.push(part);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

type Anonymous<W> = W extends unknown ? Omit<W, 'id'> : never;
type StreamWork = Anonymous<Extract<PartWork, { form: 'lines' | 'csv' | 'document' }>>;

/** Yields the parts of a stream, as it comes. Errors: USAGE, BOUND_EXCEEDED, LINE_TOO_LONG, those of the stream. */
export async function* streamWork(opened: ByteStream, name: string, partBytes: number): AsyncGenerator<StreamWork> {
  const { head, stream } = await peeked(opened);
  const start = Buffer.from(head.subarray(0, 6)).toString('latin1');
  if (start === 'ARROW1' || start.startsWith('PAR1'))
    fail(
      'USAGE',
      { file: name },
      'is a table of columns that came packed or through a pipe',
      'Unpack it, and give it as a file.',
    );
  if (isDocument(head)) {
    yield { form: 'document', name, bytes: await wholeDocument(stream, name) };
    return;
  }
  const columns = tableOf(head);
  const delimiter = columns?.delimiter.charCodeAt(0);
  let firstRow = 1;
  let first = true;
  for await (const piece of streamPieces(stream, { file: name, size: partBytes, delimiter })) {
    if (columns === undefined) {
      yield { form: 'lines', name, ...piece };
      continue;
    }
    let { bytes, firstLine } = piece;
    if (first) {
      const header = Math.min(bytes.length, headerEnd(bytes, 0, delimiter!) + 1);
      firstLine += lineFeeds(bytes, 0, header);
      bytes = bytes.slice(header);
    }
    first = false;
    yield { form: 'csv', name, bytes, firstLine, firstRow, columns };
    for (const _ of csvRecords(bytes, delimiter!)) firstRow += 1;
  }
}
