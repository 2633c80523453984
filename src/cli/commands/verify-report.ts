import type { Command } from 'commander';
import { openAnswers } from '../../responses/answer-file.js';
import { REPORT_SEED } from '../../responses/report.js';
import { verifyReport } from '../../responses/score-files.js';
import { fail } from '../../util/error.js';
import { seedOption } from '../options.js';
import { printJson, printLine } from '../print.js';

interface VerifyFlags {
  readonly tasks?: string[];
  readonly responses?: string;
  readonly core?: string;
  readonly model?: string;
  readonly seed?: bigint;
  readonly json?: boolean;
}

/** Adds `verify-report` to the program. */
export function register(program: Command): void {
  program
    .command('verify-report')
    .description('Verify a report: its digest and its sums; with its inputs, every score anew.')
    .argument('<report>', 'report file')
    .option('--tasks <files...>', 'task files: with --responses, score again and compare')
    .option('--responses <file>', 'the answers that were scored')
    .option('--core <plan>', 'core plan that was used')
    .option('--model <id>', 'model whose rows were scored')
    .option('--seed <n>', `seed of the inference (default: ${REPORT_SEED})`, seedOption)
    .option('--json', 'print the result as JSON')
    .action(async (report: string, flags: VerifyFlags) => {
      if ((flags.tasks === undefined) !== (flags.responses === undefined)) {
        fail(
          'USAGE',
          null,
          '--tasks and --responses go together',
          'Give both to score again, or neither to check the report alone.',
        );
      }
      const { tasks, responses, core, model, seed } = flags;
      const { document, rescored } = verifyReport({
        report,
        seed,
        tasks,
        responses: responses === undefined ? undefined : await openAnswers(responses),
        core,
        model,
      });
      const { artifact_sha256, comparable } = document;
      if (flags.json) {
        printJson({ report, artifact_sha256, comparable, rescored });
        return;
      }
      printLine(`OK: ${report} ${artifact_sha256}`);
      printLine(
        rescored
          ? 'Every answer was scored again and agrees. That the answers came from the model cannot be proved here.'
          : 'The report agrees with itself; give --tasks and --responses to score the answers again.',
      );
    });
}
