import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { transferStudy } from '../../../analyses/contrast/study.js';
import { createEngine } from '../../../engine/index.js';
import { canonicalJson } from '../../../io/canonical.js';
import { envelope } from '../../../io/envelope.js';
import { readText } from '../../../io/file.js';
import { inputFileAt } from '../../../io/read-file.js';
import { readTaskFiles, readTaskSet } from '../../../tasks/taskset.js';
import { completionGrid, readCompletions } from '../../../transfer/completion.js';
import { CONTROL, runsOf, TREATMENT } from '../../../transfer/condition.js';
import { assertGate, requireSeal, sealPrimary } from '../../../transfer/primary-seal.js';
import { CROSSED_STREAM, FLIP_STREAM } from '../../../transfer/stream.js';
import { assertPlannedSeeds, plannedTaskFile } from '../../../transfer/study-plan.js';
import { assertPlannedManifest, verifyTrainingRun } from '../../../transfer/training-manifest.js';
import { fail } from '../../../util/error.js';
import { RNG_ID } from '../../../util/version.js';
import { countOption, numberOption, seedOption } from '../../options.js';
import { printLine } from '../../print.js';
import { printStudyReport, readPrimary, writeStudyReport } from './contrast-output.js';
import { contrastSettings, type SettingFlags, type Settings } from './contrast-settings.js';

interface ContrastFlags extends SettingFlags {
  readonly completions: readonly string[];
  readonly tasks: readonly string[];
  readonly split?: string;
  readonly seal?: string;
  readonly primary?: string;
  readonly manifests?: readonly string[];
  readonly learner: string;
  readonly out: string;
  readonly json?: boolean;
}

/** Makes the option `--stage`, primary unless given. */
export function stageOption(): Option {
  return new Option('--stage <name>', 'primary, or secondary after it')
    .choices(['primary', 'secondary'])
    .default('primary');
}

/** Adds `transfer contrast`. */
export function registerContrast(transfer: Command): void {
  transfer
    .command('contrast')
    .description('Estimate the effect of training from generations, and seal it.')
    .requiredOption('--completions <files...>', 'rows {condition, training_seed, task_id, completion}')
    .requiredOption('--tasks <files...>', 'task files with the maps')
    .option('--split <file>', 'task rows that the generations must cover exactly')
    .addOption(stageOption())
    .option('--seal <file>', 'seal of the primary stage; the secondary stage needs it')
    .option('--primary <file>', 'sealed primary analysis to show beside the secondary one')
    .option('--plan <file>', 'frozen study plan: settings, seeds and tasks are those of the plan')
    .option('--manifests <folders...>', 'training runs to check before anything is computed')
    .addOption(
      new Option('--rng <name>', 'numpy replays the published streams').choices(['philox', 'numpy']).default('philox'),
    )
    .option('--protocol-sha256 <digest>', 'protocol whose digest seeds the streams')
    .option('--seed <n>', 'seed where no protocol gives one (default: 20260820)', seedOption)
    .option('--draws <n>', 'crossed bootstrap draws (default: 50000)', countOption)
    .option('--flips <n>', 'anchor sign flips (default: 100000)', countOption)
    .option('--alpha <x>', 'error rate (default: 0.05)', numberOption)
    .option('--threshold <points>', 'practical threshold (default: 3)', numberOption)
    .option('--learner <name>', 'what was trained, for the claims', 'the model')
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print the analysis document')
    .action(runContrast);
}

/** Ids the generations must cover: those of the planned file, else of --split, else whatever they cover. */
function expectedTasks(flags: ContrastFlags, { frozen }: Settings): string[] | undefined {
  const given = flags.split === undefined ? [] : [flags.split];
  const path =
    frozen === undefined
      ? flags.split
      : plannedTaskFile(
          frozen,
          flags.stage,
          new Map([...given, ...flags.tasks].map((p) => [p, inputFileAt('tasks', p).sha256])),
        );
  return path === undefined ? undefined : readTaskSet(path).tasks.map(({ id }) => id);
}

/** A sealed analysis is not overwritten. Errors: OUTPUT_EXISTS. */
function assertUnsealed(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') !== text) {
    fail(
      'OUTPUT_EXISTS',
      { file: path },
      'seals another analysis',
      'A sealed analysis stays as it is; give another folder.',
    );
  }
}

async function runContrast(flags: ContrastFlags): Promise<void> {
  const settings = contrastSettings(flags);
  const { plan, protocolSha256, frozen } = settings;
  const { random } = plan;
  const opened = flags.stage === 'secondary' ? requireSeal(flags.seal, protocolSha256) : undefined;
  const before = opened === undefined || flags.primary === undefined ? [] : [readPrimary(flags.primary, opened)];
  const manifests = (flags.manifests ?? []).map(verifyTrainingRun);
  if (frozen !== undefined) for (const run of manifests) assertPlannedManifest(frozen, run);
  const grid = completionGrid(
    flags.completions.flatMap((path) => readCompletions(readText(path), path)),
    readTaskFiles(flags.tasks).byId,
    expectedTasks(flags, settings),
  );
  const seeds = runsOf(grid, TREATMENT).map(({ seed }) => seed!);
  if (frozen !== undefined) assertPlannedSeeds(frozen, seeds);
  if (manifests.length > 0) assertGate(manifests, seeds, [CONTROL, TREATMENT], protocolSha256);
  const engine = await createEngine({ backend: 'wasm' });
  const result = await transferStudy(grid, plan, engine).finally(() => engine.close());
  const { bootstrap_seed: bootstrap, sign_flip_seed: flips } = result.contrast;
  const { document, text } = envelope({
    schema: 'flavourbench-transfer-analysis/1',
    plan: {
      stage: plan.stage,
      draws: plan.draws,
      flips: plan.flips,
      alpha: plan.alpha,
      threshold_points: plan.threshold,
      protocol_sha256: protocolSha256,
      primary_seal_sha256: opened?.artifact_sha256 ?? null,
    },
    inputs: [
      ...flags.completions.map((path) => inputFileAt('completions', path)),
      ...flags.tasks.map((path) => inputFileAt('tasks', path)),
    ],
    rng: RNG_ID[random.kind],
    seed: 'seed' in random ? random.seed : null,
    streams: random.kind === 'numpy' ? { bootstrap, flips } : { bootstrap: CROSSED_STREAM, flips: FLIP_STREAM },
    results: result,
    run: { backend: engine.backend, threads: engine.threads, reason: 'small job', warnings: [] },
  });
  const { out, learner } = flags;
  const report = {
    out,
    results: [...before, result],
    threshold: plan.threshold,
    alpha: plan.alpha,
    learner,
  };
  const sealPath = join(out, 'seal.json');
  const documents: Record<string, string> = { 'analysis.json': text };
  if (flags.stage === 'primary') {
    const seal = sealPrimary({
      protocolSha256,
      analysisSha256: document.artifact_sha256,
      resultsSha256: document.results_sha256,
      taskIds: grid.tasks.map(({ id }) => id),
      manifests,
    });
    documents['seal.json'] = `${canonicalJson(seal)}\n`;
    assertUnsealed(sealPath, documents['seal.json']);
  }
  await writeStudyReport(report, documents);
  if (flags.json) {
    process.stdout.write(text);
    return;
  }
  printStudyReport(report);
  printLine(
    flags.stage === 'primary'
      ? `Sealed. Written to ${out}; the secondary stage takes --seal ${sealPath}`
      : `Written to ${out}`,
  );
}
