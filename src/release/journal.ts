import { JOURNAL_SCHEMA } from '../ledger/event.js';
import { sha256 } from '../util/digest.js';
import { FlavourError } from '../util/error.js';

const START = '{"chain":"';
const EVENT = '","event":';
const EVENT_DIGEST = ',"event_sha256":"';
const HEAD = START.length + 64 + EVENT.length;
const FOOT = EVENT_DIGEST.length + 64 + '"}'.length;
/** Events that name a host and a process: released without their content, which the chain does not need. */
const WITHHELD = /"type":"lock_taken_over"/;

/** What a proved journal says. */
export interface ReleasedJournal {
  readonly lines: number;
  /** Head of the chain. */
  readonly head: string;
  /** Lines whose event was left out. */
  readonly withheld: number;
  readonly events: ReadonlySet<string>;
  /** Heads of the chain after every line. */
  readonly heads: ReadonlySet<string>;
  /** Digests of records that it says were written. */
  readonly records: ReadonlySet<string>;
}

/** The whole lines of a ledger's journal as a release carries them: entries about locks lose their content, not their link. */
export function releasedJournal(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return text
    .slice(0, end)
    .replace(/^\{"chain":"[0-9a-f]{64}","event":(\{.*\}),"event_sha256":.*$/gm, (line, event) =>
      WITHHELD.test(event) ? line.replace(event, () => 'null') : line,
    );
}

/** Proves every line of a released journal against its digest and the chain. Errors: VERIFY_FAILED with the line. */
export function proveJournal(text: string, file: string): ReleasedJournal {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw broken(file, lines.length + 1, 'is cut off');
  let head = sha256(JOURNAL_SCHEMA);
  let withheld = 0;
  const events = new Set<string>();
  const heads = new Set<string>();
  const records = new Set<string>();
  lines.forEach((line, i) => {
    const end = line.length - FOOT;
    const chain = line.slice(START.length, START.length + 64);
    const event = line.slice(HEAD, end);
    const digest = line.slice(end + EVENT_DIGEST.length, -2);
    if (
      line !== `${START}${chain}${EVENT}${event}${EVENT_DIGEST}${digest}"}` ||
      digest.length !== 64
    )
      throw broken(file, i + 1, 'is not a journal line');
    if (event === 'null') withheld += 1;
    else if (sha256(event) !== digest) throw broken(file, i + 1, 'differs from its digest');
    head = sha256(`${head}${digest}`);
    if (chain !== head)
      throw broken(
        file,
        i + 1,
        'does not follow from the line before it: one was dropped, added or moved',
      );
    events.add(digest);
    heads.add(head);
    if (event.includes('"type":"record_written"')) {
      const record = /"record_sha256":"([0-9a-f]{64})"/.exec(event)?.[1];
      if (record !== undefined) records.add(record);
    }
  });
  return { lines: lines.length, head, withheld, events, heads, records };
}

function broken(file: string, line: number, what: string): FlavourError {
  return new FlavourError('VERIFY_FAILED', `${file}, line ${line}: ${what}`, {
    hint: 'A journal is never edited.',
    where: { file, line },
    exit: 4,
  });
}
