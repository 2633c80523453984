import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { parserNamed } from '../../responses/parser.js';
import { printLine, printText } from '../print.js';
import { forceOption } from '../write-output.js';

interface MergeFlags {
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

async function merge(shards: readonly string[], { out, force, json }: MergeFlags): Promise<void> {
  if (!statSync(shards[0]!, { throwIfNoEntry: false })?.isDirectory()) {
    const { mergeCall } = await import('../sharing/merge-call.js');
    return mergeCall(shards, ['--out', out, ...(force ? ['--force'] : []), ...(json ? ['--json'] : [])]);
  }
  const { mergeBatchFolders } = await import('./rescore/merge-folders.js');
  const { printTotals } = await import('./rescore/tables.js');
  const { totals, state, parts, text } = await mergeBatchFolders(shards, out, force === true);
  if (json) printText(text);
  else {
    printTotals(totals, parserNamed(state.plan.parser)!);
    printLine(`Written to ${out}: ${parts} parts of ${shards.length} shards, summary.json, summary.csv`);
  }
}

/** Adds `merge` to the program. */
export function register(program: Command): void {
  program
    .command('merge')
    .description('Put the shards of a work together: what --shard 1/N to N/N wrote, every one of them.')
    .argument('<shards...>', 'files that a command wrote with --shard, or folders that `rescore --shard` wrote')
    .requiredOption('--out <path>', 'where the whole goes, as one call without --shard would have written it')
    .addOption(forceOption())
    .option('--json', 'print the result document')
    .action(merge);
}
