import type { Command } from 'commander';
import { Option } from 'commander';
import { ARMS, type Arm, trainingRecipe } from '../../../transfer/recipe.js';
import { readStudyPlan } from '../../../transfer/study-plan.js';
import { verifyTrainingRun } from '../../../transfer/training-manifest.js';
import { writeAtomic } from '../../../util/file.js';
import { countOption } from '../../options.js';
import { printJson, printLine } from '../../print.js';
import { dataDigests } from './plan.js';

interface RecipeFlags {
  readonly base: string;
  readonly arm: Arm;
  readonly seed: number;
  readonly data: string;
  readonly plan?: string;
  readonly smokeSteps?: number;
  readonly out: string;
}

/** `transfer recipe | manifest`. */
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
    .action((flags: RecipeFlags) => {
      const script = trainingRecipe({
        base: flags.base,
        arm: flags.arm,
        seed: flags.seed,
        data: dataDigests(flags.data),
        protocolSha256: flags.plan === undefined ? null : readStudyPlan(flags.plan).artifact_sha256,
        maxSteps: flags.smokeSteps ?? null,
      });
      writeAtomic(flags.out, script, 0o755);
      printLine(`Wrote ${flags.out}. Run: uv run ${flags.out} ${flags.data} OUTPUT_FOLDER`);
      printLine('It was compiled and its arguments checked here; it was not trained here.');
    });
  transfer
    .command('manifest <folder>')
    .description('Check the manifest of a training run against the files beside it.')
    .option('--json', 'print JSON')
    .action((folder: string, { json }: { readonly json?: boolean }) => {
      const manifest = verifyTrainingRun(folder);
      if (json) printJson(manifest);
      else
        printLine(
          `OK: ${manifest.condition}, seed ${manifest.seed}, ${manifest.files.length} files, ${manifest.status}`,
        );
    });
}
