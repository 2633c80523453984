import type { Command } from 'commander';
import { countOption } from './options.js';

/** The options that name a complete score matrix, the same for every command that takes one (`inferInputs`). */
export function matrixOptions(command: Command): Command {
  return command
    .option('--responses <files...>', 'answers, JSON lines or JSON: a text, or a selection such as ABC')
    .option('--tasks <files...>', 'task sets or task rows the answers belong to; with --responses')
    .option('--core <plan>', 'common-core plan that names the columns and their order')
    .option('--scores <matrix>', 'score matrix instead of answers: CSV, Arrow or Parquet, wide or long')
    .option('--clusters <file>', 'CSV task,cluster: tasks of --scores that stand or fall together')
    .option('--families <file>', 'CSV task,family: parts of --scores that weigh the same')
    .option('--chance <file>', 'CSV task,value: score of a random answer, in the unit of --scores')
    .option(
      '--scale <n>',
      "units of --scores in one point (default: the Arrow file's own, else 100; rank-audit: 1)",
      countOption,
    )
    .option('--quantize <scale>', 'read --scores as real points, round to 1/scale', countOption)
    .option('--roster <file>', 'models to rank, in order: one id a line, CSV with model_id, or a document with models');
}
