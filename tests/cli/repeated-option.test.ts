import { Command, type Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { refuseRepeats } from '../../src/cli/repeated-option.js';
import { cliInline } from '../support/cli-inline.js';

/** Values of which every option takes one. */
const VALUES = ['1', 'a', '0.5', 'wasm', '2000-01-01', 'primary', 'a=1', 'a:1', '1,2', '10%', 'A > B', 'v4'];

/** Every command of the program, those below others too, each made anew. */
async function commands(name: string): Promise<Command[]> {
  const program = new Command('flavourbench').exitOverride().configureOutput({ outputError: () => {} });
  (await COMMANDS.find((entry) => entry.name === name)!.load()).register(program);
  refuseRepeats(program);
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  return below(program.commands[0]!);
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** A value that an option takes; undefined where it takes none. */
function taken({ argChoices, parseArg }: Option): string | undefined {
  if (argChoices) return argChoices[0];
  return VALUES.find((value) => {
    try {
      parseArg?.(value, undefined);
      return true;
    } catch {
      return false;
    }
  });
}

/** Gives an option so often; the value that it has then, or the code of the error. */
async function given(name: string, at: number, option: number, words: (long: string) => readonly string[]) {
  const command = (await commands(name))[at]!;
  const { long } = command.options[option]!;
  try {
    command.parseOptions([...words(long!)]);
    return { value: command.getOptionValue(command.options[option]!.attributeName()) as unknown };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

describe('an option that is given twice', () => {
  it.each(COMMANDS.map(({ name }) => name))('is refused, or a list: every option of %s', async (name) => {
    let tried = 0;
    for (const [at, command] of (await commands(name)).entries()) {
      for (const [index, option] of command.options.entries()) {
        const value = takesValue(option) ? taken(option) : undefined;
        // Words that another command has are refused the first time, with the right one named.
        if (takesValue(option) && value === undefined) continue;
        const twice = await given(name, at, index, (long) =>
          value === undefined ? [long, long] : [long, value, long, value],
        );
        const label = `${command.name()} ${option.flags}`;
        if (option.variadic) expect([label, 'code' in twice]).toEqual([label, false]);
        if ('code' in twice) expect([label, twice.code]).toEqual([label, 'USAGE']);
        else expect([label, Array.isArray(twice.value) && twice.value.length >= 2]).toEqual([label, true]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(0);
  });

  it('is a list where its words stand one behind the other too', async () => {
    const run = await cliInline(['infer', '--responses', 'none.jsonl', '--tasks', 'one.json', 'two.json']);
    expect(run.stderr).toContain('INPUT_NOT_FOUND: one.json');
  });

  it('ends the command with exit 2 and a hint', async () => {
    const run = await cliInline(['ledger', 'status', 'nowhere', '--by', 'model', '--by', 'stratum']);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/USAGE: --by was given twice\n {2}hint: Give it once/);
  });
});
