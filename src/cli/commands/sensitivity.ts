import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { canonicalJson } from '../../io/canonical.js';
import { envelope } from '../../io/envelope.js';
import { writeAtomic } from '../../io/file.js';
import { FlavourError, fail } from '../../util/error.js';
import { RNG_ID } from '../../util/version.js';
import { writeAnalysis } from '../analysis-output.js';
import { matrixOptions } from '../matrix-inputs.js';
import { countOption, numberOption, seedOption } from '../options.js';
import { plain, printJson, printLine } from '../print.js';
import { ANALYSES, type AnalysisEntry } from './sensitivity/analyses.js';
import { type SensitivityFlags, type SensitivityInputs, sensitivityInputs } from './sensitivity/inputs.js';

/** `sensitivity NAME` for each analysis, and `sensitivity all`. */
export function register(program: Command): void {
  const group = program
    .command('sensitivity')
    .description('How much of a leaderboard can be believed: the checks of the paper.');
  for (const entry of ANALYSES) {
    const command = withOptions(group.command(entry.name).description(entry.summary));
    hideForeign(command, entry).action(async (flags: SensitivityFlags) => {
      const inputs = sensitivityInputs(flags);
      await analyse(entry, inputs, flags);
    });
  }
  withOptions(group.command('all').description('Every analysis whose inputs are given; the others are named.')).action(
    analyseAll,
  );
}

/** Options of single analyses; every command takes them all, so that one call serves `all` too. */
const OF_SOME = new Set(ANALYSES.flatMap(({ takes }) => takes));

/** Leaves the options of other analyses out of the help of one, and says what it needs. */
function hideForeign(command: Command, { needs, takes }: AnalysisEntry): Command {
  for (const option of command.options)
    if (OF_SOME.has(option.name()) && !takes.includes(option.name())) option.hideHelp();
  return command.addHelpText('after', `\nNeeds ${needs}.`);
}

function withOptions(command: Command): Command {
  return matrixOptions(command)
    .option('--ledger <dirs...>', 'ledgers instead of --responses, where single answers are needed')
    .option('--inference <file>', 'inference.json: which pairs are resolved (else computed)')
    .option('--pool <csv>', 'every candidate: task_id,panel,family,primary_category, valid:MODEL and bps:MODEL')
    .option(
      '--maps <name=file...>',
      'maps of the same tasks under other environments, as `flavourbench maps` writes them',
    )
    .option('--env <names...>', 'environments: `pantry`, imported names or folders')
    .option('--substitutions <file>', 'observed substitutions, held out: JSON, JSON lines or pickle')
    .option('--substitutions-train <file>', 'the same, training part')
    .addOption(
      new Option('--rng <name>', 'generator; numpy replays the published streams')
        .choices(['philox', 'numpy'])
        .default('philox'),
    )
    .option('--seed <n>', 'seed, unsigned 64-bit (default: 20260820; with numpy the published one)', seedOption)
    .option('--alpha <x>', 'familywise error rate', numberOption, 0.05)
    .option('--draws <n>', 'draws (default: the published number)', countOption)
    .option(
      '--sizes <n...>',
      'precision: numbers of tasks (default: the published ones, or shares of a smaller matrix)',
    )
    .option('--target <x>', 'generalizability: coefficient to plan for', numberOption, 0.9)
    .option(
      '--gate-model <id>',
      'filter: model left out of the reference mean (default: the one that costs most tasks)',
    )
    .option('--min-group <n>', 'substitutions: fewest candidates of a food group', countOption, 20)
    .option('--out <folder>', 'write NAME.json, .arrow, .svg and .png here')
    .option('--json', 'print the document')
    .option('--quiet', 'print nothing');
}

/** Draws are held in memory to be ordered. */
const MOST_DRAWS = 1_000_000;

/** Errors: USAGE and BOUND_EXCEEDED for a call that no analysis could take. */
function assertCall(flags: SensitivityFlags): void {
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

async function analyse(entry: AnalysisEntry, inputs: SensitivityInputs, flags: SensitivityFlags): Promise<string> {
  assertCall(flags);
  const sized = flags.sizes === undefined ? flags : { ...flags, sizes: flags.sizes.map((n) => countOption(String(n))) };
  const finding = await (await entry.load())(inputs, sized);
  const { plan, results, report, seed, streams, warnings = [] } = finding;
  const { document, text } = envelope({
    schema: `flavourbench-sensitivity-${entry.name}/1`,
    plan,
    inputs: inputs.files,
    rng: seed === null ? null : RNG_ID[flags.rng],
    seed,
    streams,
    results,
    run: { backend: 'wasm', threads: 1, reason: 'small job', warnings },
  });
  await writeAnalysis(
    {
      name: entry.name,
      text,
      resultsSha256: document.results_sha256,
      columns: report.columns,
      figure: (options) => report.figure(options),
      words: [...warnings, report.words].join(' '),
    },
    flags,
  );
  return document.results_sha256;
}

/** What keeps one analysis from these inputs and says nothing against the others. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'INPUT_MISSING',
  'STRATUM_UNEQUAL',
  'FAMILIES_NOT_THREE',
  'MODELS_TOO_FEW',
  'STRATUM_EMPTY',
  'BOUND_EXCEEDED',
]);

/** A file that is too large to be read is no matter of one analysis. */
const isPassedOver = (error: unknown): error is FlavourError =>
  error instanceof FlavourError && PASSED_OVER.has(error.code) && error.where?.file === undefined;

async function analyseAll(flags: SensitivityFlags): Promise<void> {
  assertCall(flags);
  const inputs = sensitivityInputs(flags);
  const index: { name: string; results_sha256: string | null; skipped: string | null }[] = [];
  for (const entry of ANALYSES) {
    if (!flags.quiet && !flags.json) printLine(`\n${entry.name}`);
    try {
      const results_sha256 = await analyse(entry, inputs, {
        ...flags,
        json: false,
        quiet: flags.json === true || flags.quiet === true,
      });
      index.push({ name: entry.name, results_sha256, skipped: null });
    } catch (error) {
      if (!isPassedOver(error)) throw error;
      const reason = error.code === 'INPUT_MISSING' ? `needs ${error.message}` : error.message;
      index.push({ name: entry.name, results_sha256: null, skipped: reason });
      if (!flags.quiet && !flags.json) printLine(`skipped: ${plain(reason)}`);
    }
  }
  const skipped = index.filter((row) => row.skipped !== null).length;
  if (flags.out !== undefined) {
    const document = { schema: 'flavourbench-sensitivity/1', analyses: index, skipped };
    writeAtomic(join(flags.out, 'sensitivity.json'), `${canonicalJson(document)}\n`);
  }
  if (flags.json) printJson(index);
  else if (!flags.quiet) {
    printLine(`\n${index.length - skipped} analyses done, ${skipped} skipped`);
  }
}
