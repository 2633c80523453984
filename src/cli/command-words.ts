import type { Command } from 'commander';

/** Options that say where a result goes, how it is told and who does the work, not what it is. The URL of a Redis may hold a password. */
const OF_OUTPUT: ReadonlySet<string> = new Set([
  ...['out', 'force', 'json', 'quiet', 'table', 'timings'],
  ...['redis', 'store', 'lostAfter', 'shard', 'parts'],
]);

/** Writes a value of an option as it is typed. */
function typed(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}=${part}`)
    .join(',');
}

/** Gives the words of a call: the program, the command, its files and the options that were typed, but for where the result goes. */
export function commandWords(command: Command): string[] {
  const options = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (option.long == null || OF_OUTPUT.has(name) || command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    if (typeof value === 'boolean') return [option.long];
    if (!Array.isArray(value)) return [option.long, typed(value)];
    return option.variadic ? [option.long, ...value.map(typed)] : value.flatMap((item) => [option.long!, typed(item)]);
  });
  return ['flavourbench', command.name(), ...command.args, ...options];
}
