#!/usr/bin/env node
import { fstatSync } from 'node:fs';
import { Command } from 'commander';
import { readPipesInside } from '../io/piped.js';
import { guardFiles } from '../io/write/guard.js';
import { holdWhileUnfinished, removeTemporaries, writeWhole } from '../io/write/temporary.js';
import { failure } from '../util/error.js';
import { VERSION } from '../util/version.js';
import { calledCommand } from './called-command.js';
import { COMMANDS } from './commands.js';
import { plainHelp } from './help.js';
import { explained } from './mistakes/explained.js';
import { refuseInsideStores } from './mistakes/inside-store.js';
import { refuseWrongKinds } from './mistakes/wrong-kind.js';
import { printError } from './print-error.js';
import { refuseRepeats } from './repeated-option.js';
import { endHeldSignals, holdSignals, unheld } from './stop-signal.js';

/**
 * Makes standard output tell `failed` what it cannot write, once; a closed pipe ends the process well, for what was asked for has
 * been read. What standard error cannot say is lost. Node's own stream into a file drops what a nearly full disk does not take.
 */
function watchStreams(failed: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!fstatSync(stream.fd).isFile()) continue;
    stream._write = (chunk: Buffer, _, done) => {
      try {
        writeWhole(stream.fd, chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    };
  }
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    if (error.syscall !== undefined) failed(Object.assign(error, { dest: 'standard output' }));
  });
}

async function main(argv: readonly string[]): Promise<number> {
  const program = plainHelp(new Command('flavourbench'))
    .usage('FILE... | COMMAND [options]')
    .description(
      'Which ranks do scores support? FILE... (a table of models and tasks, or logs) is read and answered, as rank-audit FILE... does; a file named like a command is written ./NAME. Below them the commands of an executable benchmark: compile, collect, score, infer, release, verify.',
    )
    .version(VERSION)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError();
  const asked = COMMANDS.find((entry) => entry.name === argv[0]);
  if (asked) {
    (await asked.load()).register(program);
  } else {
    for (const entry of COMMANDS) program.command(entry.name).description(entry.summary).allowUnknownOption();
  }
  refuseRepeats(program);
  refuseWrongKinds(program);
  refuseInsideStores(program);
  try {
    await program.parseAsync(argv as string[], { from: 'user' });
    return process.exitCode === undefined ? 0 : Number(process.exitCode);
  } catch (error) {
    return printError(explained(error, program, argv), argv.includes('--json'));
  }
}

const argv = calledCommand(process.argv.slice(2));
const json = argv.includes('--json');

guardFiles();
process.on('exit', removeTemporaries);
watchStreams((error) => process.exit(printError(error, json)));
const end = (signal: string): void => {
  const stopped = failure(
    'ABORTED',
    null,
    `stopped by ${signal}`,
    'No file was left half-written; run the same command again.',
    { exit: 5 },
  );
  process.exit(printError(stopped, json));
};
endHeldSignals(end);
holdWhileUnfinished(holdSignals);
// While a pipe is waited for no listener is ever called.
readPipesInside(unheld);

// A command that waits for what nothing alive can give any more would end as if it were done.
let ended = false;
process.on('beforeExit', () => {
  if (!ended) process.exit(printError(new Error('nothing was left to wait for before the command was done'), json));
});

// The bundle is no module, so nothing waits at the top of a file.
void main(argv).then((code) => {
  ended = true;
  process.exitCode = code;
});
