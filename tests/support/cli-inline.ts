import { Command } from 'commander';
import { calledCommand } from '../../src/cli/called-command.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { explained } from '../../src/cli/mistakes/explained.js';
import { refuseInsideStores } from '../../src/cli/mistakes/inside-store.js';
import { refuseWrongKinds } from '../../src/cli/mistakes/wrong-kind.js';
import { printError } from '../../src/cli/print-error.js';
import { refuseRepeats } from '../../src/cli/repeated-option.js';
import type { CliRun } from './cli.js';

/** Runs a command of the sources in this process: as `cli`, without the cost of starting a program. */
export async function cliInline(call: readonly string[]): Promise<CliRun> {
  const args = calledCommand(call);
  const out: string[] = [];
  const err: string[] = [];
  const streams = [
    [process.stdout, out],
    [process.stderr, err],
  ] as const;
  const kept = streams.map(([stream]) => stream.write);
  for (const [stream, lines] of streams) stream.write = ((text: string) => lines.push(text) > 0) as typeof stream.write;
  let code = 0;
  const before = process.exitCode;
  process.exitCode = 0;
  const program = new Command('flavourbench').exitOverride().configureOutput({ outputError: () => {} });
  try {
    const entry = COMMANDS.find(({ name }) => name === args[0])!;
    (await entry.load()).register(program);
    refuseRepeats(program);
    refuseWrongKinds(program);
    refuseInsideStores(program);
    await program.parseAsync([...args], { from: 'user' });
    code = Number(process.exitCode);
  } catch (error) {
    code = printError(explained(error, program, args), args.includes('--json'));
  } finally {
    process.exitCode = before;
    streams.forEach(([stream], i) => {
      stream.write = kept[i]!;
    });
  }
  return { code, stdout: out.join(''), stderr: err.join('') };
}
