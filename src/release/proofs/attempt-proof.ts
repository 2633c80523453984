import { utf8Text } from '#platform';
import { canonicalJson } from '../../io/canonical.js';
import { cellId, contractDigest } from '../../ledger/cell-key.js';
import { parseEvent, type RecordEntry } from '../../ledger/journal-event.js';
import type { JournalLineAt } from '../journal.js';
import { jsonDifferences } from './differences.js';
import {
  type AskedRecord,
  type Attempt,
  expectedAccounting,
  expectedRejection,
  expectedReply,
  expectedStart,
  expectedWait,
  isReply,
  type Sayings,
} from './expected-attempts.js';
import type { Findings } from './findings.js';

/** A journal whose lines about requests are proved. */
interface AttemptsIn {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly sayings: Sayings;
  readonly findings: Findings;
}

interface AttemptAt {
  readonly line: number;
  readonly text: string;
  readonly event: Attempt;
}

/** Reads lines about requests. Errors: LEDGER_DAMAGED for one that something else wrote. */
function attemptsAt({ file, bytes }: AttemptsIn, places: readonly JournalLineAt[]): AttemptAt[] {
  return places.map(({ line, from, to }) => {
    const text = utf8Text(bytes.subarray(from, to));
    return { line, text, event: parseEvent(text, { file, line }) as Attempt };
  });
}

/** Adds every member in which a line differs from what it must say. `expected` has its members in canonical order or is compared so. */
function hold({ file, findings }: AttemptsIn, { line, text, event }: AttemptAt, expected: Attempt): void {
  if (JSON.stringify(expected) === text || canonicalJson(expected) === text) return;
  const before = findings.count;
  const at = `line ${line}, ${event.type}`;
  for (const found of jsonDifferences(file, expected, event)) findings.add({ ...found, at: `${at}.${found.at}` });
  if (findings.count === before) findings.add({ file, at, expected: 'canonical JSON', found: 'another form' });
}

/** A request with what became of it. */
interface Request {
  readonly start: AttemptAt;
  reply: AttemptAt | undefined;
  wait: AttemptAt | undefined;
  accounting: AttemptAt | undefined;
}

/** Puts the lines of a cell together by request; adds a line that cannot stand where it does, and then gives undefined. */
function requestsOf({ file, findings }: AttemptsIn, lines: readonly AttemptAt[]): Request[] | undefined {
  const requests: Request[] = [];
  for (const line of lines) {
    const { event } = line;
    const last = requests.at(-1);
    const next = event.attempt_index === 0 || event.attempt_index === (last?.start.event.attempt_index ?? -1) + 1;
    if (event.type === 'request_started' && next && (last === undefined || last.reply !== undefined))
      requests.push({ start: line, reply: undefined, wait: undefined, accounting: undefined });
    else if (last !== undefined && isReply(event) && last.reply === undefined) last.reply = line;
    else if (event.type === 'retry_scheduled' && last?.reply !== undefined && last.wait === undefined) last.wait = line;
    else if (event.type === 'accounting_reconciled' && last?.reply !== undefined && last.accounting === undefined)
      last.accounting = line;
    else {
      const expected = 'a request, what became of it, and the next one';
      findings.add({ file, at: `line ${line.line}, ${event.type}`, expected, found: `request ${event.attempt_index}` });
      return undefined;
    }
  }
  return requests;
}

/** Proves the lines about the requests of an answer, which it cites, as far as they follow from it (collection 1.9). */
export function proveAttempts(known: AskedRecord, places: readonly JournalLineAt[], of: AttemptsIn): void {
  const { record } = known;
  const requests = requestsOf(of, attemptsAt(of, places));
  if (requests === undefined) return;
  const session = requests.findLastIndex(({ start }) => start.event.attempt_index === 0);
  requests.forEach(({ start, reply, wait, accounting }, i) => {
    const own = start.event;
    const index = own.attempt_index;
    hold(of, start, expectedStart(own, known, { index, earlier: i < session, sayings: of.sayings }));
    const last = i === requests.length - 1;
    if (reply && (!last || record.source === 'sealed')) hold(of, reply, expectedRejectionOr(reply.event, own, last));
    else if (reply) hold(of, reply, expectedReply(reply.event, own, record, accounting?.event));
    if (wait && reply) hold(of, wait, expectedWait(wait.event, own, reply.event));
    if (accounting) hold(of, accounting, expectedAccounting(accounting.event, own, record));
  });
  proveEnd(known, requests, of);
}

/** The last reply of a sealed cell may have been an answer whose record was never written. */
function expectedRejectionOr(event: Attempt, start: Attempt, last: boolean): Attempt {
  const { attempt_id, attempt_index, cell } = start;
  return last ? { ...event, attempt_id, attempt_index, cell } : expectedRejection(event, start);
}

/** Holds what a record says of its requests together against them: how many there were, and that the last was answered. */
function proveEnd({ record }: AskedRecord, requests: readonly Request[], { file, findings }: AttemptsIn): void {
  const { source, generation, budget } = record;
  const last = requests.at(-1);
  const at = `the requests of cell ${record.cell}`;
  const asked = source !== 'imported';
  if (asked !== (last !== undefined)) {
    findings.add({
      file,
      at,
      expected: asked ? 'a request' : 'none, the answer is an import',
      found: last ? 'one' : 'none',
    });
    return;
  }
  if (last === undefined) return;
  if (source === 'sealed') {
    const costs = requests.flatMap(({ reply, accounting }) => [
      reply?.event.cost_micros,
      accounting?.event.cost_micros,
    ]);
    const cost = costs.findLast((micros) => micros !== undefined);
    findings.same(file, `${at}, cost_micros`, budget?.actual_micros, cost ?? 0);
    findings.same(file, `${at}, started_at`, record.started_at, last.start.event.at);
    findings.same(file, `${at}, outcome`, record.outcome, cost === undefined ? 'ambiguous' : 'interrupted');
    return;
  }
  if (last.reply === undefined) findings.add({ file, at, expected: 'what became of the last one', found: 'nothing' });
  findings.same(file, `${at}, retries`, generation?.retries, last.start.event.attempt_index);
}

/**
 * Proves the lines about requests of a cell whose record is not in the release (another phase or model, an answer that failed and was asked
 * again) or that has none: each names its cell and its request, and the start binds the cell that the journal enters. The rest is stated.
 */
export function proveOtherAttempts(
  cell: string,
  entry: RecordEntry | null,
  places: readonly JournalLineAt[],
  of: AttemptsIn,
): void {
  const requests = requestsOf(of, attemptsAt(of, places));
  for (const { start, reply, wait, accounting } of requests ?? []) {
    const own = start.event;
    const { binding } = own;
    if (binding === undefined) {
      of.findings.add({ file: of.file, at: `line ${start.line}`, expected: 'a binding', found: 'none' });
      continue;
    }
    const key =
      entry === null
        ? binding.key
        : { ...binding.key, model_id: entry.model_id, phase: entry.phase, repeat: entry.repeat };
    const block =
      entry === null ? {} : { family: entry.family, panel: entry.panel, slot: entry.slot, task_id: entry.task_id };
    hold(of, start, { ...own, binding: { ...binding, ...block, key, cell }, cell });
    const same = (what: string, expected: string, found: string) =>
      of.findings.same(of.file, `line ${start.line}, ${what}`, expected, found);
    same('cell', cellId(binding.key), cell);
    if (entry !== null) same('contract', contractDigest(binding.key), entry.contract_sha256);
    for (const line of [reply, wait, accounting]) if (line) hold(of, line, expectedRejectionOr(line.event, own, true));
  }
}
