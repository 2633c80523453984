import { type CollectionPlan, PLAN_SCHEMA, planShape } from '../collect/collection-plan.js';
import type { ResponseRecord } from '../ledger/record.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { wantedWords } from '../util/schema.js';
import { type Completion, type CompletionGrid, runKey } from './completion.js';

/** One model to evaluate: what it was trained on, and how the server calls it. */
export interface EvaluatedModel {
  readonly condition: string;
  /** null for a model that was not trained. */
  readonly seed: number | null;
  /** Name the server knows it by, an adapter's too. */
  readonly model: string;
  /** Commit of the weights, or digest of the adapter. */
  readonly revision: string;
}

/** Reads `CONDITION[:SEED]=MODEL@REVISION`. Errors: USAGE. */
export function parseEvaluatedModel(text: string): EvaluatedModel {
  const match = /^([a-z][a-z0-9_]*)(?::(\d{1,10}))?=(.+)@([^@]+)$/.exec(text);
  if (!match) {
    fail(
      'USAGE',
      null,
      `${shown(text)} does not say which model to evaluate`,
      'Write CONDITION[:SEED]=MODEL@REVISION, for example sft_format_control:20260824=control-24@DIGEST.',
    );
  }
  const [, condition, seed, model, revision] = match as unknown as [string, string, string | undefined, string, string];
  return { condition, seed: seed === undefined ? null : Number(seed), model, revision };
}

const routeId = ({ condition, seed }: EvaluatedModel) => (seed === null ? condition : `${condition}:${seed}`);

interface GenerationPlanOptions {
  readonly models: readonly EvaluatedModel[];
  /** Task files, every task of which is asked. */
  readonly tasks: readonly string[];
  /** Base address of an OpenAI-compatible server, `/v1` included. */
  readonly server: string;
  readonly apiKeyEnv?: string;
  readonly maxTokens: number;
  readonly concurrency: number;
}

/**
 * Makes the collection plan of an evaluation (analyses 9.5): the bare prompt as one user message, greedy, thinking off. Errors:
 * SCHEMA_INVALID for a value a plan cannot hold; USAGE for a model named twice.
 */
export function generationPlan(options: GenerationPlanOptions): CollectionPlan {
  const ids = options.models.map(routeId);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) fail('USAGE', null, `${twice} is to be evaluated twice`);
  const parsed = planShape.safeParse({
    schema: PLAN_SCHEMA,
    name: 'transfer evaluation',
    protocol: 'bare',
    task_sets: options.tasks.map((path) => ({ path })),
    budget: { usd: '0' },
    models: options.models.map((model) => ({
      id: routeId(model),
      transport: 'openai',
      base_url: options.server,
      api_key_env: options.apiKeyEnv,
      requested_model: model.model,
      expected_model: model.model,
      revision: model.revision,
      decoding: { temperature: 0, max_tokens: options.maxTokens },
      extra_body: { chat_template_kwargs: { enable_thinking: false } },
      concurrency: options.concurrency,
      price: { prompt: '0', completion: '0' },
    })),
  });
  if (parsed.success) return parsed.data;
  // What was found may hold a key and is not repeated.
  const issue = parsed.error.issues[0]!;
  fail(
    'SCHEMA_INVALID',
    null,
    `evaluation plan: ${issue.path.join('.')}: ${wantedWords(issue)}`,
    'Check --server, --model and --api-key-env.',
  );
}

/** Ends of a reply that are the model's own doing: such a text counts, if only as unparseable. */
export const OWN_ENDS: ReadonlySet<string> = new Set(['completed', 'length', 'empty', 'refusal', 'content_filter']);

/** Takes the generation from a record; undefined where something else than the model failed. */
export function generatedText(record: ResponseRecord | undefined): string | undefined {
  if (record === undefined || !OWN_ENDS.has(record.outcome)) return undefined;
  return record.generation?.answer ?? '';
}

/** Writes rows as files of generations hold them, runs in order, tasks in the grid's order. */
export function generationLines({ tasks, runs }: CompletionGrid): string {
  return runs
    .flatMap((run) =>
      tasks.map((task, t) => ({
        condition: run.condition,
        training_seed: run.seed,
        task_id: task.id,
        completion: run.texts[t],
      })),
    )
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}

/** How one run's generations were read. */
interface RunRates {
  readonly condition: string;
  readonly training_seed: number | null;
  readonly tasks: number;
  readonly parsed: number;
  readonly parse_rate: number;
  /** Generations by parse outcome; no score. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Counts parse rates run by run; they say nothing of the scores. */
export function parseRates({ runs, tasks }: CompletionGrid): RunRates[] {
  return runs.map(({ condition, seed, outcomes }) => {
    const counts: Record<string, number> = {};
    for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    const parsed = counts.ok ?? 0;
    return {
      condition,
      training_seed: seed,
      tasks: tasks.length,
      parsed,
      parse_rate: parsed / tasks.length,
      outcomes: counts,
    };
  });
}

interface CollectedOptions {
  readonly models: readonly EvaluatedModel[];
  readonly tasks: readonly Task[];
  readonly textOf: (routeId: string, taskId: string) => string | undefined;
  /** What went wrong in the session, in words; empty where nothing did. */
  readonly failures: string;
}

/** Gathers the generations of a finished collection, models and tasks in the order given. Errors: INCOMPLETE naming what is missing. */
export function collectedCompletions(options: CollectedOptions): Completion[] {
  const { models, tasks, textOf, failures } = options;
  const missing: string[] = [];
  const rows = models.flatMap((model) =>
    tasks.flatMap(({ id: taskId }): Completion[] => {
      const text = textOf(routeId(model), taskId);
      if (text !== undefined) {
        return [{ condition: model.condition, seed: model.seed, taskId, text }];
      }
      missing.push(`${runKey(model.condition, model.seed)}: ${taskId}`);
      return [];
    }),
  );
  if (missing.length === 0) return rows;
  fail(
    'INCOMPLETE',
    null,
    `${missing.length} generations are missing, first ${missing.slice(0, 3).join('; ')}${failures === '' ? '' : ` (${failures})`}`,
    'Run the command again: what is there is kept. Failed requests are asked again with --retry-failed.',
    { exit: 3 },
  );
}
