import type { Command } from 'commander';
import type { ExtraCells } from '../../core/matrix-answers.js';
import { followEngine } from '../../engine/follow.js';
import { forecastEngine } from '../../engine/forecast-engine.js';
import type { EngineOptions } from '../../engine/node.js';
import { openPlanOf, plannedParser, readAnalysisPlan, standingOf } from '../../inference/analysis-plan.js';
import { runInference } from '../../inference/infer.js';
import { inferenceDocument } from '../../inference/inference-document.js';
import { alsoOpen, standingWords } from '../../inference/standing.js';
import { readInput, readText } from '../../io/file.js';
import { inputFileAt } from '../../io/read-file.js';
import { counted } from '../../util/format.js';
import { printReading, printWritten } from '../analysis-output.js';
import { openEarly } from '../call-engine.js';
import { commandWords } from '../command-words.js';
import { sayForecasts } from '../forecast-note.js';
import { droppedWords, type MatrixInputOptions, matrixInputs, matrixOptions, withFiles } from '../matrix-inputs.js';
import { backendOption, threadsOption } from '../options.js';
import { assertOut } from '../out-target.js';
import { parserWords } from '../parser-option.js';
import { printText, printWords } from '../print.js';
import { stages } from '../progress.js';
import { openShares, type ShareFlags, shareOptions } from '../sharing/call-shares.js';
import { stoppable } from '../stop-signal.js';
import { taskOptions } from '../task-options.js';
import { terminal } from '../terminal.js';
import { findWitnesses, type WitnessFlags, witnessOptions } from '../witness-options.js';
import { forceOption } from '../write-output.js';
import { registerPlan } from './infer/plan.js';
import { type PlanFlags, planOf, planOptions } from './infer/plan-options.js';
import { withheld, writeResults } from './infer/result-files.js';

interface InferOptions extends MatrixInputOptions, PlanFlags, WitnessFlags, ShareFlags {
  /** A plan that was frozen before. */
  readonly plan?: string;
  readonly backend?: NonNullable<EngineOptions['backend']>;
  readonly threads?: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly timings?: boolean;
}

/** Adds `infer` and `infer plan`. `plan` has options of the names that `infer` has: options belong to the command they follow. */
export function register(program: Command): void {
  program.enablePositionalOptions();
  const command = program
    .command('infer')
    .description('Full inference over a leaderboard: scores, intervals, bands, paired tests, rank sets, letters.')
    .enablePositionalOptions();
  registerPlan(command);
  planOptions(taskOptions(matrixOptions(command))).option(
    '--plan <file>',
    'plan that `infer plan` froze: it is run, and every deviation is named',
  );
  witnessOptions(shareOptions(command))
    .addOption(backendOption())
    .addOption(threadsOption())
    .option(
      '--out <path>',
      'NAME.html, .png, .svg, .json, .csv or .arrow writes that alone, a folder inference.json, all tables and the page',
    )
    .addOption(forceOption())
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

/** Options that choose what of a table the scores, strata and clusters are; no plan fixes them. */
const READING_CHOICES: readonly string[] = [
  ...['clusters', 'families', 'chance', 'metric', 'filter', 'attempts', 'scale', 'quantize', 'range'],
  ...['valueColumn', 'familyColumn', 'clusterColumn', 'attemptColumn'],
];

async function infer(files: readonly string[], flags: InferOptions, command: Command): Promise<void> {
  const options = withFiles(files, flags);
  assertOut(options);
  const sharing = await openShares(options, command);
  const watch = options.timings ? stopwatch() : undefined;
  const frozen = options.plan === undefined ? null : readAnalysisPlan(readText(options.plan), options.plan);
  const witnessed = frozen && { file: options.plan!, bytes: readInput(options.plan!), document: frozen };
  const [found] = await findWitnesses(witnessed === null ? [] : [witnessed], options);
  const given = (option: string) => command.getOptionValueSource(option) === 'cli';
  const plan = frozen === null ? planOf(options) : planOf(options, openPlanOf(frozen, options.plan!), given);
  const planned = frozen === null ? undefined : plannedParser(frozen, options.plan!);
  const parser = options.parser ?? (options.responses === undefined ? undefined : planned);
  const opened = await openEarly(options, [...(options.scores ?? []), ...(options.responses ?? [])]);
  const read = await matrixInputs({ ...options, parser, missing: plan.missing }, (missing) =>
    withheld(options.out, missing),
  ).catch(async (error) => {
    await opened.close();
    throw error;
  });
  watch?.lap('read');
  const { matrix, names, bounds } = read;
  const bar = stages();
  const engine = sharing.around(forecastEngine(followEngine(opened, bar.onCall), sayForecasts(options)));
  watch?.lap('engine');
  const otherTest = options.test !== undefined;
  const inference = await stoppable((signal) =>
    runInference({ matrix, names, bounds, plan, otherTest, engine, signal }),
  ).finally(() => {
    bar.stop();
    return engine.close();
  });
  watch?.lap('inference');
  const inputs = [...read.inputs, ...(options.plan === undefined ? [] : [inputFileAt('plan', options.plan)])];
  if (await sharing.ended(inputs)) return;
  const kept = standingOf(frozen, { matrix, plan: inference.plan, parser: read.parser }, found?.witnesses);
  const standing = alsoOpen(kept, READING_CHOICES.filter(given));
  const { document, text } = inferenceDocument({
    ...read,
    inference,
    standing,
    inputs,
    run: {
      backend: engine.backend,
      threads: engine.threads,
      reason: engine.reason ?? 'as asked',
      ...(read.reading ? { read: read.reading } : {}),
      warnings: [...inference.warnings, ...read.warnings, ...droppedWords(read), ...ignored(read.extra)],
      ...(watch ? { timings: watch.times } : {}),
    },
  });
  if (options.out !== undefined)
    await writeResults(inference, {
      ...options,
      ...{ out: options.out, text, resultsSha256: document.results_sha256 },
      matrix: bounds ? null : matrix,
      command: commandWords(command),
    });
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
    printWords(`${standingWords(standing)}\n`);
    if (options.out !== undefined) printWritten(options.out, document.results_sha256);
  }
}

function ignored(extra: ExtraCells | undefined): string[] {
  if (!extra) return [];
  return Object.entries(extra)
    .filter(([, n]) => n > 0)
    .map(([what, n]) => `ignored ${counted(n, 'answer')} of other ${what}`);
}
