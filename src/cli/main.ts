#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { COMMANDS } from './commands.js';
import { plainHelp } from './help.js';
import { report } from './report.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as {
  version: string;
};

/** `help NAME ...` is `NAME ... --help`: the command that is asked about is loaded. */
function withHelp(argv: readonly string[]): readonly string[] {
  const [first, name] = argv;
  const known = first === 'help' && COMMANDS.some((entry) => entry.name === name);
  return known ? [...argv.slice(1), '--help'] : argv;
}

async function main(argv: readonly string[]): Promise<number> {
  const program = plainHelp(new Command('flavourbench'))
    .description('Executable culinary benchmark: compile, collect, score, infer, release, verify.')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError();
  const asked = COMMANDS.find((entry) => entry.name === argv[0]);
  if (asked) {
    (await asked.load()).register(program);
  } else {
    for (const entry of COMMANDS)
      program.command(entry.name).description(entry.summary).allowUnknownOption();
  }
  try {
    await program.parseAsync(argv as string[], { from: 'user' });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    return report(error, argv.includes('--json'));
  }
}

// `flavourbench ... | head` closes the pipe; what was asked for has been read.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(withHelp(process.argv.slice(2)));
