import { entryOf } from '../../ledger/journal-event.js';
import type { AssembledRelease } from '../assemble.js';
import type { CandidateCells } from '../candidate-cells.js';
import { entryDigest, type ReleasedJournal } from '../journal.js';
import { RELEASE_FILES } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import type { Findings } from './findings.js';

/**
 * Holds the answers of a release against its journals: each record has its line, which says of it what the record does, after the lines about its
 * requests in their order; and no cell that a journal has a record of is without an answer. Lines stand in the order of their times, and none is
 * without its content but by the rules of version 0.1.0.
 */
export function proveJournals(
  { rules, phase }: Pick<ReleaseSources, 'rules' | 'phase'>,
  { candidates, journals }: Pick<AssembledRelease, 'candidates' | 'journals'>,
  findings: Findings,
): void {
  let lines = 0;
  for (const [ledger, { name, journal }] of journals.entries()) {
    lines += journal.lines;
    if (journal.withheld > 0)
      if (rules === 1)
        findings.left(`lines of ${name}`, journal.withheld, 'by digest only: nothing shows that they are about locks');
      else
        findings.add({
          file: name,
          at: 'its lines',
          expected: 'the content of each',
          found: `${journal.withheld} without it`,
        });
    if (journal.disordered !== null && rules !== 1)
      findings.add({
        file: name,
        at: `line ${journal.disordered}`,
        expected: 'a time no earlier than that of the line before it',
        found: 'an earlier one: it was moved',
      });
    proveRecords(ledger, name, journal, candidates, phase, findings);
    if (rules !== 1) proveComplete(name, phase, journal, candidates, findings);
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

function proveRecords(
  ledger: number,
  file: string,
  { records }: ReleasedJournal,
  candidates: CandidateCells,
  phase: string,
  findings: Findings,
): void {
  for (const { observation } of candidates.ordered) {
    const { record, digest } = observation;
    if (observation.ledger !== ledger || record === null) continue;
    const at = `${observation.model}, ${record.task_id}`;
    findings.same(RELEASE_FILES.observations, `${at}, key.phase`, phase, record.key.phase);
    findings.same(RELEASE_FILES.observations, `${at}, key.repeat`, 0, record.key.repeat);
    const written = records.get(digest);
    if (written === undefined) {
      findings.add({ file, at, expected: `record ${digest}`, found: 'no such line' });
      continue;
    }
    if (written.entry !== entryDigest(entryOf(record)))
      findings.add({
        file,
        at,
        expected: 'the line of its record to say what the record says',
        found: 'another entry',
      });
    const before = written.attempts.split(',');
    let from = 0;
    for (const sha256 of record.attempt_event_sha256s) {
      from = before.indexOf(sha256, from) + 1;
      if (from > 0) continue;
      findings.add({
        file,
        at,
        expected: `event ${sha256} of its cell, in order and before it`,
        found: 'no such line',
      });
      break;
    }
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
