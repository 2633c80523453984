import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { plainHelp } from '../../src/cli/help.js';

const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];

describe('the option --json', () => {
  it.each(COMMANDS.map(({ name, load }) => ({ name, load })))(
    'is taken by $name and everything below it',
    async ({ load }) => {
      const program = new Command('flavourbench');
      (await load()).register(program);
      const leaves = program.commands.flatMap(below).filter(({ commands }) => commands.length === 0);
      const without = leaves.filter((leaf) => !leaf.options.some(({ long }) => long === '--json'));
      expect(leaves.length).toBeGreaterThan(0);
      expect(without.map((leaf) => leaf.name())).toEqual([]);
    },
  );
});

describe('the option --help', () => {
  it.each(COMMANDS.map(({ name, load }) => ({ name, load })))(
    'can be printed for $name and everything below it',
    async ({ load }) => {
      const program = plainHelp(new Command('flavourbench'));
      (await load()).register(program);
      for (const command of program.commands.flatMap(below)) {
        const written: string[] = [];
        command.configureOutput({ writeOut: (text) => written.push(text), getOutHelpWidth: () => 80 }).outputHelp();
        const help = written.join('');
        expect(
          help.split('\n').filter((line) => line.length > 80),
          command.name(),
        ).toEqual([]);
        expect(help).toContain(`Usage: flavourbench `);
        expect(command.description(), command.name()).toMatch(/\.$/);
        for (const { description } of command.registeredArguments)
          expect(description, `an argument of ${command.name()}`).not.toBe('');
        for (const option of command.options)
          expect(option.description, `${command.name()} ${option.flags}`).not.toBe('');
      }
    },
  );

  it('writes defaults as they are typed, and says what must be given', async () => {
    const program = plainHelp(new Command('flavourbench'));
    program
      .command('try')
      .option('-k, --count <n>', 'how many', '10')
      .option('--names <names...>', 'which', ['a', 'b'])
      .option('--no-pictures', 'leave pictures out')
      .requiredOption('--as <name>', 'its name')
      .addOption(new Option('--kind <kind>', 'which kind').choices(['x', 'y']).default('x'));
    const help = program.commands[0]!.helpInformation();
    expect(help).toMatch(/how many \(default: 10\)/);
    expect(help).toMatch(/which \(default: a b\)/);
    expect(help).toMatch(/its name \(required\)/);
    expect(help).toMatch(/which kind \(one of x, y; default: x\)/);
    expect(help).toMatch(/leave pictures out\n/);
  });

  it('leaves the options of other analyses out of the help of one, and says what it needs', async () => {
    const program = new Command('flavourbench');
    const entry = COMMANDS.find(({ name }) => name === 'sensitivity');
    (await entry!.load()).register(program);
    const [group] = program.commands;
    const help = (name: string) => {
      const command = group!.commands.find((each) => each.name() === name)!;
      const written: string[] = [];
      command.configureOutput({ writeOut: (text) => written.push(text) }).outputHelp();
      return written.join('');
    };
    expect(help('weights')).not.toMatch(/--sizes|--substitutions|--maps/);
    expect(help('weights')).toMatch(/Needs two families or more/);
    expect(help('precision')).toMatch(/--sizes/);
    expect(help('all')).toMatch(/--sizes[\s\S]*--min-group/);
  });
});
