import type { Command } from 'commander';
import { type CollectFlags, collect } from './collect/run.js';

export function register(program: Command): void {
  program
    .command('collect')
    .description('Ask every pending cell of a plan; stop and resume at any time.')
    .argument('<plan>', 'plan file, YAML or JSON')
    .option('--ledger <dir>', 'ledger folder', 'ledger')
    .option('--phase <phase>', 'only pilot, primary or repeat')
    .option('--dry-run', 'say what would be asked and what it may cost; no call, nothing written')
    .option('--limit <n>', 'ask at most n cells')
    .option('--retry <file>', 'ask these failed cells again and no others: one a line, as `ledger failures` prints')
    .option('--live', 'show completion, failures, cost and parse rates by model (no score)')
    .option('--max-wait <seconds>', 'longest Retry-After that is waited for, in seconds', '600')
    .option('--allow-unpinned', 'accept routes that could silently change; never ranked')
    .option('--ca <file>', 'PEM certificates of a private authority, trusted besides the public ones')
    .option('--agreement', 'print agreement of the repeat panel with the primary panel; no call')
    .option('--live-scores', 'with --agreement: also score differences; stamps the ledger scores_inspected for good')
    .option('--json', 'print the summary as JSON')
    .action((plan: string, flags: CollectFlags) => collect(plan, flags));
}
