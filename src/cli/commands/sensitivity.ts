import { join } from 'node:path';
import type { Command } from 'commander';
import { type About, boundBy, followInputs } from '../../analyses/about.js';
import type { AnalysisRun } from '../../analyses/analysis.js';
import { optionName } from '../../analyses/declared-options.js';
import type { InputName } from '../../analyses/inputs.js';
import { type AnyAnalysis, SENSITIVITY, SENSITIVITY_INDEX } from '../../analyses/list.js';
import { standingWords } from '../../inference/standing.js';
import { canonicalJson } from '../../io/canonical.js';
import { writeAtomic } from '../../io/file.js';
import { FlavourError, fail } from '../../util/error.js';
import { type InputFlags, type OpenedInputs, openInputs } from '../analysis-inputs.js';
import { analysisOptions } from '../analysis-options.js';
import { type AnalysisOutputOptions, fittingWords, writeAnalysis } from '../analysis-output.js';
import { matrixOptions, withFiles } from '../matrix-inputs.js';
import { backendOption, threadsOption } from '../options.js';
import { assertOut, outTarget } from '../out-target.js';
import { plain, printJson, printLine, printWords } from '../print.js';
import { assertNoBounds } from '../row-options.js';
import { openShares, type ShareFlags, shareOptions } from '../sharing/call-shares.js';
import { wrapped } from '../table-text.js';
import { textWidth } from '../terminal.js';
import { type WitnessFlags, witnessOptions } from '../witness-options.js';
import { type Elsewhere, elsewhere } from '../words-elsewhere.js';
import { forceOption } from '../write-output.js';
import { freeze, type GivenPlan, givenPlan, PLANNED, standingOfRun, withPlan } from './sensitivity/plan.js';

interface SensitivityFlags extends InputFlags, AnalysisOutputOptions, WitnessFlags, ShareFlags {
  /** A plan that was frozen before. */
  readonly plan?: string;
  readonly alpha: number;
  readonly draws?: number;
}

/** Options that give an input, beside those of the matrix and `--core`. */
const INPUT_OPTIONS: Readonly<Partial<Record<InputName, readonly string[]>>> = {
  resolved: ['inference'],
  familyMeans: ['inference'],
  answers: ['ledger'],
  candidates: ['ledger', 'pool'],
  otherMaps: ['maps'],
  environments: ['env'],
  substitutions: ['substitutions', 'substitutions-train'],
};

/** Adds `sensitivity NAME` for each analysis, and `sensitivity all`. */
export function register(program: Command): void {
  const group = program
    .command('sensitivity')
    .description('How much of a leaderboard can be believed: the checks of the paper.');
  for (const analysis of SENSITIVITY) {
    const command = shareOptions(withOptions(group.command(analysis.name).description(analysis.summary)));
    if (PLANNED.includes(analysis))
      witnessOptions(command.option('--plan <file>', 'plan that `sensitivity plan` froze: every deviation is named'));
    hideForeign(command, analysis).action(async (files: readonly string[], given: SensitivityFlags) => {
      const plan = await givenPlan(given);
      const flags = withPlan(withFiles(files, given), plan, command);
      assertCall(flags);
      const sharing = await openShares(flags, command);
      const opened = openInputs({ ...flags, around: sharing.around, shares: sharing.shares });
      try {
        const ran = await run(analysis, opened, flags);
        if (!(await sharing.ended(opened.files))) await write(analysis, ran, { opened, flags, plan });
      } finally {
        await opened.close();
      }
    });
  }
  const plans = group
    .command('plan')
    .description('Freeze a check before it is run: its options, and what it compares with.');
  for (const analysis of PLANNED) {
    const command = withOptions(plans.command(analysis.name).description(`Freeze the check ${analysis.name}.`));
    hideForeign(command, analysis).action(async (files: readonly string[], given: SensitivityFlags) => {
      const flags = withFiles(files, given);
      await freeze(analysis, flags);
    });
  }
  const all = group.command('all').description('Every analysis whose inputs are given; the others are named.');
  shareOptions(withOptions(all)).action(analyseAll);
}

/** Names of the options that mean something to an analysis, beside those of the matrix and the output. */
function takenBy({ needs, options }: AnyAnalysis): string[] {
  return [...needs.inputs.flatMap((input) => INPUT_OPTIONS[input] ?? []), ...options.map(optionName)];
}

