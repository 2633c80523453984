import { sha256 } from '../../../io/digest.js';
import { envelope, type RunFacts } from '../../../io/envelope.js';
import type { BatchTotals } from '../../../responses/batch/batch-totals.js';
import { type PartRecord, putWhole } from '../../../responses/batch/part-folder.js';
import { byScore, summaryCsv } from '../../../responses/batch/summary.js';
import { OUTCOMES } from '../../../responses/outcome.js';
import { parserNamed } from '../../../responses/parser.js';
import { talliedModel } from '../../../responses/tally.js';
import type { BatchState } from './batch-folder.js';

/** What the files that sum a batch up are made of. */
interface SummaryOptions {
  readonly state: Pick<BatchState, 'plan' | 'inputs'>;
  readonly totals: BatchTotals;
  /** Its parts in their order. */
  readonly records: readonly Omit<PartRecord, 'counts'>[];
  readonly run: RunFacts;
}

/** Writes summary.json, summary.csv and near-misses.json of a batch into its folder; returns the text of the first. */
export function writeSummary(folder: string, { state, totals, records, run }: SummaryOptions): string {
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
  const parser = parserNamed(state.plan.parser)!;
  const { text } = envelope({
    schema: 'flavourbench-rescore-batch-v1',
    plan: state.plan,
    inputs: [
      ...state.inputs,
      // The digests of the parts in order, each of which covers the bytes of the part and the place of its rows.
      { role: 'parts', sha256: sha256(records.map(({ key }) => key).join('\n')), bytes },
    ],
    rng: null,
    seed: null,
    streams: {},
    results: {
      rows: totals.rows,
      left_aside: totals.aside,
      unknown_tasks: totals.unknownTasks,
      bad_rows: totals.bad,
      models: byScore(totals.models).map((model) => ({
        ...talliedModel(model, parser),
        families: model.families.map(({ family, rows, ok, totalBps, outcomes }) => ({
          family,
          rows,
          ok,
          total_bps: totalBps,
          outcomes: Object.fromEntries(
            OUTCOMES.filter((name) => outcomes[name] > 0).map((name) => [name, outcomes[name]]),
          ),
        })),
      })),
      changes: totals.changes,
      near_misses: totals.nearMisses.map(({ kind, model, rows }) => ({ kind, model, rows })),
    },
    run,
  });
  putWhole(folder, 'summary.json', text);
  putWhole(folder, 'summary.csv', summaryCsv(totals.models));
  putWhole(folder, 'near-misses.json', `${JSON.stringify(totals.nearMisses, null, 1)}\n`);
  return text;
}
