import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { readText, writeAtomic } from '../../util/file.js';
import { colour } from '../colour.js';
import { countOption } from '../options.js';
import { printLine, printTable } from '../print.js';
import { DEMO_FILES, type DemoOptions, type DemoStep, demoSteps } from './demo/steps.js';

const PLAN = fileURLToPath(new URL('../../../fixtures/plans/demo.yaml', import.meta.url));

export function register(program: Command): void {
  program
    .command('demo')
    .description('The whole path on the built-in pantry with simulated responders; no network.')
    .option('--out <folder>', 'where everything is written', 'flavourbench-demo')
    .option(
      '--per-stratum <n>',
      'tasks a stratum (23 makes panels of the published size)',
      countOption,
      6,
    )
    .action(demo);
}

async function runStep({ title, argv, load }: DemoStep, number: number): Promise<void> {
  printLine(`\n${colour.bold(`${number}. ${title}`)}`);
  printLine(colour.dim(`   flavourbench ${argv.join(' ')}`));
  const program = new Command('flavourbench').exitOverride();
  (await load()).register(program);
  await program.parseAsync([...argv], { from: 'user' });
}

/** Runs the steps in this process; the first that does not end well ends the demonstration with its exit code. */
async function demo(options: DemoOptions): Promise<void> {
  printLine(
    'Everything below is SIMULATED: a hand-made pantry (docs/pantry.md) and responders that are formulas, not models.',
  );
  writeAtomic(join(options.out, 'plan.yaml'), readText(PLAN));
  for (const [index, step] of demoSteps(options).entries()) {
    await runStep(step, index + 1);
    if ((process.exitCode ?? 0) !== 0) return;
  }
  printLine(`\n${colour.bold(`What to look at in ${options.out}`)}`);
  printTable(['file', 'what it shows'], DEMO_FILES);
  printLine(
    '\nThe simulated skill is in the name: the ranks should follow it, and close neighbours may not be told apart.',
  );
}
