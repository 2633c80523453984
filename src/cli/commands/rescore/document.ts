import type { InputFile, RunFacts } from '../../../io/envelope.js';
import { envelope } from '../../../io/envelope.js';
import type { BatchTotals } from '../../../responses/batch/batch-totals.js';
import { parserName, type SetParser } from '../../../responses/parser.js';
import type { ModelTally } from '../../../responses/tally.js';

/** A model in the document: results of v3 do not know of reasoning. */
export const modelResult = (
  { meanReadable, meanAll, families, outcomes, reasoned, ...rest }: ModelTally,
  parser: SetParser,
) => ({
  ...rest,
  ...(parser === 'v3'
    ? { outcomes: { ...outcomes, open_reasoning: undefined } }
    : { outcomes, inline_reasoning_answers: reasoned }),
  mean_of_readable: meanReadable,
  mean_unreadable_as_zero: meanAll,
  families: families.map(({ family, rows, ok, totalBps }) => ({
    family,
    rows,
    ok,
    total_bps: totalBps,
  })),
});

/** Makes the text of the result document of a batch whose rows go into no folder. */
export function rescoreDocument(
  { rows, aside, unknownTasks, models }: BatchTotals,
  plan: { readonly parser: SetParser; readonly tasks: number; readonly core: boolean },
  inputs: readonly InputFile[],
  run: RunFacts,
): string {
  return envelope({
    schema: 'flavourbench-rescore-v1',
    plan: { ...plan, parser: parserName(plan.parser) },
    inputs,
    rng: null,
    seed: null,
    streams: {},
    results: {
      rows,
      left_aside: aside,
      unknown_tasks: unknownTasks,
      models: models.map((model) => modelResult(model, plan.parser)),
    },
    run,
  }).text;
}
