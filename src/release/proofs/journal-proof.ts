import { utf8Text } from '#platform';
import { entryOf, type RecordEntry } from '../../ledger/journal-event.js';
import { scheduleName } from '../../ledger/journal-state.js';
import type { AssembledRelease } from '../assemble.js';
import type { CandidateCells } from '../candidate-cells.js';
import type { ReleasedJournal } from '../journal.js';
import { RELEASE_FILES, type ReleaseRules } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import { proveAttempts, proveOtherAttempts } from './attempt-proof.js';
import { jsonDifferences } from './differences.js';
import type { Sayings } from './expected-attempts.js';
import type { Findings } from './findings.js';

/**
 * Holds the answers of a release against its journals: each record has its line, which says of it what the record does, after the lines about its
 * requests in their order, which say of them what the record does; and no cell that a journal has a record of is without an answer. Lines stand in
 * the order of their times and of what a ledger does, and none is without its content but by the rules of version 0.1.0.
 */
export function proveJournals(
  { rules, phase, journals: files }: Pick<ReleaseSources, 'rules' | 'phase' | 'journals'>,
  { candidates, journals }: Pick<AssembledRelease, 'candidates' | 'journals'>,
  findings: Findings,
): void {
  const sayings: Sayings = new Map();
  let lines = 0;
  for (const [ledger, { name, journal }] of journals.entries()) {
    lines += journal.lines;
    proveLines(name, journal, rules, findings);
    const cells = candidates.ordered.filter(({ observation }) => observation.ledger === ledger);
    const { bytes } = files.find((file) => file.name === name)!;
    proveRecords(name, journal, { bytes, cells, phase }, findings);
    if (rules === 1) continue;
    proveRequests({ file: name, bytes, sayings, findings }, journal, cells);
    proveSchedule(name, journal, findings);
    proveComplete(name, phase, journal, candidates, findings);
  }
  for (const { observation } of candidates.ordered)
    if ((observation.ledger ?? -1) >= journals.length || (observation.ledger === null && journals.length > 0))
      findings.add({
        file: RELEASE_FILES.observations,
        at: `${observation.model}, ${observation.answer.task}`,
        expected: `one of ${journals.length} journals`,
        found: `ledger ${observation.ledger}`,
      });
  if (lines > 0) findings.done('journal lines against the chain', lines);
}

/** Holds the order of the lines against what a ledger does, and what was left out of them against the rules. */
function proveLines(
  file: string,
  { withheld, disordered, faults }: ReleasedJournal,
  rules: ReleaseRules,
  findings: Findings,
): void {
  if (rules === 1) {
    if (withheld > 0)
      findings.left(`lines of ${file}`, withheld, 'by digest only: nothing shows that they are about locks');
    return;
  }
  if (withheld > 0)
    findings.add({ file, at: 'its lines', expected: 'the content of each', found: `${withheld} without it` });
  const expected = 'a time no earlier than that of the line before it';
  if (disordered !== null)
    findings.add({ file, at: `line ${disordered}`, expected, found: 'an earlier one: it was moved' });
  for (const { line, ...fault } of faults) findings.add({ file, at: `line ${line}`, ...fault });
}

interface Dated {
  readonly at: string;
  readonly type: string;
}

/** Tells whether a line says what the entry of a record does and no more, its time and type aside. No member of an entry is a list or an object. */
function saysOnly(event: object & Dated, entry: RecordEntry): boolean {
  let members = 2;
  for (const name in entry) {
    if ((event as Record<string, unknown> & Dated)[name] !== entry[name as keyof RecordEntry]) return false;
    members += 1;
  }
  return Object.keys(event).length === members;
}

