import type { ArrowColumn } from '../io/arrow.js';
import { PARSER_V3 } from '../responses/parser.js';
import type { CandidateCell } from './candidates.js';

type Kind = 'text' | 'bool' | 'int32' | 'float64';
type Cell = string | number | boolean | null;

/** Column by column what a cell says. Counts that may pass 2^31 are doubles, exact to 2^53. */
const SPECS: Readonly<Record<string, readonly [Kind, (cell: CandidateCell) => Cell]>> = {
  model: ['text', ({ observation }) => observation.model],
  task: ['text', ({ task }) => task.id],
  panel: ['text', ({ task }) => task.panel],
  family: ['text', ({ task }) => task.family],
  in_core: ['bool', ({ inCore }) => inCore],
  ledger: ['int32', ({ observation }) => observation.ledger],
  completed: ['bool', ({ completed }) => completed],
  parser: ['text', () => PARSER_V3],
  parse: ['text', ({ scoring }) => scoring.outcome],
  selection: ['text', ({ scoring }) => scoring.selection],
  score_bps: ['int32', ({ scoring }) => scoring.scoreBps],
  optimal: ['bool', ({ scoring }) => scoring.optimal],
  answer: ['text', ({ observation: { answer } }) => answer.text ?? answer.selection],
  response_sha256: ['text', ({ observation }) => observation.digest],
  cell: ['text', ({ observation: { record } }) => record?.cell ?? null],
  prompt_sha256: ['text', ({ observation: { record } }) => record?.key.prompt_sha256 ?? null],
  contract_sha256: ['text', ({ observation: { record } }) => record?.contract_sha256 ?? null],
  source: ['text', ({ observation: { record } }) => record?.source ?? 'response_file'],
  rank_eligible: ['bool', ({ observation: { record } }) => record?.rank_eligible ?? null],
  outcome: ['text', ({ observation: { record } }) => record?.outcome ?? null],
  transport: ['text', ({ observation: { record } }) => record?.route.transport ?? null],
  provider_tag: ['text', ({ observation: { record } }) => record?.route.provider_tag ?? null],
  actual_model: ['text', ({ observation: { record } }) => record?.generation?.actual_model ?? null],
  actual_provider: ['text', ({ observation: { record } }) => record?.generation?.actual_provider ?? null],
  finish_reason: ['text', ({ observation: { record } }) => record?.generation?.finish_reason ?? null],
  native_finish_reason: ['text', ({ observation: { record } }) => record?.generation?.native_finish_reason ?? null],
  finish_class: ['text', ({ observation: { record } }) => record?.generation?.finish_class ?? null],
  prompt_tokens: ['float64', ({ observation: { record } }) => record?.generation?.prompt_tokens ?? null],
  completion_tokens: ['float64', ({ observation: { record } }) => record?.generation?.completion_tokens ?? null],
  reasoning_tokens: ['float64', ({ observation: { record } }) => record?.generation?.reasoning_tokens ?? null],
  cost_micros: [
    'float64',
    ({ observation: { record } }) => record?.generation?.cost_micros ?? record?.budget?.actual_micros ?? null,
  ],
  latency_ms: ['float64', ({ observation: { record } }) => record?.generation?.latency_ms ?? null],
  error_type: ['text', ({ observation: { record } }) => record?.error?.type ?? null],
  started_at: ['text', ({ observation: { record } }) => record?.started_at ?? null],
  recorded_at: ['text', ({ observation: { record } }) => record?.recorded_at ?? null],
};

/** Observations as columns, rows as in observations.jsonl. */
export function observationColumns(cells: readonly CandidateCell[]): ArrowColumn[] {
  return Object.entries(SPECS).map(
    ([name, [kind, value]]) => ({ name, kind, values: cells.map(value) }) as ArrowColumn,
  );
}
