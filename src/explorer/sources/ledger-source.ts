import { utf8Text } from '#platform';
import { ledgerStatus } from '../../ledger/ledger-status.js';
import { type ResponseRecord, readRecord } from '../../ledger/record.js';
import { RECORD_COLUMNS } from '../../ledger/record-columns.js';
import { proveJournal } from '../../release/journal.js';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { type AnswerBook, answerBook, namedAnswer, type Said } from './answer-book.js';
import type { HeldFile } from './held-file.js';
import type { Opened } from './opened.js';

/** Name of the journal in a ledger's folder. */
export const JOURNAL = 'attempts.jsonl';

const RECORD = /^records\/[^/]+\/[^/]+\/[0-9a-f]{64}-([0-9a-f]{64})\.json$/;
const STAMP = /^inspections\/inspection-([0-9a-f]{64})\.json$/;

/** Tells whether a file begins as the journal of a ledger does. */
export const isJournal = (head: Uint8Array): boolean =>
  /^\{"chain":"[0-9a-f]{64}","event":\{/.test(utf8Text(head.subarray(0, 200)));

/**
 * Opens a ledger by the files in its folder: every line of its journal is proved and counted; records are proved and read when a view asks for them.
 * No answer is scored, since a look at scores has to enter the journal's chain before. Errors: VERIFY_FAILED, LEDGER_DAMAGED and LEDGER_CONFLICT with
 * the line.
 */
export async function openLedger(place: string, inventory: ReadonlyMap<string, HeldFile>): Promise<Opened> {
  const file = `${place}/${JOURNAL}`;
  const bytes = await inventory.get(JOURNAL)!.bytes();
  // What a killed writer left after the last line end is reported, not read.
  const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  const { state, lines, head } = proveJournal(whole, file);
  const tail = bytes.subarray(whole.length);
  const stamps = [...inventory.keys()].flatMap((name) => STAMP.exec(name)?.[1] ?? []);
  const scan = { chain: head, lines, bytes: whole.length, tail, tailComplete: false };
  const status = ledgerStatus({ state, scan }, stamps);
  const heads = new Set([...state.cells.values()].flatMap((cell) => cell.head?.record_sha256 ?? []));
  const held = [...inventory].flatMap(([name, record]) => {
    const digest = RECORD.exec(name)?.[1];
    return digest !== undefined && heads.has(digest) ? [{ name, record }] : [];
  });
  const lost = heads.size - held.length;
  let book: Promise<AnswerBook> | undefined;
  return {
    kind: 'ledger',
    name: plain(place),
    reading: `Read from a ledger: ${counted(lines, 'line')} of its journal, each proved, ${counted(heads.size, 'record')} in force.`,
    warnings: [
      ...(tail.length > 0
        ? [`${counted(tail.length, 'byte')} after the last line: a writer was stopped, and the next one repairs it`]
        : []),
      ...(lost > 0
        ? [
            `${counted(lost, 'record')} that the journal names ${lost === 1 ? 'is' : 'are'} not among the files: answers, time and cost are shown without`,
          ]
        : []),
      ...(status.simulated ? ['answers of simulated responders are among them: formulas, not models'] : []),
    ],
    files: [...inventory.values()],
    matrix: null,
    stated: null,
    release: null,
    analyses: [],
    answers: () => {
      book ??= readBook(held);
      return book;
    },
    ledger: status,
    digests: async () => [['Head of the journal', head]],
    inventory: null,
  };
}

const COLUMNS = Object.entries(RECORD_COLUMNS);

async function readBook(held: readonly { readonly name: string; readonly record: HeldFile }[]): Promise<AnswerBook> {
  const answers = await Promise.all(
    held.map(async ({ name, record }) => {
      const read: ResponseRecord = readRecord(utf8Text(await record.bytes()), name);
      return namedAnswer(Object.fromEntries(COLUMNS.map(([column, [, value]]) => [column, value(read) as Said])));
    }),
  );
  return answerBook(answers);
}
