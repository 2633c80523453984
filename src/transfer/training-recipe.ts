import { readFileSync } from 'node:fs';
import { canonicalJson } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { fail, shown } from '../util/error.js';
import { CONTROL, TREATMENT } from './condition.js';

export type Arm = 'sft' | 'control' | 'dpo' | 'grpo';
export const ARMS: readonly Arm[] = ['sft', 'control', 'dpo', 'grpo'];

/** Library versions a recipe pins (collection 5). */
const RECIPE_PACKAGES: Readonly<Record<string, string>> = {
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

/** Reads a model name and its pinned revision. Errors: USAGE for a missing or movable revision. */
export function parseBase(base: string): { readonly id: string; readonly revision: string } {
  const at = base.lastIndexOf('@');
  const id = base.slice(0, at);
  const revision = base.slice(at + 1);
  if (at > 0 && /^[0-9a-f]{40}$/.test(revision)) return { id, revision };
  fail(
    'USAGE',
    null,
    `base model ${shown(base)} names no 40-digit revision`,
    'Write MODEL@COMMIT: a branch or tag can move under the study.',
  );
}

const source = (name: string) => readFileSync(new URL(`../../fixtures/recipes/${name}`, import.meta.url), 'utf8');

const LORA = { rank: 16, alpha: 32, dropout: 0.05 };

/** What a frozen study fixes of its two arms: the paper's hyper-parameters. */
export const STUDY_TRAINING = { ...SUPERVISED, lora: LORA };

/** What script and manifest say alike of a run. */
function factsOfRun(options: RecipeOptions) {
  const facts = FACTS[options.arm];
  if (!Number.isSafeInteger(options.seed) || options.seed < 0 || options.seed >= 2 ** 32) {
    fail('USAGE', null, `training seed ${options.seed} is not an unsigned 32-bit integer`);
  }
  const names = ['train', 'validation'].map((split) => `${facts.stem}_${split}.jsonl`);
  const data = names.map((name): [string, string] => {
    const digest = options.data.get(name);
    if (digest !== undefined) return [name, digest];
    return fail('INPUT_NOT_FOUND', null, `the data set has no ${name}`, 'Make it with `flavourbench transfer split`.');
  });
  return { facts, base: parseBase(options.base), data: Object.fromEntries(data) };
}

/** Writes a self-contained PEP 723 training script. Errors: USAGE, INPUT_NOT_FOUND for a data set without the arm's files. */
export function trainingRecipe(options: RecipeOptions): string {
  const { facts, base, data } = factsOfRun(options);
  const settings = canonicalJson({
    base,
    condition: facts.condition,
    data,
    lora: LORA,
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

/** Gives what a frozen plan checks of a recipe. */
export function plannedRun(options: RecipeOptions) {
  const { facts, base, data } = factsOfRun(options);
  return { condition: facts.condition, seed: options.seed, base, data };
}

/**
 * Makes the manifest of a run before the run: what is known is filled in, what only the run can say is null. The script writes the
 * whole manifest itself; the template serves trainers of one's own.
 */
export function manifestTemplate(options: RecipeOptions, script: string): object {
  const { facts, base, data } = factsOfRun(options);
  return {
    schema: 'flavourbench-training-run/1',
    status: options.maxSteps === null ? 'adapter_complete' : 'smoke_not_confirmatory',
    protocol_sha256: options.protocolSha256,
    recipe_sha256: sha256(script),
    condition: facts.condition,
    seed: options.seed,
    base_model: base,
    data,
    duration_seconds: null,
    train_metrics: null,
    validation_metrics: null,
    software: { ...RECIPE_PACKAGES },
    hardware: { device: null, gpu_memory_bytes: null },
    files: [{ path: 'adapter_model.safetensors', bytes: null, sha256: null }],
  };
}
