import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { analysisDocument } from '../../../analyses/analysis-document.js';
import { contrast } from '../../../analyses/contrast/contrast.js';
import { type ContrastFlags, type ContrastSettings, contrastSettings } from '../../../analyses/contrast/settings.js';
import { type Standing, standingWords } from '../../../inference/standing.js';
import { canonicalJson } from '../../../io/canonical.js';
import { readInput, readStanding, readText } from '../../../io/file.js';
import { parseJson } from '../../../io/json.js';
import { inputFileAt } from '../../../io/read-file.js';
import type { SetParser } from '../../../responses/parser.js';
import { responseParserFields } from '../../../responses/parser-contract.js';
import type { Task } from '../../../tasks/task.js';
import { readTaskFiles, readTaskSet } from '../../../tasks/task-files.js';
import { completionGrid, readCompletions } from '../../../transfer/completion.js';
import { CONTROL, runsOf, TREATMENT } from '../../../transfer/condition.js';
import { assertGate, sameSeal, sealPrimary } from '../../../transfer/primary-seal.js';
import { checkedSeal, type Seal } from '../../../transfer/seal-schema.js';
import { assertOwnTasks, openSecondary, primaryTasks } from '../../../transfer/secondary-stage.js';
import { assertPlanFirst } from '../../../transfer/stage-times.js';
import { assertPlannedSeeds, readStudyPlan } from '../../../transfer/study-plan.js';
import type { StudyPlan } from '../../../transfer/study-plan-schema.js';
import { studyStanding } from '../../../transfer/study-standing.js';
import { assertPlannedManifest, verifyTrainingRun } from '../../../transfer/training-manifest.js';
import { fail } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { openInputs } from '../../analysis-inputs.js';
import { analysisOptions } from '../../analysis-options.js';
import { parserOption, plannedParser } from '../../parser-option.js';
import { printLine, printText, printWords } from '../../print.js';
import { type FoundWitnesses, findWitnesses, type WitnessFlags, witnessOptions } from '../../witness-options.js';
import { elsewhere } from '../../words-elsewhere.js';
import { printStudy, readPrimary, writeStudy } from './contrast-output.js';
import { plannedTasks, taskFileAt } from './planned-tasks.js';
import { STUDY_WORDS } from './study-words.js';

interface Flags extends ContrastFlags, WitnessFlags {
  readonly plan?: string;
  readonly parser?: SetParser;
  readonly completions: readonly string[];
  readonly tasks: readonly string[];
  readonly split?: string;
  readonly seal?: string;
  readonly primaryTasks?: string;
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
    .option('--seal <file>', 'seal of the primary stage; the secondary stage needs it, and --plan')
    .option(
      '--primary-tasks <file>',
      'task file of the primary stage: its tasks are held against the seal; a seal of version 1 needs it',
    )
    .option('--primary <file>', 'sealed primary analysis to show beside the secondary one')
    .option('--plan <file>', 'frozen study plan: settings, seeds and tasks are those of the plan')
    .option('--manifests <folders...>', 'training runs to check before anything is computed');
  witnessOptions(analysisOptions(command, contrast.options), 'plan or the seal')
    .option('--learner <name>', 'what was trained, for the claims', 'the model')
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print the analysis document')
    .action(runContrast);
  elsewhere(command, STUDY_WORDS);
}

/**
 * The tasks that the generations answer, and which of them they must cover: those of the planned file and no others where there is a plan, else
 * those of --split, else whatever they cover.
 */
function examined(
  flags: Flags,
  { frozen }: ContrastSettings,
): { readonly byId: ReadonlyMap<string, Task>; readonly expected?: readonly string[] } {
  const given = flags.split === undefined ? [] : [flags.split];
  if (frozen !== undefined) {
    const tasks = plannedTasks(frozen, flags.stage, [...given, ...flags.tasks]);
    return { byId: new Map(tasks.map((task) => [task.id, task])), expected: tasks.map(({ id }) => id) };
  }
  const { byId } = readTaskFiles(flags.tasks);
  return flags.split === undefined ? { byId } : { byId, expected: readTaskSet(flags.split).tasks.map(({ id }) => id) };
}

/** A seal that stands already closes the same, whenever that was. Errors: OUTPUT_EXISTS for one of another analysis. */
function standingSeal(path: string, own: Seal): Seal {
  const text = readStanding(path);
  if (text === undefined) return own;
  const before = checkedSeal(parseJson(text, { file: path }), path);
  if (sameSeal(before, own)) return before;
  return fail(
    'OUTPUT_EXISTS',
    { file: path },
    'seals another analysis',
    'A sealed analysis stays as it is; give another folder.',
  );
}

