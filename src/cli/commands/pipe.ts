import { once } from 'node:events';
import type { Command } from 'commander';
import { answerPipe } from '../../server/pipe.js';
import { openService, type ServiceFiles } from '../../server/service.js';
import { plainJson } from '../../util/text.js';

/** Adds `pipe`. */
export function register(program: Command): void {
  program
    .command('pipe')
    .description('Answer requests, one JSON object a line, on standard output: score, reward, audit, infer.')
    .option('--tasks <files...>', 'task-set documents or task rows that requests name by id')
    .option('--core <plan>', 'refuse rewards of the tasks of this core, and infer over its tasks')
    .option('--json', 'print JSON, which this command always does')
    .action(runPipe);
}

async function runPipe(files: ServiceFiles): Promise<void> {
  const service = openService(files);
  try {
    await answerPipe({
      input: process.stdin,
      write: async (text) => {
        if (!process.stdout.write(plainJson(text))) await once(process.stdout, 'drain');
      },
      service,
    });
  } finally {
    await service.close();
  }
}
