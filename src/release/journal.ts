import { latin1Text } from '#platform';
import { sha256 } from '../io/digest.js';
import { byteLines } from '../io/utf8.js';
import { JOURNAL_SCHEMA } from '../ledger/journal-event.js';
import { fail } from '../util/error.js';

const START = '{"chain":"';
const EVENT = '","event":';
const EVENT_DIGEST = ',"event_sha256":"';
const HEAD = START.length + 64 + EVENT.length;
const END = '"}';
const FOOT = EVENT_DIGEST.length + 64 + END.length;
/** Events that name a host and a process: released without their content, which the chain does not need. */
const WITHHELD = /"type":"lock_taken_over"/;

const NOTHING = 'null';
const WRITTEN = '"type":"record_written"';
/** An event about a look at scores, in canonical form, with its time and its stamp. */
const LOOKED = /^\{"at":"([^"]*)","stamp_sha256":"([0-9a-f]{64})","type":"scores_inspected"\}$/;

const NEVER_EDITED = 'A journal is never edited.';

/** What a proved journal says. */
export interface ReleasedJournal {
  readonly lines: number;
  /** Head of the chain. */
  readonly head: string;
  /** Lines whose event was left out. */
  readonly withheld: number;
  readonly events: ReadonlySet<string>;
  /** Heads of the chain after every line, and how many looks at scores there were by then. */
  readonly heads: ReadonlyMap<string, number>;
  /** When scores were looked at first; null where it tells of no look. */
  readonly firstLook: string | null;
  /** Digests of records that it says were written. */
  readonly records: ReadonlySet<string>;
}

/** Copies the whole lines of a ledger's journal as a release carries them: entries about locks lose their content, not their link. */
export function releasedJournal(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return text
    .slice(0, end)
    .replace(/^\{"chain":"[0-9a-f]{64}","event":(\{.*\}),"event_sha256":.*$/gm, (line, event) =>
      WITHHELD.test(event) ? line.replace(event, () => 'null') : line,
    );
}

/** Where a line of a journal has its parts; null where it is none. */
function partsOf(line: Uint8Array): { chain: string; event: Uint8Array; digest: string } | null {
  const end = line.length - FOOT;
  const holds = (text: string, at: number) => latin1Text(line, at, at + text.length) === text;
  const isLine =
    end >= HEAD &&
    holds(START, 0) &&
    holds(EVENT, HEAD - EVENT.length) &&
    holds(EVENT_DIGEST, end) &&
    holds(END, line.length - END.length);
  if (!isLine) return null;
  const digest = end + EVENT_DIGEST.length;
  return {
    chain: latin1Text(line, START.length, START.length + 64),
    event: line.subarray(HEAD, end),
    digest: latin1Text(line, digest, digest + 64),
  };
}

/** Proves every line of a released journal against its digest and the chain. Errors: VERIFY_FAILED (exit 4) with the line. */
export function proveJournal(bytes: Uint8Array, file: string): ReleasedJournal {
  let lines = 0;
  let head = sha256(JOURNAL_SCHEMA);
  let withheld = 0;
  const events = new Set<string>();
  const heads = new Map<string, number>();
  const looks = new Set<string>();
  const records = new Set<string>();
  let firstLook: string | null = null;
  for (const line of byteLines(bytes)) {
    lines += 1;
    const parts = partsOf(line);
    if (!parts) fail('VERIFY_FAILED', { file, line: lines }, 'is not a journal line', NEVER_EDITED, { exit: 4 });
    const { chain, event, digest } = parts;
    const text = latin1Text(event);
    if (text === NOTHING) withheld += 1;
    else if (sha256(event) !== digest)
      fail('VERIFY_FAILED', { file, line: lines }, 'differs from its digest', NEVER_EDITED, { exit: 4 });
    head = sha256(`${head}${digest}`);
    if (chain !== head)
      fail(
        'VERIFY_FAILED',
        { file, line: lines },
        'does not follow from the line before it: one was dropped, added or moved',
        NEVER_EDITED,
        { exit: 4 },
      );
    events.add(digest);
    const look = LOOKED.exec(text);
    if (look) {
      firstLook ??= look[1]!;
      looks.add(look[2]!);
    }
    heads.set(head, looks.size);
    if (text.includes(WRITTEN)) {
      const record = /"record_sha256":"([0-9a-f]{64})"/.exec(text)?.[1];
      if (record !== undefined) records.add(record);
    }
  }
  if (bytes.length > 0 && bytes.at(-1) !== 10)
    fail('VERIFY_FAILED', { file, line: lines + 1 }, 'is cut off', NEVER_EDITED, { exit: 4 });
  return { lines, head, withheld, firstLook, events, heads, records };
}
