import { fail } from '../util/error.js';
import type { ModelOrder } from './model-order.js';

/** What an analysis can be asked; the command line makes an option of it. */
export interface AnalysisOption {
  /** As commander reads them: `--min-group <n>`. */
  readonly flags: string;
  readonly help: string;
  /** What its value is: a whole number of at least 1, any number, an unsigned 64-bit integer, texts; `repeated` is a text each time it is
   * given; `on` takes none. */
  readonly kind: 'count' | 'counts' | 'number' | 'seed' | 'text' | 'texts' | 'repeated' | 'on';
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** What a document means that does not state it, since its version knew no other rule. */
  readonly unstated?: string;
}

/** Options of an analysis that draws: its generator, its seed, its number of draws. */
export interface SampledOptions {
  readonly rng: 'philox' | 'numpy';
  /** The default depends on the generator. */
  readonly seed?: bigint;
  /** The published number unless given. */
  readonly draws?: number;
}

const DEFAULT_SEED = 20260820n;

export const RNG: AnalysisOption = {
  flags: '--rng <name>',
  help: 'generator; numpy replays the published streams',
  kind: 'text',
  choices: ['philox', 'numpy'],
  default: 'philox',
};

/** Which tasks form a stratum, whose mean weighs as every other's; its default is that of the command. */
export const strataOption = (value: 'panel-family' | 'family'): AnalysisOption => ({
  flags: '--strata <name>',
  help: 'parts that weigh the same: panel-family or family',
  kind: 'text',
  choices: ['panel-family', 'family'],
  default: value,
});

export const SEED: AnalysisOption = {
  flags: '--seed <n>',
  help: `seed, unsigned 64-bit (default: ${DEFAULT_SEED}; with numpy the published one)`,
  kind: 'seed',
};

export const ALPHA: AnalysisOption = {
  flags: '--alpha <x>',
  help: 'familywise error rate',
  kind: 'number',
  default: 0.05,
};

export const DRAWS: AnalysisOption = {
  flags: '--draws <n>',
  help: 'draws (default: the published number)',
  kind: 'count',
};

/** What may be chosen of tests, intervals and comparisons; left open, the data choose (decisions 2.6, 3). */
export const DECISION_OPTIONS: readonly AnalysisOption[] = [
  {
    flags: '--test <name>',
    help: 'test of a pair (default: centred with several strata, else sign-flip)',
    kind: 'text',
    choices: ['sign-flip', 'centred'],
  },
  {
    flags: '--multiplicity <name>',
    help: 'control of the familywise error',
    kind: 'text',
    choices: ['holm', 'max-t'],
  },
  {
    flags: '--interval <name>',
    help: 'interval of a score (default: by clusters and kind of data)',
    kind: 'text',
    choices: ['percentile', 'student', 'bootstrap-t', 'binomial'],
  },
  { flags: '--margin <points>', help: 'also test whether two models are equal within this difference', kind: 'number' },
  { flags: '--against <model>', help: 'compare all models with this one only; best: with the leader', kind: 'text' },
];

/** What is sampled: clusters and tasks inside them, or single tasks (decisions 5.3). */
export type Sampling = 'clusters' | 'tasks';

export const SAMPLING: AnalysisOption = {
  flags: '--sampling <what>',
  help: 'what is sampled: clusters, and tasks inside them, or tasks (default: clusters; with numpy tasks)',
  kind: 'text',
  choices: ['clusters', 'tasks'],
  unstated: 'tasks',
};

export const ORDER: AnalysisOption = {
  flags: '--order <name>',
  help: 'order of the models in sums and ties: model-id, or rows, as documents of version 1 (default: model-id; with numpy rows)',
  kind: 'text',
  choices: ['model-id', 'rows'],
  unstated: 'rows',
};

/** Rules that replays and documents of version 1 keep as they were. */
export interface RuleOptions {
  readonly rng?: 'philox' | 'numpy';
  readonly sampling?: Sampling;
  readonly order?: ModelOrder;
}

/** Chooses the rules of a call: a replay has those of the published analysis. Errors: USAGE for a replay by another rule. */
export function rulesOf({ rng, sampling, order }: RuleOptions): {
  readonly sampling: Sampling;
  readonly order: ModelOrder;
} {
  if (rng !== 'numpy') return { sampling: sampling ?? 'clusters', order: order ?? 'model-id' };
  if ((sampling ?? 'tasks') !== 'tasks' || (order ?? 'rows') !== 'rows')
    fail(
      'USAGE',
      null,
      `rng numpy replays published procedures only, and none of them has ${sampling === 'clusters' ? 'sampling clusters' : 'order model-id'}`,
      'Use rng philox.',
    );
  return { sampling: 'tasks', order: 'rows' };
}

/** Reads the long name of an option: `min-group`. */
export function optionName({ flags }: AnalysisOption): string {
  return /^--(?:no-)?([a-z-]+)/.exec(flags)![1]!;
}

/** Chooses generator and seed of a call: the published seed under numpy, ours under philox. */
export function randomOf({ rng, seed }: SampledOptions, published: bigint) {
  return { kind: rng, seed: seed ?? (rng === 'numpy' ? published : DEFAULT_SEED) } as const;
}

/** Names the stream that an analysis draws from, by its use; a replay has only its seed. */
export function streamOf({ rng }: SampledOptions, use: string, stream: number): Readonly<Record<string, number>> {
  return rng === 'numpy' ? {} : { [use]: stream };
}

/** What a document states of the call that made it. */
interface StatedCall {
  readonly plan: object;
  readonly rng: string | null;
  readonly seed: bigint | null;
}

/**
 * Finds the options of the call that made a document: generator and seed as it names them, the others from the keys of its plan that
 * have their names, and where it states none the default.
 */
export function statedOptions(options: readonly AnalysisOption[], { plan, rng, seed }: StatedCall): object {
  const stated = plan as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    options.map((option) => {
      const name = optionName(option);
      const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      if (option === RNG) return [key, rng?.startsWith('numpy') ? 'numpy' : 'philox'];
      if (option === SEED) return [key, seed ?? undefined];
      return [key, stated[name.replaceAll('-', '_')] ?? option.unstated ?? option.default];
    }),
  );
}
