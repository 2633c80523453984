import { type ArrowColumn, type ColumnSpecs, columnsOf } from '../io/arrow.js';
import { GENERATION_COLUMNS, RECORD_COLUMNS, type RecordColumn } from '../ledger/record-columns.js';
import { parserName } from '../responses/parser.js';
import type { CandidateCell } from './candidate-cells.js';

/** What the record of an answer says; null where the answer came from a response file. */
function ofRecord(names: readonly RecordColumn[]): ColumnSpecs<CandidateCell> {
  return Object.fromEntries(
    names.map((name) => {
      const [kind, value] = RECORD_COLUMNS[name];
      return [name, [kind, ({ observation: { record } }: CandidateCell) => record && value(record)] as const];
    }),
  );
}

/** Everything that a release says of an answered candidate cell, with its own reading of the answer. */
const OBSERVATION_COLUMNS: ColumnSpecs<CandidateCell> = {
  model: ['text', ({ observation }) => observation.model],
  task: ['text', ({ task }) => task.id],
  panel: ['text', ({ task }) => task.panel],
  family: ['text', ({ task }) => task.family],
  in_core: ['bool', ({ inCore }) => inCore],
  ledger: ['int32', ({ observation }) => observation.ledger],
  completed: ['bool', ({ completed }) => completed],
  parser: ['text', ({ scoring }) => parserName(scoring.parser)],
  parse: ['text', ({ scoring }) => scoring.outcome],
  selection: ['text', ({ scoring }) => scoring.selection],
  score_bps: ['int32', ({ scoring }) => scoring.scoreBps],
  optimal: ['bool', ({ scoring }) => scoring.optimal],
  answer: ['text', ({ observation: { answer } }) => answer.text ?? answer.selection],
  response_sha256: ['text', ({ observation }) => observation.digest],
  ...ofRecord(['cell', 'prompt_sha256', 'contract_sha256']),
  source: ['text', ({ observation: { record } }) => record?.source ?? 'response_file'],
  ...ofRecord(['rank_eligible', 'outcome', 'transport', 'provider_tag', ...GENERATION_COLUMNS]),
};

/** Lays observations out in columns, rows as in observations.jsonl. */
export function observationColumns(cells: readonly CandidateCell[]): ArrowColumn[] {
  return columnsOf(cells, OBSERVATION_COLUMNS);
}
