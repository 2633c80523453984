import type { Command } from 'commander';
import { fail } from '../util/error.js';

/**
 * Refuses an option that is given twice, in a command and all below it, unless its values make a list: silently one of the two would count.
 * Errors: USAGE, while the call is parsed.
 */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    // The library adds to a list in place: its length tells whether it grew.
    let before = 0;
    let given = false;
    // Heard after the library has taken the value in.
    command.on(`option:${option.name()}`, () => {
      const value: unknown = command.getOptionValue(option.attributeName());
      const length = Array.isArray(value) ? value.length : 0;
      if (given && length <= before)
        fail(
          'USAGE',
          null,
          `${option.long ?? option.flags} was given twice`,
          'Give it once: it takes one value, and the last one does not silently win.',
        );
      before = length;
      given = true;
    });
  }
  for (const below of command.commands) refuseRepeats(below);
}