/** Options of single analyses; every command takes them all, so that one call serves `all` too. */
const OF_SOME = new Set(SENSITIVITY.flatMap(takenBy));

/** Leaves the options of other analyses out of the help of one, and says what it needs. */
function hideForeign(command: Command, analysis: AnyAnalysis): Command {
  const taken = takenBy(analysis);
  for (const option of command.options)
    if (OF_SOME.has(option.name()) && !taken.includes(option.name())) option.hideHelp();
  return command.addHelpText('after', `\n${wrapped(`Needs ${analysis.needs.words}.`, textWidth)}`);
}

/** What the checks have no choice in. */
const NOT_HERE: Elsewhere = {
  '--flips <n>': [
    'no check flips signs itself; precision asks an inference which pairs are told apart',
    'Run `flavourbench infer FILE --flips N --out DIR` and give --inference DIR/inference.json.',
  ],
  '--strata <name>': [
    'the checks are those of the paper, whose strata are a family in a panel',
    'Leave it out; --families says what the families are.',
  ],
};

function withOptions(command: Command): Command {
  elsewhere(command, NOT_HERE);
  const inputs = matrixOptions(command)
    .option('--ledger <dirs...>', 'ledgers instead of --responses, where single answers are needed')
    .option('--inference <file>', 'inference.json: which pairs are resolved (else computed)')
    .option('--pool <csv>', 'every candidate: task_id,panel,family,primary_category, valid:MODEL and bps:MODEL')
    .option(
      '--maps <name=file...>',
      'maps of the same tasks under other environments, as `flavourbench maps` writes them',
    )
    .option('--env <names...>', 'environments: `pantry`, imported names or folders')
    .option('--substitutions <file>', 'observed substitutions, held out: JSON, JSON lines or pickle')
    .option('--substitutions-train <file>', 'the same, training part');
  return analysisOptions(
    inputs,
    SENSITIVITY.flatMap(({ options }) => options),
  )
    .addOption(backendOption())
    .addOption(threadsOption())
    .option('--out <path>', 'NAME.html, .png, .svg, .json, .csv or .arrow writes that alone, a folder all of them')
    .addOption(forceOption())
    .option('--json', 'print the document')
    .option('--quiet', 'print nothing');
}

const GIVE_SCORES = 'Give FILE..., a table of models and tasks; or --responses FILE... with --tasks FILE...';

/** Draws are held in memory to be ordered. */
const MOST_DRAWS = 1_000_000;

/** Errors: USAGE and BOUND_EXCEEDED for a call that no analysis could take. */
function assertCall(flags: SensitivityFlags): void {
  assertOut(flags);
  assertNoBounds(flags, 'sensitivity');
  if (!(flags.alpha > 0 && flags.alpha < 1)) {
    fail('USAGE', null, `--alpha ${flags.alpha} is not between 0 and 1`, 'Give 0.05 for five percent.');
  }
  if (flags.draws !== undefined && flags.draws > MOST_DRAWS) {
    fail(
      'BOUND_EXCEEDED',
      null,
      `--draws ${flags.draws} is more than ${MOST_DRAWS}`,
      'Percentiles of a million draws do not change with more.',
    );
  }
}

/** A call, and the plan that was frozen for it. */
interface OpenCall {
  readonly opened: OpenedInputs;
  readonly flags: SensitivityFlags;
  readonly plan: GivenPlan | null;
}

/** An analysis that has run, and what it says of its inputs. */
interface RanCheck {
  readonly ran: AnalysisRun<object, object>;
  readonly about: About;
}

/** Runs one analysis. */
async function run(analysis: AnyAnalysis, opened: OpenedInputs, flags: SensitivityFlags): Promise<RanCheck> {
  const followed = followInputs(opened.inputs);
  const ran = await analysis.run(followed.inputs, flags);
  return { ran, about: await followed.about() };
}

