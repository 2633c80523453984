import type { Command } from 'commander';
import { verifyTaskFiles } from '../../../tasks/task-files.js';
import { printJson, printLine } from '../../print.js';

/** Adds `tasks verify`. */
export function registerTaskVerify(tasks: Command): void {
  tasks
    .command('verify')
    .description('Check every digest and invariant of task files; name the first difference.')
    .argument('<files...>', 'task-set documents or task rows')
    .option('--json', 'print the result as JSON')
    .action((files: string[], flags: { json?: boolean }) => {
      const verified = verifyTaskFiles(files);
      if (flags.json) {
        printJson(
          verified.map(({ path, kind, tasks: list, semanticSha256, physicalSha256, released }) => ({
            path,
            kind,
            tasks: list.length,
            semantic_sha256: semanticSha256,
            physical_sha256: physicalSha256,
            released,
          })),
        );
        return;
      }
      for (const { path, kind, tasks: list, semanticSha256, released } of verified) {
        const what = released
          ? kind === 'rows'
            ? 'the released core'
            : 'a released task set'
          : kind === 'rows'
            ? 'task rows, bound to no published digest'
            : 'a sealed task set';
        printLine(`OK: ${path}: ${list.length} tasks, ${what}, ${semanticSha256}`);
      }
    });
}
