import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { readText, writeAtomic } from '../../io/file.js';
import { colour } from '../colour.js';
import { countOption } from '../options.js';
import { printJson, printLine, printTable } from '../print.js';
import { DEMO_FILES, type DemoOptions, type DemoStep, demoSteps } from './demo/steps.js';

const PLAN = fileURLToPath(new URL('../../../fixtures/plans/demo.yaml', import.meta.url));

export function register(program: Command): void {
  program
    .command('demo')
    .description('The whole path on the built-in pantry with simulated responders; no network.')
    .option('--out <folder>', 'where everything is written', 'flavourbench-demo')
    .option('--per-stratum <n>', 'tasks a stratum (23 makes panels of the published size)', countOption, 6)
    .option('--json', 'print the steps and what to look at as JSON')
    .action(demo);
}

async function tellStep({ title, argv, load }: DemoStep, number: number): Promise<void> {
  printLine(`\n${colour.bold(`${number}. ${title}`)}`);
  printLine(colour.dim(`   flavourbench ${argv.join(' ')}`));
  await runCommand({ argv, load });
}

async function runCommand({ argv, load }: Pick<DemoStep, 'argv' | 'load'>): Promise<void> {
  const program = new Command('flavourbench').exitOverride();
  (await load()).register(program);
  await program.parseAsync([...argv], { from: 'user' });
}

/** Runs a step and keeps what it says off standard output, which is for JSON then. */
async function muteStep(step: DemoStep): Promise<void> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    await runCommand(step);
  } finally {
    process.stdout.write = write;
  }
}

/** Runs the steps in this process; the first that does not end well ends the demonstration with its exit code. */
async function demo(options: DemoOptions & { readonly json?: boolean }): Promise<void> {
  const { out, json } = options;
  if (!json)
    printLine(
      'Everything below is SIMULATED: a hand-made pantry (docs/pantry.md) and responders that are formulas, not models.',
    );
  writeAtomic(join(out, 'plan.yaml'), readText(PLAN));
  const steps = demoSteps(options);
  let failed: string | null = null;
  for (const [index, step] of steps.entries()) {
    await (json ? muteStep(step) : tellStep(step, index + 1));
    if ((process.exitCode ?? 0) !== 0) {
      failed = step.title;
      break;
    }
  }
  if (json) {
    printJson({
      simulated: true,
      folder: out,
      failed,
      steps: steps.map(({ title, argv }) => ({ title, argv })),
      files: DEMO_FILES.map(([file, shows]) => ({ file, shows })),
    });
  }
  if (json || failed !== null) return;
  printLine(`\n${colour.bold(`What to look at in ${out}`)}`);
  printTable(['file', 'what it shows'], DEMO_FILES);
  printLine(
    '\nThe simulated skill is in the name: the ranks should follow it, and close neighbours may not be told apart.',
  );
}
