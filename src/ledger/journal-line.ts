import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { type AttemptType, isAttemptType, JOURNAL_SCHEMA, type JournalEvent } from './journal-event.js';

/** The chain before the first line. */
export const CHAIN_START = sha256(JOURNAL_SCHEMA);

/** Each line commits to all lines before it: a line that is changed, dropped or moved breaks every later link. */
function chainNext(previous: string, eventSha256: string): string {
  return sha256(`${previous}${eventSha256}`);
}

/**
 * Writes an event as one journal line, without its line end, and gives the new head of the chain:
 *
 *     {"chain":"<64>","event":{ canonical JSON },"event_sha256":"<64>"}
 */
export function encodeLine(
  event: JournalEvent,
  previous: string,
): { line: string; eventSha256: string; chain: string } {
  const text = canonicalJson(event);
  const eventSha256 = sha256(text);
  const chain = chainNext(previous, eventSha256);
  return {
    line: `{"chain":"${chain}","event":${text},"event_sha256":"${eventSha256}"}`,
    eventSha256,
    chain,
  };
}

/** How every line begins. No text inside a line can hold these characters: quotes are escaped there. */
export const LINE_START = '{"chain":"';
const HEAD = LINE_START.length + 64 + '","event":'.length;
const FOOT = ',"event_sha256":"'.length + 64 + '"}'.length;

/** One proved line, its event still text. */
export interface DecodedLine {
  readonly text: string;
  readonly eventSha256: string;
  readonly chain: string;
}

/**
 * Takes the bytes of a line apart and proves its event, by place and not as JSON: a resume reads a line an attempt, and the digest is
 * over the bytes. `chain` is what the line states. Returns `problem` where it cannot.
 */
export function openLine(line: Buffer): DecodedLine | { problem: string } {
  const end = line.length - FOOT;
  const head = line.toString('latin1', 0, HEAD + 1);
  const foot = end > 0 ? line.toString('latin1', end) : '';
  if (
    end <= HEAD ||
    !head.startsWith(LINE_START) ||
    !head.endsWith('","event":{') ||
    !foot.startsWith(',"event_sha256":"') ||
    !foot.endsWith('"}')
  )
    return { problem: 'a journal line expected' };
  const eventSha256 = foot.slice(-66, -2);
  const event = line.subarray(HEAD, end);
  if (sha256(event) !== eventSha256) return { problem: 'the event differs from its digest' };
  return { text: event.toString('utf8'), eventSha256, chain: head.slice(10, 74) };
}

/** Tells whether a line follows from the line before it. */
export function follows({ eventSha256, chain }: DecodedLine, previous: string): boolean {
  return chainNext(previous, eventSha256) === chain;
}

/** Opens a line and proves both digests; returns `problem` where it cannot. */
export function decodeLine(line: Buffer, previous: string): DecodedLine | { problem: string } {
  const opened = openLine(line);
  if ('problem' in opened || follows(opened, previous)) return opened;
  return { problem: 'the line does not follow from the line before it: a line was dropped, added or moved' };
}

/** Writes events as the text of a whole journal. */
export function journalText(events: readonly JournalEvent[]): string {
  let chain = CHAIN_START;
  const lines = events.map((event) => {
    const encoded = encodeLine(event, chain);
    chain = encoded.chain;
    return `${encoded.line}\n`;
  });
  return lines.join('');
}

/** What the fold needs of an event about a request. */
export interface AttemptPeek {
  readonly type: AttemptType;
  readonly at: string;
  readonly cell: string;
  readonly cost_micros: number | undefined;
}

const TYPE = '"type":"';
const AT = /^\{"at":"([^"]{1,40})"/;
const CELL = /"cell":"([0-9a-f]{64})"(?:,"cost_micros":(\d{1,15}),)?/;

/**
 * Reads an event about a request off its canonical text without parsing it: such events are nine tenths of a journal, and most are
 * answered by a record. Keys are sorted, so `cost_micros` follows `cell` and `type` is last; a binding further up names the same cell.
 * Undefined for any other event.
 */
export function peekAttempt(text: string): AttemptPeek | undefined {
  const at = text.lastIndexOf(TYPE);
  const type = text.slice(at + TYPE.length, -2);
  if (!isAttemptType(type)) return undefined;
  const start = text.indexOf('"cell":"');
  const found = start < 0 ? null : CELL.exec(text.slice(start, start + 120));
  const time = AT.exec(text)?.[1];
  if (!found || time === undefined) return undefined;
  return {
    type,
    at: time,
    cell: found[1]!,
    cost_micros: found[2] === undefined ? undefined : Number(found[2]),
  };
}
