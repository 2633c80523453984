import type { Command } from 'commander';
import { coreOrderKey } from '../../tasks/coreplan.js';
import { RELEASED_CORE_PLAN_SHA256 } from '../../tasks/released-digests.js';
import { verifyCorePlan } from '../../tasks/task-files.js';
import { plain, printJson, printLine } from '../print.js';
import { registerFreeze } from './core/freeze.js';
import { registerMatrix } from './core/matrix.js';

function registerCoreShow(core: Command): void {
  core
    .command('show')
    .description("A plan's task ids by panel and family; checks its digests and hash order.")
    .argument('<plan>', 'common-core plan')
    .option('--keys', 'print the order key of each task too')
    .option('--json', 'print the strata as JSON')
    .action((path: string, flags: { keys?: boolean; json?: boolean }) => {
      const plan = verifyCorePlan(path);
      const released = plan.artifactSha256 === RELEASED_CORE_PLAN_SHA256;
      if (flags.json) {
        printJson({
          artifact_sha256: plan.artifactSha256,
          released,
          seed: plan.seed,
          tasks: plan.ids.length,
          hash_order: 'ascending',
          strata: plan.strata,
        });
        return;
      }
      for (const { panel, family, ids } of plan.strata) {
        printLine(`${plain(panel)}  ${plain(family)}  ${ids.length} tasks`);
        for (const id of ids) {
          const key = flags.keys ? `${coreOrderKey(plan.seed, panel, family, id)}  ` : '';
          printLine(`  ${key}${plain(id)}`);
        }
      }
      const what = released ? 'the released plan' : 'a plan';
      printLine(
        `OK: ${plan.ids.length} tasks in ${plan.strata.length} strata, hash order and digests agree; ${what}, ${plan.artifactSha256}`,
      );
    });
}

/** Adds `core` and its subcommands. */
export function register(program: Command): void {
  const core = program.command('core').description('The common core: tasks every model answered.');
  registerFreeze(core);
  registerMatrix(core);
  registerCoreShow(core);
}