/** How a study stands to its plan, and the seal that it stands on with who knew it. */
function standingOf(plan: StudyPlan | undefined, found: readonly FoundWitnesses[], seal: Seal | undefined) {
  if (plan === undefined) return { standing: { kind: 'exploratory' } satisfies Standing };
  const [own, ofSeal] = found;
  const standing = studyStanding(plan, own!.witnesses);
  return {
    standing,
    ...(seal === undefined
      ? {}
      : {
          seal: {
            sha256: seal.artifact_sha256,
            sealed_at: seal.sealed_at ?? null,
            ...(ofSeal!.witnesses.length === 0 ? {} : { witnesses: ofSeal!.witnesses }),
          },
        }),
  };
}

/** What it means that both stages ask about some anchors. */
function sharedWords(anchors: readonly string[]): string[] {
  if (anchors.length === 0) return [];
  const some = counted(anchors.length, 'anchor');
  return [
    `${some} of the secondary tasks ${anchors.length === 1 ? 'is' : 'are'} of primary tasks too: there the stages are not independent`,
  ];
}

async function runContrast(flags: Flags): Promise<void> {
  const { plan: planFile } = flags;
  const settings = contrastSettings(flags, planFile === undefined ? undefined : () => readStudyPlan(planFile));
  const { protocolSha256, frozen } = settings;
  const parser = plannedParser(flags.parser, frozen);
  const stage = flags.stage === 'secondary' ? openSecondary({ plan: frozen, seal: flags.seal }) : undefined;
  const seal = stage?.seal;
  const found = await findWitnesses(
    [
      ...(frozen === undefined ? [] : [{ file: planFile!, bytes: readInput(planFile!), document: frozen }]),
      ...(seal === undefined ? [] : [{ file: flags.seal!, bytes: readInput(flags.seal!), document: seal }]),
    ],
    flags,
  );
  const before = seal === undefined || flags.primary === undefined ? [] : [readPrimary(flags.primary, seal)];
  const manifests = (flags.manifests ?? []).map(verifyTrainingRun);
  if (frozen !== undefined) for (const run of manifests) assertPlannedManifest(frozen, run);
  const { byId, expected } = examined(flags, settings);
  const grid = completionGrid(
    flags.completions.flatMap((path) => readCompletions(readText(path), path)),
    byId,
    { expected, parser },
  );
  const shared =
    stage === undefined ? [] : assertOwnTasks(primaryTasks(stage, taskFileAt(flags.primaryTasks)), grid.tasks);
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
  if (frozen !== undefined && seal !== undefined)
    assertPlanFirst({ plan: { ...frozen, ...found[0]! }, seal: { ...seal, ...found[1]! } });
  const stands = standingOf(frozen, found, seal);
  const { document, text } = analysisDocument({
    analysis: contrast,
    outcome: { ...outcome, warnings: [...outcome.warnings, ...sharedWords(shared)] },
    standing: { ...stands.standing, ...('seal' in stands ? { seal: stands.seal } : {}) },
    files: [
      ...flags.completions.map((path) => inputFileAt('completions', path)),
      ...flags.tasks.map((path) => inputFileAt('tasks', path)),
      ...(planFile === undefined ? [] : [inputFileAt('plan', planFile)]),
    ],
    facts: { ...opened.facts(), reason: 'small job', ...responseParserFields(parser) },
  });
  const { out, learner } = flags;
  const study = { out, results: [...before, outcome.results], plan: outcome.plan, learner };
  const sealPath = join(out, 'seal.json');
  const documents: Record<string, string | Uint8Array> = { 'analysis.json': text };
  const keep = (name: string, file: string, { token }: FoundWitnesses) => {
    documents[`${name}.json`] = readInput(file);
    if (token !== null) documents[`${name}.tsr`] = token.bytes;
  };
  if (frozen !== undefined) keep('plan', planFile!, found[0]!);
  if (seal !== undefined) {
    standingSeal(sealPath, seal);
    keep('seal', flags.seal!, found[1]!);
  }
  if (flags.stage === 'primary') {
    const at = new Date().toISOString();
    const own = sealPrimary({
      protocolSha256,
      analysisSha256: document.artifact_sha256,
      resultsSha256: document.results_sha256,
      tasks: grid.tasks,
      manifests,
      at,
    });
    if (frozen !== undefined) assertPlanFirst({ plan: { ...frozen, ...found[0]! }, seal: { ...own, witnesses: [] } });
    documents['seal.json'] = `${canonicalJson(standingSeal(sealPath, own))}\n`;
  }
  await writeStudy(study, documents);
  if (flags.json) {
    printText(text);
    return;
  }
  printStudy(study);
  printWords(`${standingWords(stands.standing, 'transfer plan')}\n`);
  printLine(
    flags.stage === 'primary'
      ? `Sealed. Written to ${out}; the secondary stage takes --seal ${sealPath}`
      : `Written to ${out}`,
  );
}
