import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { canonicalJson } from '../../../io/canonical.js';
import { sha256 } from '../../../io/digest.js';
import { readInput, writeOnce } from '../../../io/file.js';
import { isObject } from '../../../io/json.js';
import { readObject } from '../../../io/read-file.js';
import { readTaskSet } from '../../../tasks/task-files.js';
import { sealedTasks } from '../../../transfer/primary-seal.js';
import { tasksContent } from '../../../transfer/seal-schema.js';
import { assertOwnTasks } from '../../../transfer/secondary-stage.js';
import { freezeStudy, readStudyPlan, sameStudy } from '../../../transfer/study-plan.js';
import type { StudyPlan } from '../../../transfer/study-plan-schema.js';
import { fail } from '../../../util/error.js';
import { countOption, numberOption } from '../../options.js';
import { printJson, printLine } from '../../print.js';

interface PlanFlags {
  readonly base: string;
  readonly data: string;
  readonly seeds: readonly string[];
  readonly secondaryTasks?: string;
  readonly rng: 'philox' | 'numpy';
  readonly draws: number;
  readonly flips: number;
  readonly alpha: number;
  readonly threshold: number;
  readonly out: string;
  readonly json?: boolean;
}

/**
 * Gives the digests of the row files in a data folder, which are those that its manifest lists: of others nothing was proved. Errors:
 * INPUT_NOT_FOUND, SCHEMA_INVALID, DIGEST_MISMATCH (exit 4).
 */
export function dataDigests(folder: string): Map<string, string> {
  const file = join(folder, 'manifest.json');
  const { files } = readObject(file);
  const listed = new Map(
    (Array.isArray(files) ? files : []).filter(isObject).map(({ name, sha256: digest }) => [name, digest]),
  );
  const there = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const names = new Set([...there, ...[...listed.keys()].map(String)]);
  const found = new Map<string, string>();
  for (const name of [...names].sort()) {
    const digest = sha256(readInput(join(folder, name)));
    if (listed.get(name) !== digest) {
      fail(
        'DIGEST_MISMATCH',
        { file: join(folder, name) },
        `${file} does not list this file with these bytes`,
        'Give the folder as `transfer split` wrote it; what was added or changed since, no proof covers.',
        { exit: 4 },
      );
    }
    found.set(name, digest);
  }
  return found;
}

/** Finds a plan of a folder that fixes the same and was frozen before: it stands, with its digest and its time. */
function frozenBefore(folder: string, own: StudyPlan): { readonly path: string; readonly plan: StudyPlan } | undefined {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names
    .filter((name) => /^transfer-plan-[0-9a-f]{64}\.json$/.test(name))
    .map((name) => ({ path: join(folder, name), plan: readStudyPlan(join(folder, name)) }))
    .find(({ plan }) => sameStudy(plan, own));
}

/** Adds `transfer plan`. */
export function registerPlan(transfer: Command): void {
  transfer
    .command('plan')
    .description('Freeze a study before any outcome: data, seeds, decoding, estimand, threshold.')
    .requiredOption('--base <model@revision>', 'base model at a pinned commit')
    .requiredOption('--data <folder>', 'folder that `transfer split` wrote')
    .option('--seeds <n...>', 'training seeds', ['20260824', '20260825', '20260826'])
    .option('--secondary-tasks <file>', 'public task file of the secondary evaluation')
    .addOption(
      new Option('--rng <name>', 'numpy replays the published procedure')
        .choices(['philox', 'numpy'])
        .default('philox'),
    )
    .option('--draws <n>', 'crossed bootstrap draws', countOption, 50_000)
    .option('--flips <n>', 'anchor sign flips', countOption, 100_000)
    .option('--alpha <x>', 'error rate', numberOption, 0.05)
    .option('--threshold <points>', 'practical threshold', numberOption, 3)
    .option('--out <folder>', 'folder to write the plan to', '.')
    .option('--json', 'print JSON')
    .action((flags: PlanFlags) => {
      const { base, alpha, draws, flips, threshold } = flags;
      const evaluation = join(flags.data, 'evaluation_tasks.jsonl');
      const primary = sealedTasks(readTaskSet(evaluation).tasks);
      if (flags.secondaryTasks !== undefined) assertOwnTasks(primary, readTaskSet(flags.secondaryTasks).tasks);
      const plan = freezeStudy({
        base,
        seeds: flags.seeds.map(countOption),
        data: dataDigests(flags.data),
        primaryTasks: sha256(readInput(evaluation)),
        primaryContent: tasksContent(primary),
        secondaryTasks: flags.secondaryTasks === undefined ? null : sha256(readInput(flags.secondaryTasks)),
        rng: flags.rng,
        alpha,
        draws,
        flips,
        threshold,
        at: new Date().toISOString(),
      });
      const before = frozenBefore(flags.out, plan);
      const path = before?.path ?? join(flags.out, `transfer-plan-${plan.artifact_sha256}.json`);
      const fresh = before === undefined && writeOnce(path, `${canonicalJson(plan)}\n`);
      const { artifact_sha256: digest } = before?.plan ?? plan;
      if (flags.json) printJson({ path, protocol_sha256: digest, fresh });
      else printLine(`${fresh ? 'Frozen' : 'Already frozen'}: ${path}`);
    });
}
