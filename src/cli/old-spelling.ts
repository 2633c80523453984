import { type Command, Option } from 'commander';
import { fail } from '../util/error.js';
import { printNote } from './print.js';

/**
 * Lets a command go on taking an option under the name that it had: its value becomes that of the option `now`, and a note says so on
 * standard error. Errors: USAGE where a call gives both.
 */
export function oldSpelling(command: Command, flags: string, now: string, parse?: (text: string) => unknown): Command {
  const old = new Option(flags, `old spelling of --${now}`).hideHelp();
  if (parse !== undefined) old.argParser(parse);
  const key = new Option(`--${now} <value>`).attributeName();
  return command.addOption(old).hook('preAction', (_, called) => {
    const value: unknown = called.getOptionValue(old.attributeName());
    if (value === undefined) return;
    if (called.getOptionValueSource(key) === 'cli')
      fail('USAGE', null, `${old.long} is the old spelling of --${now}, and both are given`, `Give --${now} alone.`);
    called.setOptionValue(key, value);
    const { json, quiet } = called.opts<{ json?: boolean; quiet?: boolean }>();
    if (!json && !quiet) printNote(`${old.long} is now --${now}`);
  });
}
