import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { readText, writeAtomic } from '../../io/file.js';
import { FlavourError } from '../../util/error.js';
import { countOption } from '../options.js';
import { colour, printJson, printLine, printTable } from '../print.js';

const PLAN = fileURLToPath(new URL('../../../fixtures/plans/demo.yaml', import.meta.url));

/** One command of the demonstration, as a person would type it. */
interface DemoStep {
  readonly title: string;
  readonly argv: readonly string[];
  load(): Promise<{ register(program: Command): void }>;
}

interface DemoOptions {
  /** Folder everything is written to. */
  readonly out: string;
  /** Tasks a stratum; a family has four strata a panel. */
  readonly perStratum: number;
}

/** Seeds of everything the demonstration makes: two runs give the same bytes. */
const SEEDS = { one: 'pantry-demo-1', two: 'pantry-demo-2', core: 'pantry-demo-core' } as const;

const compile = () => import('./compile.js');

/** The demonstration, in order. Each step reads what the steps before it have written. */
function demoSteps({ out, perStratum }: DemoOptions): DemoStep[] {
  const at = (name: string) => `${out}/${name}`;
  const panel = [
    ...['compile', '--env', 'pantry', '--only-families', 'substitution,pairing,constraint'],
    ...['--per-stratum', String(perStratum)],
  ];
  const ledger = ['--ledger', at('ledger')];
  const tasks = ['--tasks', at('panel-1.json'), at('panel-2.json')];
  return [
    {
      title: 'Compile the first panel: all 56 portfolios of every task are scored before anybody is asked',
      argv: [...panel, '--seed', SEEDS.one, '--out', at('panel-1.json')],
      load: compile,
    },
    {
      title: 'Compile the second panel from anchors the first one does not use',
      argv: [
        ...panel,
        ...['--seed', SEEDS.two, '--panel', '2', '--after', at('panel-1.json')],
        ...['--out', at('panel-2.json')],
      ],
      load: compile,
    },
    {
      title: 'Prove the two panels: every digest, map, optimum and prompt',
      argv: ['tasks', 'verify', at('panel-1.json'), at('panel-2.json')],
      load: () => import('./tasks.js'),
    },
    {
      title: 'Ask twelve simulated responders; every answer becomes a record of the ledger',
      argv: ['collect', at('plan.yaml'), ...ledger],
      load: () => import('./collect.js'),
    },
    {
      title: 'Prove the ledger: every journal line and record',
      argv: ['ledger', 'verify', at('ledger')],
      load: () => import('./ledger.js'),
    },
    {
      title: 'Choose the tasks that every responder completed, without looking at a score',
      argv: [
        ...['core', 'freeze', ...ledger, ...tasks],
        ...['--seed', SEEDS.core, '--per-stratum', 'auto', '--out', at('core.json')],
      ],
      load: () => import('./core.js'),
    },
    {
      title: 'Score the answers to those tasks',
      argv: ['core', 'matrix', '--core', at('core.json'), ...ledger, ...tasks, '--out', at('scores.arrow')],
      load: () => import('./core.js'),
    },
    {
      title: 'Infer: intervals, paired tests over all pairs, rank sets, letters',
      argv: ['infer', '--scores', at('scores.arrow'), '--out', at('inference')],
      load: () => import('./infer.js'),
    },
    {
      title: 'Ask how far that can be believed: fewer tasks, other weights, a model less',
      argv: [
        ...['sensitivity', 'all', '--scores', at('scores.arrow'), ...ledger, ...tasks],
        ...['--core', at('core.json'), '--inference', at('inference/inference.json')],
        ...['--out', at('sensitivity')],
      ],
      load: () => import('./sensitivity.js'),
    },
    {
      title:
        'Train a linear probe on other tasks, beside one that learns the format alone, and examine both on new anchors',
      argv: ['transfer', 'demo', '--per-stratum', '12', '--out', at('transfer')],
      load: () => import('./transfer.js'),
    },
    {
      title: 'Build the release: everything, with tables, figures and raw answers',
      argv: [
        ...['release', 'build', ...ledger, ...tasks, '--core', at('core.json')],
        ...['--inference', at('inference/inference.json')],
        ...['--analyses', at('sensitivity'), at('transfer/analysis.json')],
        ...['--title', 'Pantry', '--force', '--out', at('release')],
      ],
      load: () => import('./release.js'),
    },
    {
      title: 'Verify it as a stranger would: from the answers to every number',
      argv: ['release', 'verify', at('release')],
      load: () => import('./release.js'),
    },
    {
      title: 'Put it on one page',
      argv: ['release', 'report', at('release'), '--out', at('report.html')],
      load: () => import('./release.js'),
    },
  ];
}

/** What a reader may open afterwards: file and what it shows. */
const DEMO_FILES: readonly (readonly [string, string])[] = [
  ['report.html', 'all results on one page: open it in a browser'],
  ['panel-1.json', 'tasks with prompt, choices, scores of 56 answers'],
  ['ledger/', 'one record an answer, a journal of every attempt'],
  ['core.json', 'which tasks count, chosen without a look at scores'],
  ['scores.arrow', 'the score matrix: responders x tasks, basis points'],
  ['inference/leaderboard.csv', 'scores, intervals, rank sets, letters'],
  ['inference/pairwise.csv', 'every pair: difference, interval, p, Holm'],
  ['inference/inference.json', 'all of it, with plan, seed and digests'],
  ['sensitivity/*.png', 'one figure an analysis, beside its document and table'],
  ['transfer/transfer.png', 'what training on maps did, by seed, with interval'],
  ['release/', 'all of it for others: tables, answers, a manifest'],
];

/** Adds `demo` to the program. */
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
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    // What a hint names are options of the step, which this command lacks.
    const { code, message, hint, where, exit } = error;
    const step = `flavourbench ${argv[0]}`;
    throw new FlavourError(code, message, {
      hint: `Choose another --per-stratum (6 unless given). Of the step by itself, \`${step}\`: ${hint}`,
      where,
      exit,
      cause: error,
    });
  }
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
