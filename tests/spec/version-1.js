/*
 * Writes inference.json of a score matrix as version 1 did: `infer` makes other choices by default, and documents of version 1 are
 * made again with these for ever. Options are those of `infer`. Uses the build: `npm run build`.
 */
import { Command } from 'commander';
import { matrixInputs, matrixOptions } from '../../dist/cli/matrix-inputs.js';
import { backendOption, countOption, numberOption, seedOption } from '../../dist/cli/options.js';
import { createEngine } from '../../dist/engine/node.js';
import { DEFAULT_PLAN, FROZEN_CHOICES, inferencePlan, runInference } from '../../dist/inference/index.js';
import { inferenceDocument } from '../../dist/inference/inference-document.js';

const options = matrixOptions(new Command())
  .option('--draws <n>', '', countOption, DEFAULT_PLAN.draws)
  .option('--flips <n>', '', countOption, DEFAULT_PLAN.flips)
  .option('--seed <n>', '', seedOption, DEFAULT_PLAN.seed)
  .option('--strata <name>', '', DEFAULT_PLAN.strata)
  .option('--scheme <name>', '', DEFAULT_PLAN.scheme)
  .option('--alpha <x>', '', numberOption, DEFAULT_PLAN.alpha)
  .addOption(backendOption().default('reference'))
  .parse()
  .opts();

const { draws, flips, seed, strata, scheme, alpha, backend } = options;
const plan = inferencePlan({ draws, flips, seed, strata, scheme, alpha, ...FROZEN_CHOICES });
const read = await matrixInputs(options, () => {});
const engine = await createEngine({ backend });
const inference = await runInference({ ...read, plan, engine }).finally(() => engine.close());
const run = { backend: engine.backend, threads: engine.threads, reason: 'as asked', warnings: inference.warnings };
process.stdout.write(inferenceDocument({ ...read, inference, run }).text);