/** Holds each record against its line, and what it cites against the lines before that. */
function proveRecords(
  file: string,
  { records, lost, joined }: ReleasedJournal,
  {
    bytes,
    cells,
    phase,
  }: { readonly bytes: Uint8Array; readonly cells: CandidateCells['ordered']; readonly phase: string },
  findings: Findings,
): void {
  for (const { observation } of cells) {
    const { record, digest } = observation;
    if (record === null) continue;
    const at = `${observation.model}, ${record.task_id}`;
    findings.same(RELEASE_FILES.observations, `${at}, key.phase`, phase, record.key.phase);
    findings.same(RELEASE_FILES.observations, `${at}, key.repeat`, 0, record.key.repeat);
    const written = records.get(digest);
    if (written === undefined) {
      findings.add({ file, at, expected: `record ${digest}`, found: 'no such line' });
      continue;
    }
    const entry = entryOf(record);
    const { at: stated } = written;
    const event = JSON.parse(utf8Text(bytes, stated.from, stated.to)) as object & Dated;
    if (!saysOnly(event, entry)) {
      const { at: _, type: __, ...said } = event;
      for (const found of jsonDifferences(file, entry, said))
        findings.add({ ...found, at: `line ${stated.line} (${at}), record_written.${found.at}` });
    }
    let from = 0;
    for (const sha256 of record.attempt_event_sha256s) {
      const place = written.attempts.findIndex((line, i) => i >= from && line.sha256 === sha256);
      from = place < 0 ? from : place + 1;
      if (place >= 0 || lost.has(sha256)) continue;
      findings.add({
        file,
        at,
        expected: `event ${sha256} of its cell, in order and before it`,
        found: 'no such line',
      });
      break;
    }
    const more = written.attempts.length - record.attempt_event_sha256s.length;
    if (more > 0 && !joined)
      findings.add({ file, at, expected: 'no line about its cell that it does not cite', found: `${more} more` });
  }
}

/** Proves the lines about requests: those that a record of the release cites as far as they follow from it, the others by themselves. */
function proveRequests(
  of: Parameters<typeof proveOtherAttempts>[3],
  { records, unanswered, lost }: ReleasedJournal,
  cells: CandidateCells['ordered'],
): void {
  const { file, bytes, findings } = of;
  const released = new Set<string>();
  let proved = 0;
  let left = 0;
  for (const { observation, task, asked } of cells) {
    const { record, digest } = observation;
    const written = records.get(digest);
    if (record === null || written === undefined) continue;
    released.add(digest);
    const cited = record.attempt_event_sha256s;
    if (cited.some((sha256) => lost.has(sha256))) {
      left += cited.length;
      continue;
    }
    const wanted = new Set(cited);
    const places = written.attempts.filter(({ sha256 }) => wanted.has(sha256));
    findings.attempt(file, () => proveAttempts({ record, task, asked }, places, of));
    proved += places.length;
  }
  if (proved > 0) findings.done('journal lines about requests against the answers they led to', proved);
  if (left > 0) findings.left(`lines of ${file} about requests`, left, 'a salvage lost lines that their answers cite');
  for (const [digest, { at, attempts }] of records)
    if (!released.has(digest) && attempts.length > 0)
      findings.attempt(file, () => {
        const entry = JSON.parse(utf8Text(bytes.subarray(at.from, at.to))) as RecordEntry;
        proveOtherAttempts(entry.cell, entry, attempts, of);
      });
  for (const { cell, attempts } of unanswered)
    findings.attempt(file, () => proveOtherAttempts(cell, null, attempts, of));
  const others = [...records].filter(([digest]) => !released.has(digest));
  if (others.length > 0)
    findings.left(
      `records of ${file} that are not in the release`,
      others.length,
      'of them only their lines are at hand',
    );
}

/** Holds what plans declared against the records that were written: no cell was asked that no plan had. */
function proveSchedule(file: string, { inForce, schedule, joined }: ReleasedJournal, findings: Findings): void {
  if (joined) return;
  const cells = new Map<string, number>();
  for (const { source, model, phase, panel, family } of inForce) {
    if (source === 'imported') continue;
    const name = scheduleName({ phase, model_id: model, panel, family });
    cells.set(name, (cells.get(name) ?? 0) + 1);
  }
  for (const [name, count] of cells) {
    const declared = schedule.get(name);
    if (declared === undefined || declared < count)
      findings.add({
        file,
        at: `the schedule of ${name}`,
        expected: `${count} cells or more`,
        found: String(declared ?? 'none'),
      });
  }
}

/** Adds every cell of which the journal has a record in force and the release no answer. */
function proveComplete(
  file: string,
  phase: string,
  { inForce }: ReleasedJournal,
  { cells, panels }: CandidateCells,
  findings: Findings,
): void {
  const candidates = new Set([...panels.values()].flat().map(({ id }) => id));
  const contracts = new Map(
    [...cells].map(([model, row]) => [
      model,
      new Set([...row.values()].flatMap(({ observation: { record } }) => record?.contract_sha256 ?? [])),
    ]),
  );
  for (const { model, task, contract, ...cell } of inForce) {
    if (cell.phase !== phase || cell.repeat !== 0 || !contracts.get(model)?.has(contract)) continue;
    if (candidates.has(task) && !cells.get(model)!.has(task))
      findings.add({
        file: RELEASE_FILES.observations,
        at: `${model}, ${task}`,
        expected: `the answer of ${file}`,
        found: 'none',
      });
  }
}
