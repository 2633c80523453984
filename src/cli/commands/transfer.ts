import type { Command } from 'commander';
import { registerContrast } from './transfer/contrast.js';
import { registerDemo } from './transfer/demo.js';
import { registerEvaluate } from './transfer/evaluate.js';
import { registerPlan } from './transfer/plan.js';
import { registerRecipe } from './transfer/recipe.js';
import { registerSplit } from './transfer/split.js';

/** Adds `transfer` and its subcommands. */
export function register(program: Command): void {
  const transfer = program
    .command('transfer')
    .description('Reward transfer: training data, recipes, evaluation, the effect and its seal.');
  registerSplit(transfer);
  registerPlan(transfer);
  registerRecipe(transfer);
  registerEvaluate(transfer);
  registerContrast(transfer);
  registerDemo(transfer);
}
