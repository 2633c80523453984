import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TaskChoice } from '../core/task-choice.js';
import { type InputFile, inputFile } from '../io/envelope.js';
import { readInput } from '../io/file.js';
import { isPipe } from '../io/piped.js';
import { decodeText } from '../io/utf8.js';
import { collected } from './options.js';

/** Which tasks a score is over, and what their families weigh. */
export interface TaskFlags {
  readonly withoutTasks?: readonly string[];
  readonly withoutFamilies?: readonly string[];
  readonly familyWeights?: Readonly<Record<string, number>>;
}

const PAIR = /^(.+)=(\d+(?:\.\d+)?)$/s;

/** Reads `A=2,B=1`, or one family whose name holds a comma, beside those of earlier options. */
function weightsOption(text: string, before: Readonly<Record<string, number>> | undefined): Record<string, number> {
  const parts = text.split(',');
  const pairs = parts.every((part) => PAIR.test(part)) ? parts : [text];
  const read = pairs.map((pair): [string, number] => {
    const found = PAIR.exec(pair);
    if (found === null) throw new InvalidArgumentError('FAMILY=NUMBER is expected, for example pairing=2.');
    return [found[1]!.trim(), Number(found[2])];
  });
  return { ...before, ...Object.fromEntries(read) };
}

/** Adds the options that choose tasks and weigh their families. */
export function taskOptions(command: Command): Command {
  return command
    .option('--without-tasks <list>', 'tasks to leave out: A,B, or a file with one id a line', collected)
    .option('--without-families <list>', 'families whose tasks are left out: A,B', collected)
    .addOption(familyWeightsOption());
}

/** Makes the option `--family-weights`. */
export function familyWeightsOption(): Option {
  return new Option(
    '--family-weights <list>',
    'what families weigh in a score: A=2,B=1; one that is not named weighs 1 (default: all alike)',
  ).argParser(weightsOption);
}

/** Reads which tasks a call leaves out, and the files that say so. */
export function taskChoice({ withoutTasks, withoutFamilies }: TaskFlags): {
  readonly choice: TaskChoice;
  readonly inputs: readonly InputFile[];
} {
  const inputs: InputFile[] = [];
  const listed = withoutTasks?.flatMap((text) => {
    const stat = statSync(text, { throwIfNoEntry: false });
    if (stat === undefined || !(stat.isFile() || isPipe(stat))) return [text];
    const bytes = readInput(text);
    inputs.push(inputFile('without-tasks', bytes));
    return decodeText(text, bytes)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
  });
  return {
    choice: {
      ...(listed ? { withoutTasks: listed } : {}),
      ...(withoutFamilies ? { withoutFamilies } : {}),
    },
    inputs,
  };
}
