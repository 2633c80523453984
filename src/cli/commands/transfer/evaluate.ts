import { join } from 'node:path';
import type { Command } from 'commander';
import { canonicalJson, sealed } from '../../../io/canonical.js';
import { inputFile } from '../../../io/envelope.js';
import { readText } from '../../../io/file.js';
import { inputFileAt } from '../../../io/read-file.js';
import type { SetParser } from '../../../responses/parser.js';
import { parserFields } from '../../../responses/parser-contract.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { type Completion, type CompletionGrid, completionGrid, readCompletions } from '../../../transfer/completion.js';
import type { Stage } from '../../../transfer/condition.js';
import {
  type EvaluatedModel,
  generationLines,
  generationPlan,
  parseEvaluatedModel,
  parseRates,
} from '../../../transfer/generation.js';
import { assertOwnTasks, openSecondary, primaryTasks } from '../../../transfer/secondary-stage.js';
import { assertPlannedSeeds, readStudyPlan } from '../../../transfer/study-plan.js';
import type { StudyPlan } from '../../../transfer/study-plan-schema.js';
import { fail, shown } from '../../../util/error.js';
import { fixed } from '../../../util/format.js';
import { takeOverOption } from '../../open-ledger.js';
import { countOption } from '../../options.js';
import { parserOption, plannedParser } from '../../parser-option.js';
import { printJson, printLine, printTable } from '../../print.js';
import { writeFiles } from '../../write-output.js';
import { stageOption } from './contrast.js';
import { type Generated, generate } from './generate.js';
import { plannedTasks, taskFileAt } from './planned-tasks.js';

interface EvaluateFlags {
  readonly tasks: readonly string[];
  readonly model?: readonly string[];
  readonly server?: string;
  readonly apiKeyEnv?: string;
  readonly ca?: string;
  readonly ledger: string;
  readonly takeOver?: boolean;
  readonly concurrency: number;
  readonly retryFailed?: boolean;
  readonly generations?: readonly string[];
  readonly plan?: string;
  readonly parser?: SetParser;
  readonly stage: Stage;
  readonly seal?: string;
  readonly primaryTasks?: string;
  readonly out: string;
  readonly json?: boolean;
}

/** Greedy answers are a line long; the paper's limit. */
const MAX_TOKENS = 64;

/** Adds `transfer evaluate`. */
export function registerEvaluate(transfer: Command): void {
  transfer
    .command('evaluate')
    .description('Generate answers from a served model, or take generations; keep them raw.')
    .requiredOption('--tasks <files...>', 'the evaluation: every task in these files is answered')
    .option('--server <url>', 'OpenAI-compatible server, for example http://127.0.0.1:8000/v1')
    .option('--model <specs...>', 'CONDITION[:SEED]=MODEL@REVISION, one for every model')
    .option('--api-key-env <name>', 'environment variable with the server key')
    .option('--ca <file>', 'PEM certificates of a private authority')
    .option('--ledger <dir>', 'ledger of the requests; run again to resume', 'transfer-ledger')
    .addOption(takeOverOption())
    .option('--concurrency <n>', 'requests in flight for each model', countOption, 4)
    .option('--retry-failed', 'ask again where a request failed, not where an answer was bad')
    .option('--generations <files...>', 'instead of a server: rows with a completion')
    .option('--plan <file>', 'frozen study plan: checks tasks, base model and seeds')
    .addOption(parserOption())
    .addOption(stageOption())
    .option('--seal <file>', 'seal of the primary stage; the secondary stage needs it, and --plan')
    .option(
      '--primary-tasks <file>',
      'task file of the primary stage: its tasks are held against the seal; a seal of version 1 needs it',
    )
    .requiredOption('--out <folder>', 'folder for completions.jsonl and evaluation.json')
    .option('--json', 'print JSON')
    .action(evaluate);
}

/** Holds the models of a call against the plan: seeds, and the revision of the base. Errors: VERIFY_FAILED (exit 4). */
function assertPlannedModels(plan: StudyPlan, models: readonly EvaluatedModel[]) {
  for (const condition of plan.conditions) {
    const own = models.filter((model) => model.condition === condition);
    const seeds = own.flatMap(({ seed }) => seed ?? []);
    if (seeds.length > 0) assertPlannedSeeds(plan, seeds);
    const base = own.find(({ seed }) => seed === null);
    if (base === undefined || base.revision === plan.base_model.revision) continue;
    fail(
      'VERIFY_FAILED',
      null,
      `the plan fixed base revision ${plan.base_model.revision}; ${condition} is of ${base.revision}`,
      'Evaluate the base model the adapters were trained on.',
      { exit: 4 },
    );
  }
}

