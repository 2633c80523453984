import { sha256 } from '../io/digest.js';
import { FlavourError, shown } from '../util/error.js';
import { type JournalEvent, parseEvent } from './journal-event.js';
import { CHAIN_START, follows, LINE_START, openLine } from './journal-line.js';

/** A stretch of a journal that proves nothing. */
export interface LostLine {
  /** 1-based line that it is part of. */
  readonly line: number;
  readonly bytes: Buffer;
  readonly why: string;
}

interface SurvivingJournal {
  /** Every event whose own digest holds, in the order of the file. */
  readonly events: { readonly event: JournalEvent; readonly sha256: string }[];
  readonly lost: LostLine[];
  /** Lines that do not follow from the surviving line before them: another writer's, or lines between them are lost. */
  readonly breaks: number;
}

/** Cuts a line where another begins inside it: what a write that was cut short leaves before the next writer's line. */
function* piecesOf(line: Buffer): Generator<Buffer> {
  let from = 0;
  for (let next = line.indexOf(LINE_START, 1); next > 0; next = line.indexOf(LINE_START, next + 1)) {
    yield line.subarray(from, next);
    from = next;
  }
  yield line.subarray(from);
}

function eventOf(
  piece: Buffer,
): { event: JournalEvent; sha256: string; chain: string; text: string } | { problem: string } {
  const opened = openLine(piece);
  if ('problem' in opened) return opened;
  try {
    return { ...opened, event: parseEvent(opened.text, {}), sha256: opened.eventSha256 };
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    return { problem: error.message };
  }
}

/** Reads whatever of a journal proves itself, line by line, whether or not the lines follow from one another. */
export function survivingLines(journal: Buffer): SurvivingJournal {
  const found: SurvivingJournal = { events: [], lost: [], breaks: 0 };
  const known = new Set<string>();
  let chain = CHAIN_START;
  let breaks = 0;
  let line = 0;
  for (let start = 0; start < journal.length; ) {
    const end = journal.indexOf(10, start);
    const whole = journal.subarray(start, end < 0 ? journal.length : end);
    start = end < 0 ? journal.length : end + 1;
    line += 1;
    for (const piece of piecesOf(whole)) {
      const read = eventOf(piece);
      if ('problem' in read) {
        found.lost.push({ line, bytes: piece, why: `${read.problem}: ${shown(piece.toString('utf8', 0, 120))}` });
        continue;
      }
      const { event, sha256: digest } = read;
      if (!follows({ ...read, eventSha256: digest }, chain)) breaks += 1;
      chain = read.chain;
      // The same line twice says nothing new; two writers never make the same event.
      const name = `${chain}${digest}`;
      if (!known.has(name)) found.events.push({ event, sha256: digest });
      known.add(name);
    }
  }
  return { ...found, breaks };
}

/** Joins what was lost as the file that keeps it. */
export function lostText(lost: readonly LostLine[]): { readonly name: string; readonly data: Buffer } {
  const data = Buffer.concat(lost.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
  return { name: `lost-lines-${sha256(data)}.txt`, data };
}
