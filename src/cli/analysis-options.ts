import { type Command, Option } from 'commander';
import type { AnalysisOption } from '../analyses/declared-options.js';
import { backendOption, collected, countOption, numberOption, seedOption, threadsOption } from './options.js';
import { forceOption } from './write-output.js';

const PARSERS: Readonly<Partial<Record<AnalysisOption['kind'], (text: string) => unknown>>> = {
  count: countOption,
  number: numberOption,
  seed: seedOption,
};

/** Adds the options that analyses declare, each flag once, in their order. */
export function analysisOptions(command: Command, options: readonly AnalysisOption[]): Command {
  const byFlags = new Map(options.map((option) => [option.flags, option]));
  for (const { flags, help, kind, choices, default: value } of byFlags.values()) {
    const option = new Option(flags, help);
    const parse = PARSERS[kind];
    if (choices !== undefined) option.choices(choices);
    if (parse !== undefined) option.argParser(parse);
    if (kind === 'counts')
      option.argParser((text, before: readonly number[] | undefined) => [...(before ?? []), countOption(text)]);
    if (kind === 'repeated') option.argParser(collected);
    if (value !== undefined) option.default(value);
    command.addOption(option);
  }
  return command;
}

/** Adds the options of a command whose analysis has an engine and files of its own. */
export function ownOptions(command: Command, name: string): Command {
  return command
    .addOption(backendOption())
    .addOption(threadsOption())
    .option(
      '--out <path>',
      `NAME.html, .png, .svg, .json, .csv or .arrow writes that alone, a folder ${name}.* in every form`,
    )
    .addOption(forceOption())
    .option('--json', 'print the document instead of words')
    .option('--quiet', 'print nothing');
}
