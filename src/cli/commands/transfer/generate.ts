import { randomUUID } from 'node:crypto';
import { makeClock } from '../../../collect/clock.js';
import type { CollectionPlan } from '../../../collect/collection-plan.js';
import { compilePlan } from '../../../collect/compile-plan.js';
import { type RunSummary, runCollection } from '../../../collect/run-collection.js';
import { buildSchedule } from '../../../collect/schedule.js';
import { sha256 } from '../../../io/digest.js';
import type { LedgerWriter } from '../../../ledger/ledger-writer.js';
import { requestRetry } from '../../../ledger/resume.js';
import type { Task } from '../../../tasks/task.js';
import type { Completion } from '../../../transfer/completion.js';
import { collectedCompletions, type EvaluatedModel, generatedText, OWN_ENDS } from '../../../transfer/generation.js';
import { fail } from '../../../util/error.js';
import { joinedKey } from '../../../util/joined.js';
import { withLedger } from '../../open-ledger.js';
import { printNote } from '../../print.js';
import { stoppable } from '../../stop-signal.js';
import { SYSTEM_TIME } from '../../system-time.js';
import { openConnection, STOPPING } from '../collect/connection.js';

export interface GenerateOptions {
  readonly plan: CollectionPlan;
  readonly models: readonly EvaluatedModel[];
  readonly tasks: readonly Task[];
  readonly ledger: string;
  readonly ca: string | undefined;
  readonly retryFailed: boolean;
  readonly takeOver?: boolean;
}

export interface Generated {
  readonly completions: readonly Completion[];
  readonly summary: RunSummary;
  /** When the first of them was recorded, ISO 8601; null where records state no time. */
  readonly firstAnswer: string | null;
}

/** Failed cells that are no generation, under a digest that changes with every failure. */
async function retry(ledger: LedgerWriter, cells: readonly string[]): Promise<void> {
  const failed = cells.filter((cell) => ledger.has(cell) && generatedText(ledger.get(cell)) === undefined);
  const heads = failed.map((cell) => ledger.state.cells.get(cell)?.head?.record_sha256);
  await requestRetry(ledger, { cells: failed, listSha256: sha256(heads.join('\n')) });
}

function failuresOf({ failures, suspended }: RunSummary): string {
  return [
    ...Object.entries(failures).map(([kind, count]) => `${kind} ${count}`),
    ...Object.entries(suspended).map(([model, reason]) => `${model} rested: ${reason}`),
  ].join(', ');
}

/** Asks a server for every generation the ledger does not hold yet. Errors: INCOMPLETE, and those of collecting. */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { plan, models, tasks } = options;
  const collection = compilePlan({ plan, folder: '.', file: '--model', allowUnpinned: false });
  const jobs = buildSchedule(collection);
  const { credentials, redact, client } = openConnection({
    routes: collection.routes,
    ca: options.ca,
  });
  try {
    return await withLedger(options.ledger, options, async (ledger) => {
      if (options.retryFailed) {
        await retry(
          ledger,
          jobs.map(({ binding }) => binding.cell),
        );
      }
      const summary = await stoppable(
        (stop) =>
          runCollection({
            collection,
            jobs,
            ledger,
            send: client.send,
            credentials,
            redact,
            clock: makeClock(SYSTEM_TIME),
            attemptId: () => randomUUID(),
            limit: null,
            only: null,
            maxWaitSeconds: 600,
            ownEnds: OWN_ENDS,
            stop,
          }),
        () => printNote(STOPPING),
      );
      const cells = new Map(
        jobs.map(({ binding }) => [joinedKey(binding.key.model_id, binding.task_id), binding.cell]),
      );
      if (summary.status === 'stopped_by_signal') {
        fail('ABORTED', null, `stopped after ${summary.asked} requests`, 'Run the command again to resume.', {
          exit: 5,
        });
      }
      const completions = collectedCompletions({
        models,
        tasks,
        textOf: (id, task) => generatedText(ledger.get(cells.get(joinedKey(id, task))!)),
        failures: failuresOf(summary),
      });
      const times = [...cells.values()].flatMap((cell) => ledger.get(cell)?.recorded_at ?? []);
      return { completions, summary, firstAnswer: times.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null };
    });
  } finally {
    await client.close();
  }
}
