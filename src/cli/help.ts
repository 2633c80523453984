import type { Command, Option } from 'commander';

const defaultText = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : String(value));

/** Writes what an option takes, whether it must be given, and what stands for it otherwise. */
function optionText(option: Option): string {
  const { description, argChoices, mandatory, defaultValue, defaultValueDescription } = option;
  const facts = [
    ...(argChoices ? [`one of ${argChoices.join(', ')}`] : []),
    ...(mandatory ? ['required'] : []),
    ...(defaultValue === undefined || option.isBoolean() || option.negate
      ? []
      : [`default: ${defaultValueDescription ?? defaultText(defaultValue)}`]),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

const EXIT_CODES = `
Exit codes:
  0  done                             3  incomplete; what is missing is listed
  1  a bug                            4  a verification failed
  2  the input or the call is wrong   5  stopped; run it again to resume
  6  a condition of --fail-unless does not hold`;

/** Sets how the help of a program and of all its commands reads. */
export function plainHelp(program: Command): Command {
  return program.configureHelp({ optionDescription: optionText, minWidthToWrap: 20 }).addHelpText('after', EXIT_CODES);
}

/** Describes the arguments of a command by name. */
export function withArguments(command: Command, words: Readonly<Record<string, string>>): Command {
  for (const argument of command.registeredArguments) argument.description ||= words[argument.name()] ?? '';
  return command;
}
