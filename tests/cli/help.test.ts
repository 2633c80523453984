import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';

const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];

describe('--help', () => {
  it.each(COMMANDS.map(({ name, load }) => ({ name, load })))(
    'can be printed for $name and everything below it',
    async ({ load }) => {
      const program = new Command('flavourbench');
      (await load()).register(program);
      for (const command of program.commands.flatMap(below)) {
        const help = command.helpInformation();
        expect(help).toContain(`Usage: flavourbench `);
        expect(command.description(), command.name()).toMatch(/\.$/);
      }
    },
  );
});
