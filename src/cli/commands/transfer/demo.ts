import { type Command, Option } from 'commander';
import { transferStudy } from '../../../analyses/contrast/study.js';
import { createEngine } from '../../../engine/index.js';
import type { Environment } from '../../../environment/environment.js';
import { openPantry } from '../../../environment/pantry/pantry.js';
import { openEnvironment } from '../../../environment/store.js';
import { envelope } from '../../../io/envelope.js';
import { inputFileAt } from '../../../io/read-file.js';
import { completionGrid } from '../../../transfer/completion.js';
import { PROBE_SCHEMA } from '../../../transfer/condition.js';
import { openShelf } from '../../../transfer/features.js';
import { generationLines } from '../../../transfer/generation.js';
import { type ProbeRun, runProbe } from '../../../transfer/probe.js';
import { CROSSED_STREAM, FLIP_STREAM } from '../../../transfer/stream.js';
import { fixed } from '../../../util/format.js';
import { RNG_ID } from '../../../util/version.js';
import { dataHome } from '../../data-home.js';
import { countOption, seedOption } from '../../options.js';
import { printLine, printText } from '../../print.js';
import { elsewhere } from '../../words-elsewhere.js';
import { printStudy, writeStudy } from './contrast-output.js';
import { type DemoTaskFlags, type DemoTasks, demoTasks } from './demo-tasks.js';
import { STUDY_WORDS } from './study-words.js';

interface DemoFlags extends DemoTaskFlags {
  readonly features?: string;
  readonly draws: number;
  readonly flips: number;
  readonly seed: bigint;
  readonly out: string;
  readonly json?: boolean;
}

const SEEDS = [20_260_824, 20_260_825, 20_260_826];
const ALPHA = 0.05;
const THRESHOLD = 3;

/** Adds `transfer demo`. */
export function registerDemo(transfer: Command): void {
  const command = transfer
    .command('demo')
    .description('The study end to end with the built-in learner: a linear probe, no language model, no network.')
    .option('--features <env>', 'embedding the learner sees (default: the built-in shelf)')
    .option('--maps <env>', 'environment whose maps teach and examine (default: that of the tasks)')
    .option('--tasks <files...>', 'task sets instead of a panel of the pantry')
    .option('--core <plan>', 'common-core plan whose tasks and anchors are kept out')
    .option('--per-stratum <n>', 'tasks a stratum of the pantry panel', countOption, 20)
    .option('--draws <n>', 'crossed bootstrap draws', countOption, 10_000)
    .option('--flips <n>', 'anchor sign flips', countOption, 20_000)
    .addOption(new Option('--seed <n>', 'seed of the streams').argParser(seedOption).default(20_260_820n, '20260820'))
    .option('--out <folder>', 'folder to write', 'transfer-demo')
    .option('--json', 'print the analysis document')
    .action(demo);
  elsewhere(command, {
    ...STUDY_WORDS,
    '--rng <name>': [
      'the demonstration has draws of its own, and no published ones to replay',
      'Leave it out; `transfer contrast --rng numpy` replays those of a study.',
    ],
  });
}

async function demo(flags: DemoFlags): Promise<void> {
  let opened: Environment | undefined;
  const pantry = () => {
    opened ??= openPantry();
    return opened;
  };
  const tasks = await demoTasks(flags, pantry);
  const features =
    flags.features === undefined
      ? openShelf(pantry())
      : await openEnvironment({ home: dataHome(), name: flags.features });
  const { split, rule, maps } = tasks;
  const probe = await runProbe({
    split,
    features,
    seeds: SEEDS,
    controlSalt: rule.controlSalt!,
  });
  const byId = new Map(split.evaluation.map(({ task }) => [task.id, task]));
  const grid = completionGrid(probe.completions, byId, { expected: [...byId.keys()] });
  const engine = await createEngine({ backend: 'wasm' });
  const { draws, flips, seed, out } = flags;
  const result = await transferStudy(
    grid,
    {
      ...{ stage: 'primary', draws, flips, alpha: ALPHA, threshold: THRESHOLD },
      random: { kind: 'philox', seed },
    },
    engine,
  ).finally(() => engine.close());
  const { text } = envelope({
    schema: PROBE_SCHEMA,
    plan: {
      ...{ draws, flips, alpha: ALPHA, threshold_points: THRESHOLD },
      learner: 'softmax over 11 portfolio features, linear, one weight vector a family',
      features: { name: features.name, sha256: features.identity.sha256 },
      maps,
      rule: { ...rule },
    },
    inputs: (flags.tasks ?? []).map((path) => inputFileAt('tasks', path)),
    rng: RNG_ID.philox,
    seed,
    streams: { bootstrap: CROSSED_STREAM, flips: FLIP_STREAM },
    results: { ...result, training: probe.training },
    run: { backend: engine.backend, threads: engine.threads, reason: 'small job', warnings: [] },
  });
  const learner = `a linear probe on ${features.name} features`;
  const study = { out, results: [result], plan: { alpha: ALPHA, threshold_points: THRESHOLD }, learner };
  await writeStudy(study, {
    'completions.jsonl': generationLines(grid),
    'analysis.json': text,
  });
  if (flags.json) {
    printText(text);
    return;
  }
  printSetting(tasks, features, probe);
  printStudy(study);
  printLine(
    'The learner is a linear probe: it shows that the maps can be learned from another embedding, not that a language model learns them.',
  );
  printLine(`Written to ${out}`);
}

function printSetting({ split, maps }: DemoTasks, features: Environment, probe: ProbeRun): void {
  printLine(
    `${split.train.length} tasks to learn from, ${split.evaluation.length} held-out anchors; maps of ${maps}, features of ${features.name}.`,
  );
  const { first_loss, last_loss } = probe.training.at(-1)!;
  printLine(
    `Cross-entropy of the last trained probe: ${fixed(first_loss, 3)} after one epoch, ${fixed(last_loss, 3)} at the end (a uniform guess: ${fixed(Math.log(56), 3)}).\n`,
  );
}
