import type { Command } from 'commander';
import { responseTemplate } from '../../responses/template.js';
import { coreTasks } from '../../tasks/coreplan.js';
import { rankedTasks } from '../../tasks/task.js';
import { readCorePlan, readTaskFiles } from '../../tasks/task-files.js';
import { oldSpelling } from '../old-spelling.js';
import { printJson, printLine } from '../print.js';
import { givenTasks, taskFiles } from '../task-files-option.js';
import { forceOption, writeFiles } from '../write-output.js';

interface TemplateFlags {
  readonly tasks?: readonly string[];
  readonly core?: string;
  readonly model: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Adds `template` to the program. */
export function register(program: Command): void {
  const command = taskFiles(program.command('template'), 'task-set documents or task rows')
    .description('Write a response file to fill in: every prompt, no answer.')
    .option('--core <plan>', 'the tasks of this core plan')
    .option('--model <id>', 'model name to put in every row', 'my-model')
    .option('--out <file>', 'response file', 'responses.jsonl')
    .addOption(forceOption())
    .option('--json', 'print the result as JSON')
    .action(async (given: readonly string[], flags: TemplateFlags) => {
      const files = readTaskFiles(givenTasks(given, flags.tasks));
      const tasks = flags.core === undefined ? rankedTasks(files.tasks) : coreTasks(readCorePlan(flags.core), files);
      await writeFiles([{ path: flags.out, data: responseTemplate(tasks, flags.model) }], {
        replace: flags.force === true,
      });
      if (flags.json) printJson({ output: flags.out, rows: tasks.length });
      else printLine(`${flags.out}: ${tasks.length} rows; put each answer in \`response\``);
    });
  oldSpelling(command, '--output <file>', 'out');
}