/** Generations, wherever they come from, are of the plan's conditions and seeds. */
function assertPlannedRuns(plan: StudyPlan, runs: CompletionGrid['runs']) {
  for (const { condition } of runs)
    if (!(plan.conditions as readonly string[]).includes(condition)) {
      fail(
        'VERIFY_FAILED',
        null,
        `the plan has no condition ${shown(condition)}`,
        `It fixed ${plan.conditions.join(', ')}.`,
        { exit: 4 },
      );
    }
  for (const condition of plan.conditions) {
    const seeds = runs.flatMap((run) => (run.condition === condition ? (run.seed ?? []) : []));
    if (seeds.length > 0) assertPlannedSeeds(plan, seeds);
  }
}

async function evaluate(flags: EvaluateFlags): Promise<void> {
  const { server, generations } = flags;
  if ((server === undefined) === (generations === undefined)) {
    fail('USAGE', null, 'give either --server with --model, or --generations');
  }
  const models = (flags.model ?? []).map(parseEvaluatedModel);
  if (server !== undefined && models.length === 0) {
    fail('USAGE', null, '--server needs at least one --model');
  }
  const frozen = flags.plan === undefined ? undefined : readStudyPlan(flags.plan);
  const stage = flags.stage === 'secondary' ? openSecondary({ plan: frozen, seal: flags.seal }) : undefined;
  const parser = plannedParser(flags.parser, frozen);
  const tasks =
    frozen === undefined ? readTaskFiles(flags.tasks).tasks : plannedTasks(frozen, flags.stage, flags.tasks);
  if (stage !== undefined) assertOwnTasks(primaryTasks(stage, taskFileAt(flags.primaryTasks)), tasks);
  if (frozen !== undefined) assertPlannedModels(frozen, models);
  const maxTokens = frozen?.decoding.max_new_tokens ?? MAX_TOKENS;
  let generated: Generated | undefined;
  let completions: readonly Completion[];
  if (server === undefined) {
    completions = (generations ?? []).flatMap((path) => readCompletions(readText(path), path));
  } else {
    const { apiKeyEnv, concurrency, ledger, ca, takeOver, retryFailed = false } = flags;
    const key = apiKeyEnv === undefined ? {} : { apiKeyEnv };
    const plan = generationPlan({
      ...{ models, tasks: flags.tasks, server, maxTokens, concurrency },
      ...key,
    });
    generated = await generate({ plan, models, tasks, ledger, ca, takeOver, retryFailed });
    completions = generated.completions;
  }
  const ids = tasks.map(({ id }) => id);
  const grid = completionGrid(completions, new Map(tasks.map((task) => [task.id, task])), { expected: ids, parser });
  if (frozen !== undefined) assertPlannedRuns(frozen, grid.runs);
  const since = frozen?.frozen_at;
  const first = generated?.firstAnswer ?? null;
  if (since !== undefined && first !== null && Date.parse(first) < Date.parse(since))
    fail(
      'PLAN_LATE',
      { file: flags.plan! },
      `frozen on ${since}; the first generation in ${flags.ledger} was recorded on ${first}, before that`,
      'Generate under the plan, in a ledger of its own.',
      { exit: 4 },
    );
  const text = generationLines(grid);
  const runs = parseRates(grid);
  const document = sealed({
    schema: 'flavourbench-transfer-evaluation/1',
    stage: flags.stage,
    protocol_sha256: frozen?.artifact_sha256 ?? null,
    primary_seal_sha256: stage?.seal.artifact_sha256 ?? null,
    inputs: [
      ...flags.tasks.map((path) => inputFileAt('tasks', path)),
      ...(generations ?? []).map((path) => inputFileAt('generations', path)),
    ],
    ...parserFields(parser),
    decoding: generated === undefined ? null : { temperature: 0, max_new_tokens: maxTokens, thinking: false },
    models,
    collection_manifest_sha256: generated?.summary.manifest_sha256 ?? null,
    runs,
    completions: inputFile('completions', Buffer.from(text)),
  });
  await writeFiles(
    [
      { path: join(flags.out, 'completions.jsonl'), data: text },
      { path: join(flags.out, 'evaluation.json'), data: `${canonicalJson(document)}\n` },
    ],
    { replace: true },
  );
  if (flags.json) {
    printJson({ out: flags.out, asked: generated?.summary.asked ?? 0, runs });
    return;
  }
  printTable(
    ['condition', 'seed', 'tasks', 'parsed', 'rate'],
    runs.map((run) => [run.condition, run.training_seed ?? 'none', run.tasks, run.parsed, fixed(run.parse_rate, 4)]),
  );
  if (generated) printLine(`${generated.summary.asked} requests were made now.`);
  printLine(`What cannot be read scores zero and stays in. Written to ${flags.out}`);
}
