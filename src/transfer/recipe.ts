import { readFileSync } from 'node:fs';
import { canonicalJson } from '../util/canonical.js';
import { FlavourError, shown } from '../util/error.js';
import { CONTROL, TREATMENT } from './condition.js';

export type Arm = 'sft' | 'control' | 'dpo' | 'grpo';
export const ARMS: readonly Arm[] = ['sft', 'control', 'dpo', 'grpo'];

/** Library versions a recipe pins (collection 5). */
export const RECIPE_PACKAGES: Readonly<Record<string, string>> = {
  accelerate: '1.14.0',
  datasets: '5.0.1',
  peft: '0.20.0',
  transformers: '5.15.1',
  trl: '1.10.0',
};

interface ArmFacts {
  readonly condition: string;
  /** Python file with the arm's code. */
  readonly code: string;
  /** Stem of its two data files. */
  readonly stem: string;
  readonly training: Readonly<Record<string, number | string>>;
}

const SHARED = { schedule: 'cosine', warmup_ratio: 0.1, weight_decay: 0 };
const SUPERVISED = {
  ...SHARED,
  epochs: 3,
  batch: 2,
  accumulation: 8,
  learning_rate: 1e-4,
  max_length: 1024,
};

/** Hyper-parameters of the paper for the two supervised arms (compiler e.6), of the public recipes for the others. */
const FACTS: Readonly<Record<Arm, ArmFacts>> = {
  sft: { condition: TREATMENT, code: 'sft.py', stem: 'sft', training: SUPERVISED },
  control: {
    condition: CONTROL,
    code: 'sft.py',
    stem: 'sft_format_control',
    training: SUPERVISED,
  },
  dpo: {
    condition: 'dpo_epicure_preferences',
    code: 'dpo.py',
    stem: 'dpo',
    training: {
      ...SHARED,
      epochs: 1,
      batch: 2,
      accumulation: 8,
      learning_rate: 5e-7,
      max_length: 1024,
      beta: 0.1,
    },
  },
  grpo: {
    condition: 'grpo_epicure_map',
    code: 'grpo.py',
    stem: 'grpo',
    training: {
      ...SHARED,
      epochs: 1,
      batch: 4,
      accumulation: 4,
      learning_rate: 1e-6,
      generations: 4,
      max_completion_length: 64,
    },
  },
};

/** Arguments the pinned trainers' configurations accept and the recipes may use. */
export const TRAINER_ARGUMENTS: Readonly<Record<string, readonly string[]>> = (() => {
  const shared = [
    'output_dir',
    'num_train_epochs',
    'max_steps',
    'per_device_train_batch_size',
    'per_device_eval_batch_size',
    'gradient_accumulation_steps',
    'learning_rate',
    'lr_scheduler_type',
    'warmup_ratio',
    'weight_decay',
    'optim',
    'gradient_checkpointing',
    'full_determinism',
    'fp16',
    'seed',
    'data_seed',
    'eval_strategy',
    'save_strategy',
    'logging_steps',
    'report_to',
  ];
  return {
    SFTConfig: [...shared, 'max_length', 'completion_only_loss'],
    DPOConfig: [...shared, 'max_length', 'beta'],
    GRPOConfig: [...shared, 'num_generations', 'max_completion_length', 'remove_unused_columns'],
    LoraConfig: ['r', 'lora_alpha', 'lora_dropout', 'bias', 'target_modules', 'task_type'],
  };
})();

export interface RecipeOptions {
  /** `MODEL@REVISION`: a pinned commit, never a branch. */
  readonly base: string;
  readonly arm: Arm;
  readonly seed: number;
  /** SHA-256 of the data set's files by name. */
  readonly data: ReadonlyMap<string, string>;
  /** Digest of the frozen study plan; null outside a study. */
  readonly protocolSha256: string | null;
  /** Stops after so many steps and marks the run as no evidence. */
  readonly maxSteps: number | null;
}

/** Model name and pinned revision. Errors: USAGE for a missing or movable revision. */
export function parseBase(base: string): { readonly id: string; readonly revision: string } {
  const at = base.lastIndexOf('@');
  const id = base.slice(0, at);
  const revision = base.slice(at + 1);
  if (at > 0 && /^[0-9a-f]{40}$/.test(revision)) return { id, revision };
  throw new FlavourError('USAGE', `base model ${shown(base)} names no 40-digit revision`, {
    hint: 'Write MODEL@COMMIT: a branch or tag can move under the study.',
  });
}

const source = (name: string) =>
  readFileSync(new URL(`../../fixtures/recipes/${name}`, import.meta.url), 'utf8');

/** A self-contained PEP 723 training script. Errors: USAGE, INPUT_NOT_FOUND for a data set without the arm's files. */
export function trainingRecipe(options: RecipeOptions): string {
  const facts = FACTS[options.arm];
  if (!Number.isSafeInteger(options.seed) || options.seed < 0 || options.seed >= 2 ** 32) {
    throw new FlavourError(
      'USAGE',
      `training seed ${options.seed} is not an unsigned 32-bit integer`,
    );
  }
  const names = ['train', 'validation'].map((split) => `${facts.stem}_${split}.jsonl`);
  const data = names.map((name): [string, string] => {
    const digest = options.data.get(name);
    if (digest !== undefined) return [name, digest];
    throw new FlavourError('INPUT_NOT_FOUND', `the data set has no ${name}`, {
      hint: 'Make it with `flavourbench transfer split`.',
    });
  });
  const settings = canonicalJson({
    base: parseBase(options.base),
    condition: facts.condition,
    data: Object.fromEntries(data),
    lora: { rank: 16, alpha: 32, dropout: 0.05 },
    max_steps: options.maxSteps,
    protocol_sha256: options.protocolSha256,
    seed: options.seed,
    stem: facts.stem,
    training: facts.training,
  });
  const dependencies = Object.entries(RECIPE_PACKAGES).map(([n, v]) => `#   "${n}==${v}",`);
  return [
    '# /// script',
    '# requires-python = ">=3.11"',
    '# dependencies = [',
    ...dependencies,
    '# ]',
    '# ///',
    source('common.py').replace('{{SETTINGS}}', () => settings),
    '',
    source(facts.code),
    '',
    source('entry.py'),
  ].join('\n');
}
