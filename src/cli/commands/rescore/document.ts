import type { InputFile, RunFacts } from '../../../io/envelope.js';
import { envelope } from '../../../io/envelope.js';
import type { BatchTotals } from '../../../responses/batch/batch-totals.js';
import type { SetParser } from '../../../responses/parser.js';
import { parserFields } from '../../../responses/parser-contract.js';
import { talliedModel } from '../../../responses/tally.js';

/** Makes the text of the result document of a batch whose rows go into no folder. */
export function rescoreDocument(
  { rows, aside, unknownTasks, models }: BatchTotals,
  plan: { readonly parser: SetParser; readonly tasks: number; readonly core: boolean },
  inputs: readonly InputFile[],
  run: RunFacts,
): string {
  return envelope({
    schema: 'flavourbench-rescore-v1',
    plan: { ...plan, ...parserFields(plan.parser) },
    inputs,
    rng: null,
    seed: null,
    streams: {},
    results: {
      rows,
      left_aside: aside,
      unknown_tasks: unknownTasks,
      models: models.map((model) => talliedModel(model, plan.parser)),
    },
    run,
  }).text;
}
