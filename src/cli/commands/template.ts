import type { Command } from 'commander';
import { responseTemplate } from '../../responses/template.js';
import { coreTasks } from '../../tasks/coreplan.js';
import { rankedTasks } from '../../tasks/task.js';
import { readCorePlan, readTaskFiles } from '../../tasks/task-files.js';
import { printJson, printLine } from '../print.js';
import { forceOption, writeFiles } from '../write-output.js';

interface TemplateFlags {
  readonly tasks: string[];
  readonly core?: string;
  readonly model: string;
  readonly output: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Adds `template` to the program. */
export function register(program: Command): void {
  program
    .command('template')
    .description('Write a response file to fill in: every prompt, no answer.')
    .requiredOption('--tasks <files...>', 'task-set documents or task rows')
    .option('--core <plan>', 'the tasks of this core plan')
    .option('--model <id>', 'model name to put in every row', 'my-model')
    .option('--output <file>', 'response file', 'responses.jsonl')
    .addOption(forceOption())
    .option('--json', 'print the result as JSON')
    .action(async (flags: TemplateFlags) => {
      const files = readTaskFiles(flags.tasks);
      const tasks = flags.core === undefined ? rankedTasks(files.tasks) : coreTasks(readCorePlan(flags.core), files);
      await writeFiles([{ path: flags.output, data: responseTemplate(tasks, flags.model) }], {
        replace: flags.force === true,
      });
      if (flags.json) printJson({ output: flags.output, rows: tasks.length });
      else printLine(`${flags.output}: ${tasks.length} rows; put each answer in \`response\``);
    });
}
