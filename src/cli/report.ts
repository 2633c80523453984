import { FlavourError } from '../util/error.js';

/** Prints an error as design.md section 6 asks and returns the exit code: 1 only for a bug. */
export function report(error: unknown, json: boolean): number {
  if (error instanceof FlavourError) {
    if (json) {
      const { code, message, hint, where, exit } = error;
      process.stderr.write(`${JSON.stringify({ error: { code, message, hint, where, exit } })}\n`);
    } else {
      process.stderr.write(`flavourbench: ${error.code}: ${error.message}\n`);
      if (error.hint) process.stderr.write(`  hint: ${error.hint}\n`);
    }
    return error.exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `flavourbench: BUG: ${text}\n  hint: please report this with the command you ran\n`,
  );
  return 1;
}
