import { slotName } from '../../ledger/cell-key.js';
import { BILLING_BASES, type ResponseRecord } from '../../ledger/record.js';
import { parserName, parserNamed, parseSelection } from '../../responses/parser.js';
import { foreignContract } from '../../responses/parser-contract.js';
import type { CandidateCell } from '../candidate-cells.js';
import { RELEASE_FILES } from '../release-files.js';
import type { Findings } from './findings.js';

/** Lists what only the makers of a release can vouch for in its records: journal and tables repeat it, and are theirs too. */
export function leaveRequests(cells: readonly CandidateCell[], findings: Findings): void {
  const asked = cells.filter(({ observation: { record } }) => record !== null && record.source !== 'imported').length;
  const what = 'what records say of their requests: times, identifiers, tokens, costs';
  if (asked > 0) findings.left(what, asked, 'held against journal and tables, which their makers wrote too');
}

/** The accounting row that a record was made with; null where it was made without. */
function accountOf({ generation }: ResponseRecord) {
  const row = generation?.metadata[0];
  return row !== undefined && 'generation_id' in row ? row : null;
}

/** Names under which an answer may come back (collection 1.8); null where any does. */
function namesOf({ route }: ResponseRecord, reconciled: boolean): readonly (string | null)[] | null {
  const { expected_model: dated, requested_model: requested, transport } = route;
  if (dated === null) return null;
  return transport === 'openrouter' && !reconciled ? [dated, requested] : [dated];
}

/** What a parser reads in an answer: the release's own reading, or that of the parser that the record names; undefined for one that there is not. */
function readingOf({ observation, task, scoring }: CandidateCell, name: string) {
  if (name === parserName(scoring.parser)) return scoring;
  const version = parserNamed(name);
  if (version === undefined) return undefined;
  const { outcome, key, reasoned } = parseSelection(observation.answer.text, task.choices, { version });
  return { outcome, selection: key, reasoned };
}

/**
 * Holds an answer against itself (collection 1.8, 1.11): what a record says twice, or says of its reply that follows from the rest of it, it says
 * as whoever wrote it did. Answers of files and imports say little, and nothing twice.
 */
export function proveRecord(cell: CandidateCell, findings: Findings): void {
  const { record, model } = cell.observation;
  if (record === null) return;
  const same = (at: string, expected: unknown, found: unknown) =>
    findings.same(RELEASE_FILES.observations, `${model}, ${record.task_id}, ${at}`, expected, found);
  same('slot', slotName(record.key.model_id), record.slot);
  if (record.parse !== null && record.original_task_id === null) {
    const read = readingOf(cell, record.parse.parser);
    if (read === undefined) same('parse.parser', parserName(cell.scoring.parser), record.parse.parser);
    else {
      same('parse.outcome', read.outcome, record.parse.outcome);
      same('parse.selection', read.selection, record.parse.selection);
      const foreign = foreignContract(
        parserNamed(record.parse.parser) ?? cell.scoring.parser,
        record.parse.parser_sha256,
      );
      if (foreign !== undefined) same('parse.parser_sha256', 'the digest of its contract', foreign);
      if (record.parse.inline_reasoning !== undefined)
        same('parse.inline_reasoning', read.reasoned, record.parse.inline_reasoning);
    }
  }
  if (record.source === 'imported' || record.generation === null) {
    same('wall_time_ms', null, record.wall_time_ms);
    return;
  }
  const { route, generation, status, started_at: start, recorded_at: end } = record;
  const completed = status === 'completed';
  const account = accountOf(record);
  const reconciled = account?.reconciled === true;
  same('source', route.transport === 'simulated' ? 'simulated' : 'collected', record.source);
  same('origin', null, record.origin);
  if (start !== null && end !== null)
    same('wall_time_ms', Math.max(0, Date.parse(end) - Date.parse(start)), record.wall_time_ms);
  const basis = BILLING_BASES.find((each) => each === generation.billing_status);
  if (basis === undefined || basis === 'imported' || (completed && basis === 'not_charged'))
    same('generation.billing_status', 'what a cost is booked by', generation.billing_status);
  same('generation.cost_reconciled', generation.billing_status === 'accounting', generation.cost_reconciled);
  same('generation.latency_ms', account?.generation_time_ms ?? null, generation.latency_ms);
  const evidence = reconciled ? 'generation_accounting' : 'response_envelope';
  same('generation.identity_evidence', route.expected_model === null ? null : evidence, generation.identity_evidence);
  same('budget.actual_micros', generation.cost_micros, record.budget?.actual_micros);
  same('parse', completed, record.parse !== null);
  same('error', completed, record.error === null);
  if (!completed && record.outcome !== 'length') same('generation.answer', null, generation.answer);
  if (!completed) return;
  const names = namesOf(record, reconciled);
  if (names !== null && !names.includes(generation.actual_model))
    same('generation.actual_model', names[0], generation.actual_model);
  if (route.expected_provider !== null)
    same('generation.actual_provider', route.expected_provider, generation.actual_provider);
  same('generation.finish_class', 'normal', generation.finish_class);
}
