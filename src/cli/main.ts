#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { guardFiles } from '../io/file.js';
import { removeTemporaries } from '../io/temporary.js';
import { failure } from '../util/error.js';
import { COMMANDS } from './commands.js';
import { plainHelp } from './help.js';
import { report } from './report.js';
import { watchStreams } from './standard-streams.js';
import { endOnSignal } from './stop-signal.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
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
    for (const entry of COMMANDS) program.command(entry.name).description(entry.summary).allowUnknownOption();
  }
  try {
    await program.parseAsync(argv as string[], { from: 'user' });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    return report(error, argv.includes('--json'));
  }
}

const argv = withHelp(process.argv.slice(2));
const json = argv.includes('--json');

guardFiles();
process.on('exit', removeTemporaries);
watchStreams((error) => process.exit(report(error, json)));
endOnSignal((signal) => {
  const stopped = failure(
    'ABORTED',
    null,
    `stopped by ${signal}`,
    'No file was left half-written; run the same command again.',
    { exit: 5 },
  );
  process.exit(report(stopped, json));
});

process.exitCode = await main(argv);
