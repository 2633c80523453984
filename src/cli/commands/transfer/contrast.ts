import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { contrast } from '../../../analyses/contrast/contrast.js';
import { type ContrastFlags, type ContrastSettings, contrastSettings } from '../../../analyses/contrast/settings.js';
import { canonicalJson } from '../../../io/canonical.js';
import { readText } from '../../../io/file.js';
import { inputFileAt } from '../../../io/read-file.js';
import { parserName, type SetParser } from '../../../responses/parser.js';
import { readTaskFiles, readTaskSet } from '../../../tasks/task-files.js';
import { completionGrid, readCompletions } from '../../../transfer/completion.js';
import { CONTROL, runsOf, TREATMENT } from '../../../transfer/condition.js';
import { assertGate, requireSeal, sealPrimary } from '../../../transfer/primary-seal.js';
import { assertPlannedSeeds, plannedTaskFile, readStudyPlan } from '../../../transfer/study-plan.js';
import { assertPlannedManifest, verifyTrainingRun } from '../../../transfer/training-manifest.js';
import { fail } from '../../../util/error.js';
import { openInputs } from '../../analysis-inputs.js';
import { analysisOptions } from '../../analysis-options.js';
import { analysisDocument } from '../../analysis-output.js';
import { parserOption, plannedParser } from '../../parser-option.js';
import { printLine, printText } from '../../print.js';
import { elsewhere } from '../../words-elsewhere.js';
import { printStudy, readPrimary, writeStudy } from './contrast-output.js';
import { STUDY_WORDS } from './study-words.js';

interface Flags extends ContrastFlags {
  readonly plan?: string;
  readonly parser?: SetParser;
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
  const command = transfer
    .command(contrast.name)
    .description(contrast.summary)
    .requiredOption('--completions <files...>', 'rows {condition, training_seed, task_id, completion}')
    .requiredOption('--tasks <files...>', 'task files with the maps')
    .option('--split <file>', 'task rows that the generations must cover exactly')
    .addOption(parserOption())
    .addOption(stageOption())
    .option('--seal <file>', 'seal of the primary stage; the secondary stage needs it')
    .option('--primary <file>', 'sealed primary analysis to show beside the secondary one')
    .option('--plan <file>', 'frozen study plan: settings, seeds and tasks are those of the plan')
    .option('--manifests <folders...>', 'training runs to check before anything is computed');
  analysisOptions(command, contrast.options)
    .option('--learner <name>', 'what was trained, for the claims', 'the model')
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print the analysis document')
    .action(runContrast);
  elsewhere(command, STUDY_WORDS);
}

/** Ids the generations must cover: those of the planned file, else of --split, else whatever they cover. */
function expectedTasks(flags: Flags, { frozen }: ContrastSettings): string[] | undefined {
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

async function runContrast(flags: Flags): Promise<void> {
  const { plan: planFile } = flags;
  const settings = contrastSettings(flags, planFile === undefined ? undefined : () => readStudyPlan(planFile));
  const { protocolSha256, frozen } = settings;
  const parser = plannedParser(flags.parser, frozen);
  const seal = flags.stage === 'secondary' ? requireSeal(flags.seal, protocolSha256) : undefined;
  const before = seal === undefined || flags.primary === undefined ? [] : [readPrimary(flags.primary, seal)];
  const manifests = (flags.manifests ?? []).map(verifyTrainingRun);
  if (frozen !== undefined) for (const run of manifests) assertPlannedManifest(frozen, run);
  const grid = completionGrid(
    flags.completions.flatMap((path) => readCompletions(readText(path), path)),
    readTaskFiles(flags.tasks).byId,
    { expected: expectedTasks(flags, settings), parser },
  );
  const seeds = runsOf(grid, TREATMENT).map(({ seed }) => seed!);
  if (frozen !== undefined) assertPlannedSeeds(frozen, seeds);
  if (manifests.length > 0) assertGate(manifests, seeds, [CONTROL, TREATMENT], protocolSha256);
  const opened = openInputs({ backend: 'wasm' });
  const outcome = await contrast
    .run(
      { ...opened.inputs, completions: async () => grid },
      { ...settings, primarySealSha256: seal?.artifact_sha256 ?? null },
    )
    .finally(() => opened.close());
  const { document, text } = analysisDocument({
    analysis: contrast,
    outcome,
    files: [
      ...flags.completions.map((path) => inputFileAt('completions', path)),
      ...flags.tasks.map((path) => inputFileAt('tasks', path)),
    ],
    facts: { ...opened.facts(), reason: 'small job', response_parser: parserName(parser) },
  });
  const { out, learner } = flags;
  const study = { out, results: [...before, outcome.results], plan: outcome.plan, learner };
  const sealPath = join(out, 'seal.json');
  const documents: Record<string, string> = { 'analysis.json': text };
  if (flags.stage === 'primary') {
    const own = sealPrimary({
      protocolSha256,
      analysisSha256: document.artifact_sha256,
      resultsSha256: document.results_sha256,
      taskIds: grid.tasks.map(({ id }) => id),
      manifests,
    });
    documents['seal.json'] = `${canonicalJson(own)}\n`;
    assertUnsealed(sealPath, documents['seal.json']);
  }
  await writeStudy(study, documents);
  if (flags.json) {
    printText(text);
    return;
  }
  printStudy(study);
  printLine(
    flags.stage === 'primary'
      ? `Sealed. Written to ${out}; the secondary stage takes --seal ${sealPath}`
      : `Written to ${out}`,
  );
}
