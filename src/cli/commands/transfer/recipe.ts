import { type Command, Option } from 'commander';
import { sha256 } from '../../../io/digest.js';
import { assertPlannedRun, readStudyPlan } from '../../../transfer/study-plan.js';
import {
  assertPlannedManifest,
  trainingManifestJsonSchema,
  verifyTrainingRun,
} from '../../../transfer/training-manifest.js';
import {
  ARMS,
  type Arm,
  manifestTemplate,
  plannedRun,
  type RecipeOptions,
  trainingRecipe,
} from '../../../transfer/training-recipe.js';
import { fail } from '../../../util/error.js';
import { countOption } from '../../options.js';
import { printJson, printLine } from '../../print.js';
import { forceOption, writeFiles } from '../../write-output.js';
import { dataDigests } from './plan.js';

interface RecipeFlags {
  readonly base: string;
  readonly arm: Arm;
  readonly seed: number;
  readonly data: string;
  readonly plan?: string;
  readonly smokeSteps?: number;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Adds `transfer recipe | manifest`. */
export function registerRecipe(transfer: Command): void {
  transfer
    .command('recipe')
    .description('Write a self-contained training script (PEP 723; run it with `uv run`).')
    .requiredOption('--base <model@revision>', 'base model at a pinned commit')
    .addOption(new Option('--arm <name>', 'what to train on').choices(ARMS).makeOptionMandatory())
    .requiredOption('--seed <n>', 'training seed', countOption)
    .requiredOption('--data <folder>', 'folder that `transfer split` wrote')
    .option('--plan <file>', 'frozen study plan the run belongs to')
    .option('--smoke-steps <n>', 'stop after n steps; the run is then no evidence', countOption)
    .requiredOption('--out <file>', 'script to write')
    .addOption(forceOption())
    .option('--json', 'print path and digest of the script as JSON')
    .action(recipe);
  transfer
    .command('manifest')
    .argument('[folder]', 'output folder of a training run')
    .description('Check the manifest of a training run against the files beside it.')
    .option('--plan <file>', 'frozen study plan the run must belong to')
    .option('--schema', 'print the JSON Schema of a manifest instead')
    .option('--json', 'print JSON')
    .action(manifest);
}

async function recipe(flags: RecipeFlags): Promise<void> {
  const { arm, seed, out } = flags;
  const plan = flags.plan === undefined ? undefined : readStudyPlan(flags.plan);
  const options: RecipeOptions = {
    base: flags.base,
    arm,
    seed,
    data: dataDigests(flags.data),
    protocolSha256: plan?.artifact_sha256 ?? null,
    maxSteps: flags.smokeSteps ?? null,
  };
  if (plan !== undefined) assertPlannedRun(plan, plannedRun(options));
  const script = trainingRecipe(options);
  const template = `${out.replace(/\.py$/, '')}.manifest.json`;
  const stated = `${JSON.stringify(manifestTemplate(options, script), null, 2)}\n`;
  await writeFiles(
    [
      { path: template, data: stated },
      { path: out, data: script, mode: 0o755 },
    ],
    { replace: flags.force === true },
  );
  if (flags.json) {
    printJson({ path: out, sha256: sha256(script), manifest_template: template });
    return;
  }
  printLine(`Wrote ${out} and ${template}. Run: uv run ${out} ${flags.data} OUTPUT_FOLDER`);
  printLine('Syntax and arguments of the script are tested; nothing was trained here.');
}

interface ManifestFlags {
  readonly plan?: string;
  readonly schema?: boolean;
  readonly json?: boolean;
}

function manifest(folder: string | undefined, { plan, schema, json }: ManifestFlags): void {
  if (schema) {
    printJson(trainingManifestJsonSchema());
    return;
  }
  if (folder === undefined) fail('USAGE', null, 'manifest needs a folder or --schema');
  const checked = verifyTrainingRun(folder);
  if (plan !== undefined) assertPlannedManifest(readStudyPlan(plan), checked);
  if (json) printJson(checked);
  else {
    const { condition, seed, files, status } = checked;
    printLine(`OK: ${condition}, seed ${seed}, ${files.length} files, ${status}`);
  }
}
