import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { DECISION_OPTIONS } from '../../analyses/declared-options.js';
import type { MissingCell } from '../../core/matrix.js';
import type { ExtraCells } from '../../core/matrix-answers.js';
import { followEngine } from '../../engine/follow.js';
import { createEngine, type EngineOptions } from '../../engine/node.js';
import { inferenceTables, leaderboardCsv, pairwiseCsv } from '../../inference/columns.js';
import { runInference } from '../../inference/infer.js';
import { inferenceDocument } from '../../inference/inference-document.js';
import {
  DEFAULT_PLAN,
  type InferencePlan,
  inferencePlan,
  type OpenPlan,
  type PlanSizes,
} from '../../inference/plan.js';
import { arrowFile } from '../../io/arrow.js';
import { csvText } from '../../io/csv.js';
import { writeAtomic } from '../../io/file.js';
import { counted } from '../../util/format.js';
import { analysisOptions } from '../analysis-options.js';
import { printReading } from '../analysis-output.js';
import { droppedWords, type MatrixInputOptions, matrixInputs, matrixOptions, withFiles } from '../matrix-inputs.js';
import { backendOption, countOption, numberOption, seedOption, threadsOption } from '../options.js';
import { parserWords } from '../parser-option.js';
import { printLine, printNote, printText, printWords } from '../print.js';
import { stages } from '../progress.js';
import { stoppable } from '../stop-signal.js';
import { terminal } from '../terminal.js';
import { writeFiles } from '../write-output.js';

const MISSING = 'missing.csv';
const RESULT = 'inference.json';

interface InferOptions
  extends MatrixInputOptions,
    Omit<PlanSizes, 'seed'>,
    Partial<Pick<InferencePlan, 'test' | 'multiplicity' | 'interval' | 'margin' | 'against'>> {
  readonly seed?: bigint;
  readonly backend?: NonNullable<EngineOptions['backend']>;
  readonly threads?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly timings?: boolean;
}

/** Adds `infer` to the program. */
export function register(program: Command): void {
  const command = matrixOptions(
    program
      .command('infer')
      .description('Full inference over a leaderboard: scores, intervals, bands, paired tests, rank sets, letters.'),
  )
    .option('--draws <n>', 'bootstrap draws', countOption, DEFAULT_PLAN.draws)
    .option('--flips <n>', 'sign-flip draws', countOption, DEFAULT_PLAN.flips)
    .option('--seed <n>', `seed, unsigned 64-bit (default: ${DEFAULT_PLAN.seed})`, seedOption)
    .option('--rng <name>', 'philox, or numpy to replay the published streams', DEFAULT_PLAN.rng)
    .option('--strata <name>', 'panel-family or family', DEFAULT_PLAN.strata)
    .option('--scheme <name>', 'joint or stratified', DEFAULT_PLAN.scheme)
    .option('--alpha <x>', 'familywise error rate', numberOption, DEFAULT_PLAN.alpha);
  analysisOptions(command, DECISION_OPTIONS)
    .addOption(backendOption())
    .addOption(threadsOption())
    .option('--out <folder>', 'write inference.json, the CSV tables and their Arrow twins here')
    .option('--json', 'print inference.json instead of the leaderboard')
    .option('--quiet', 'print nothing')
    .option('--timings', 'state the time of each stage in the document')
    .action(infer);
}

/** Measures the milliseconds of each stage. */
function stopwatch(): { readonly times: Record<string, number>; lap(stage: string): void } {
  const times: Record<string, number> = {};
  let last = performance.now();
  return {
    times,
    lap(stage) {
      const now = performance.now();
      times[stage] = Number((now - last).toFixed(3));
      last = now;
    },
  };
}

async function infer(files: readonly string[], given: InferOptions): Promise<void> {
  const options = withFiles(files, given);
  const watch = stopwatch();
  const plan = planOf(options);
  const read = await matrixInputs(options, (missing) => withheld(options.out, missing));
  watch.lap('read');
  const { matrix, names, bounds } = read;
  const bar = stages();
  const engine = followEngine(await createEngine({ backend: options.backend, threads: options.threads }), bar.onCall);
  watch.lap('engine');
  const otherTest = options.test !== undefined;
  const inference = await stoppable((signal) =>
    runInference({ matrix, names, bounds, plan, otherTest, engine, signal }),
  ).finally(() => {
    bar.stop();
    return engine.close();
  });
  watch.lap('inference');
  const { document, text } = inferenceDocument({
    ...read,
    inference,
    run: {
      backend: engine.backend,
      threads: engine.threads,
      reason: engine.reason ?? 'as asked',
      ...(read.reading ? { read: read.reading } : {}),
      warnings: [...inference.warnings, ...read.warnings, ...droppedWords(read), ...ignored(read.extra)],
      ...(options.timings ? { timings: watch.times } : {}),
    },
  });
  if (options.out !== undefined) await writeResults(options.out, inference, text, document.results_sha256);
  if (options.json) printText(text);
  else if (!options.quiet) {
    const { leaderboardText } = await import('../leaderboard-text.js');
    const words = leaderboardText({
      inference,
      extra: read.extra,
      quantization: read.quantization,
      warnings: [...inference.warnings, ...read.warnings, ...droppedWords(read)],
      width: terminal.columns,
      ...(read.parser === undefined ? {} : { reading: parserWords(read.parser, read.reasoned ?? 0) }),
      backend: `${engine.backend}${engine.threads > 1 ? `, ${engine.threads} threads` : ''}`,
    });
    printReading(read.reading, options);
    printWords(words);
    if (options.out !== undefined) printLine(`Written to ${options.out}`);
  }
}

function planOf(options: InferOptions): OpenPlan {
  const { draws, flips, seed = DEFAULT_PLAN.seed, rng, strata, scheme, alpha } = options;
  const { test, multiplicity, interval, margin, against, missing } = options;
  const asked = Object.entries({ test, multiplicity, interval, margin, against, missing }).filter(
    ([, value]) => value !== undefined,
  );
  return inferencePlan({ draws, flips, seed, rng, strata, scheme, alpha, ...Object.fromEntries(asked) });
}

function ignored(extra: ExtraCells | undefined): string[] {
  if (!extra) return [];
  return Object.entries(extra)
    .filter(([, n]) => n > 0)
    .map(([what, n]) => `ignored ${counted(n, 'answer')} of other ${what}`);
}

/** Writes the list of missing cells beside where the result would stand. */
function withheld(out: string | undefined, missing: readonly MissingCell[]): void {
  if (out === undefined) return;
  const rows = missing.map(({ model, task, reason }) => [model, task, reason]);
  writeAtomic(join(out, MISSING), csvText(['model', 'task', 'reason'], rows));
  if (existsSync(join(out, RESULT))) printNote(`the other files in ${out} are the result of an earlier run`);
}

async function writeResults(
  out: string,
  inference: Awaited<ReturnType<typeof runInference>>,
  text: string,
  resultsSha256: string,
): Promise<void> {
  const { models, pairs, replication } = inferenceTables(inference, resultsSha256);
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ['models.arrow', await arrowFile(models)],
    ['pairs.arrow', await arrowFile(pairs)],
    ['replication.arrow', await arrowFile(replication)],
    ['leaderboard.csv', leaderboardCsv(inference)],
    ['pairwise.csv', pairwiseCsv(inference)],
    [RESULT, text],
  ];
  await writeFiles(
    files.map(([name, data]) => ({ path: join(out, name), data })),
    { replace: true },
  );
  rmSync(join(out, MISSING), { force: true });
}
