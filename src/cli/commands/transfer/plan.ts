import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { freezeStudy } from '../../../transfer/study-plan.js';
import { canonicalJson } from '../../../util/canonical.js';
import { sha256 } from '../../../util/digest.js';
import { readInput, writeOnce } from '../../../util/file.js';
import { countOption, numberOption } from '../../options.js';
import { printJson, printLine } from '../../print.js';

interface PlanFlags {
  readonly base: string;
  readonly data: string;
  readonly seeds: readonly string[];
  readonly secondaryTasks?: string;
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
  readonly threshold: number;
  readonly out: string;
  readonly json?: boolean;
}

/** Digests of the row files in a data folder. */
export function dataDigests(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return new Map(names.sort().map((name) => [name, sha256(readInput(join(folder, name)))]));
}

/** `transfer plan`. */
export function registerPlan(transfer: Command): void {
  transfer
    .command('plan')
    .description('Freeze a study before any outcome: data, seeds, decoding, estimand, threshold.')
    .requiredOption('--base <model@revision>', 'base model at a pinned commit')
    .requiredOption('--data <folder>', 'folder that `transfer split` wrote')
    .option('--seeds <n...>', 'training seeds', ['20260824', '20260825', '20260826'])
    .option('--secondary-tasks <file>', 'public task file of the secondary evaluation')
    .option('--draws <n>', 'crossed bootstrap draws', countOption, 50_000)
    .option('--flips <n>', 'anchor sign flips', countOption, 100_000)
    .option('--alpha <x>', 'error rate', numberOption, 0.05)
    .option('--threshold <points>', 'practical threshold', numberOption, 3)
    .option('--out <folder>', 'folder to write the plan to', '.')
    .option('--json', 'print JSON')
    .action((flags: PlanFlags) => {
      const { base, alpha, draws, flips, threshold } = flags;
      const plan = freezeStudy({
        base,
        seeds: flags.seeds.map(countOption),
        data: dataDigests(flags.data),
        primaryTasks: sha256(readInput(join(flags.data, 'evaluation_tasks.jsonl'))),
        secondaryTasks:
          flags.secondaryTasks === undefined ? null : sha256(readInput(flags.secondaryTasks)),
        alpha,
        draws,
        flips,
        threshold,
      });
      const path = join(flags.out, `transfer-plan-${plan.artifact_sha256}.json`);
      const fresh = writeOnce(path, `${canonicalJson(plan)}\n`);
      if (flags.json) printJson({ path, protocol_sha256: plan.artifact_sha256, fresh });
      else printLine(`${fresh ? 'Frozen' : 'Already frozen'}: ${path}`);
    });
}