/** Writes and prints what an analysis came to; returns the digest of its results. */
async function write(
  analysis: AnyAnalysis,
  { ran, about }: RanCheck,
  { opened, flags, plan }: OpenCall,
): Promise<string> {
  const { inputs } = analysis.needs;
  const cells =
    inputs.includes('matrix') || (inputs.includes('familyMeans') && !(await opened.inputs.familyMeans()).stated);
  const noted = cells ? await opened.inputs.matrixWarnings() : [];
  const outcome = { ...ran, warnings: [...ran.warnings, ...noted] };
  const { read, response_parser, response_parser_sha256 } = opened.facts();
  const parser = boundBy(inputs).length === 0 ? {} : { response_parser, response_parser_sha256 };
  const facts = { backend: 'wasm', threads: 1, reason: 'small job', ...(read ? { read } : {}), ...parser };
  opened.sayReading(flags);
  const words = [...ran.warnings, analysis.words(outcome), ...noted.map((warning) => `Note: ${warning}.`)].join(' ');
  const standing = analysis.planned && (await standingOfRun(analysis, plan, ran, opened));
  const made = { analysis, outcome, files: opened.files, about, standing, facts };
  const token = plan?.witnesses.token ?? null;
  const planned: Record<string, Uint8Array> = {
    ...(plan === null ? {} : { 'plan.json': plan.bytes }),
    ...(token === null ? {} : { 'plan.tsr': token.bytes }),
  };
  const digest = await writeAnalysis({ ...made, beside: planned }, () => fittingWords(words), flags);
  if (plan !== null && !flags.json && !flags.quiet) printWords(`${standingWords(standing!)}\n`);
  return digest;
}

/** What keeps one analysis from these inputs and says nothing against the others. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'INPUT_MISSING',
  'STRATUM_UNEQUAL',
  'FAMILIES_TOO_FEW',
  'MODELS_TOO_FEW',
  'STRATUM_EMPTY',
  'BOUND_EXCEEDED',
]);

/** A file that is too large to be read is no matter of one analysis. */
const isPassedOver = (error: unknown): error is FlavourError =>
  error instanceof FlavourError && PASSED_OVER.has(error.code) && error.where?.file === undefined;

async function analyseAll(files: readonly string[], given: SensitivityFlags, command: Command): Promise<void> {
  const flags = withFiles(files, given);
  assertCall(flags);
  if (flags.out !== undefined && 'file' in outTarget(flags.out))
    fail('USAGE', null, `sensitivity all writes many files, and --out ${flags.out} is one`, 'Give a folder.');
  const sharing = await openShares(flags, command);
  const opened = openInputs({ ...flags, around: sharing.around, shares: sharing.shares });
  const index: { name: string; results_sha256: string | null; skipped: string | null }[] = [];
  const quiet = flags.json === true || flags.quiet === true || sharing.shares?.partial === true;
  try {
    for (const analysis of SENSITIVITY) {
      if (!quiet) printLine(`\n${analysis.name}`);
      try {
        const ran = await run(analysis, opened, flags);
        sharing.holds(opened.files);
        if (sharing.shares?.partial) continue;
        const call = { opened, flags: { ...flags, json: false, quiet }, plan: null };
        const results_sha256 = await write(analysis, ran, call);
        index.push({ name: analysis.name, results_sha256, skipped: null });
      } catch (error) {
        if (!isPassedOver(error)) throw error;
        const reason = error.code === 'INPUT_MISSING' ? `needs ${error.message}` : error.message;
        index.push({ name: analysis.name, results_sha256: null, skipped: reason });
        if (!quiet) printLine(`skipped: ${plain(reason)}`);
      }
    }
  } finally {
    await opened.close();
  }
  if (sharing.shares?.partial) {
    await sharing.ended(opened.files);
    return;
  }
  const skipped = index.filter((row) => row.skipped !== null).length;
  if (flags.out !== undefined) {
    const document = { schema: SENSITIVITY_INDEX, analyses: index, skipped };
    writeAtomic(join(flags.out, 'sensitivity.json'), `${canonicalJson(document)}\n`);
  }
  if (skipped === index.length)
    fail(
      'INPUT_MISSING',
      null,
      `none of ${skipped} checks can be made: ${index[0]!.name} ${index[0]!.skipped}`,
      GIVE_SCORES,
      { exit: 3 },
    );
  if (flags.json) printJson(index);
  else if (!flags.quiet) printLine(`\n${index.length - skipped} analyses done, ${skipped} skipped`);
}
