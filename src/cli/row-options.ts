import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MISSING_RULES, type MissingRule } from '../core/gaps.js';
import type { ModelChoice } from '../core/model-choice.js';
import { readRoster } from '../core/model-roster.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { isPipe } from '../io/piped.js';
import { fail } from '../util/error.js';
import { collected, countOption, numberOption } from './options.js';

/** Which rows of a table are taken, and what becomes of cells that are missing or that hold several attempts. */
export interface RowFlags {
  readonly models?: readonly string[];
  readonly without?: readonly string[];
  readonly missing?: MissingRule;
  /** Points. */
  readonly range?: readonly [number, number];
  readonly attempts?: number;
}

/** Reads two numbers, `0,1`. */
function rangeOption(text: string): [number, number] {
  const ends = text.split(',').map(numberOption);
  if (ends.length !== 2) throw new InvalidArgumentError('Two numbers are expected, for example 0,100.');
  return ends as [number, number];
}

/** Adds the options that choose rows and say what becomes of gaps, the same for every command that takes a matrix. */
export function rowOptions(command: Command): Command {
  return command
    .option('--models <list>', 'models to compare: A,B, or a file with one id a line', collected)
    .option('--without <list>', 'models to leave out: A,B, or a file with one id a line', collected)
    .addOption(
      new Option(
        '--missing <rule>',
        'missing cells: withhold the result, keep the common-tasks only, or bounds: what holds whatever their values are (default: withhold)',
      ).choices(MISSING_RULES),
    )
    .option(
      '--range <low,high>',
      'least and greatest value a cell can have, in points; with --missing bounds',
      rangeOption,
    )
    .option(
      '--attempts <k>',
      'take the first k attempts at each cell (default: all, where all cells have as many)',
      countOption,
    );
}

/** Reads a list of models where it names a file. Errors: those of `readRoster`. */
async function listed(
  written: readonly string[] | undefined,
  role: string,
  inputs: InputFile[],
): Promise<readonly string[] | undefined> {
  if (written === undefined) return undefined;
  const lists = await Promise.all(
    written.map(async (text) => {
      const stat = statSync(text, { throwIfNoEntry: false });
      if (stat === undefined || !(stat.isFile() || isPipe(stat))) return [text];
      const bytes = readInput(text);
      inputs.push(inputFile(role, bytes));
      return (await readRoster(bytes, text)).map(({ modelId }) => modelId);
    }),
  );
  return lists.flat();
}

/** Reads which models a call keeps or leaves out, and the files that say so. */
export async function modelChoice({
  models,
  without,
}: RowFlags): Promise<{ readonly choice: ModelChoice; readonly inputs: readonly InputFile[] }> {
  const inputs: InputFile[] = [];
  const [only, left] = [await listed(models, 'models', inputs), await listed(without, 'without', inputs)];
  return { choice: { ...(only ? { models: only } : {}), ...(left ? { without: left } : {}) }, inputs };
}

/** Refuses the rule `bounds` where a command has no use for it: it says which of two models is above, and nothing of their scores. */
export function assertNoBounds({ missing }: RowFlags, command: string): void {
  if (missing !== 'bounds') return;
  fail(
    'USAGE',
    null,
    `--missing bounds with ${command}, which needs every value`,
    'Give --missing common-tasks, or leave models out with --without.',
  );
}
