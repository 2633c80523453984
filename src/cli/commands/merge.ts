import type { Command } from 'commander';
import { parserNamed } from '../../responses/parser.js';
import { printLine, printText } from '../print.js';

interface MergeFlags {
  readonly out: string;
  readonly json?: boolean;
}

async function merge(shards: readonly string[], { out, json }: MergeFlags): Promise<void> {
  const { mergeBatchFolders } = await import('./rescore/merge-folders.js');
  const { printTotals } = await import('./rescore/tables.js');
  const { totals, state, parts, text } = mergeBatchFolders(shards, out);
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
    .argument('<shards...>', 'folders that `rescore --shard` wrote')
    .requiredOption('--out <folder>', 'where the whole goes, as one call without --shard would have written it')
    .option('--json', 'print the result document')
    .action(merge);
}
