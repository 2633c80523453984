import { type Command, Option } from 'commander';
import { countOption } from '../options.js';

/** Where the queue is, as a call says. */
export interface QueueFlags {
  readonly redis?: string;
  readonly store?: string;
  readonly lostAfter?: number;
}

/** Seconds without Redis after which a call gives up, unless it says another number. */
export const CALL_LOST_AFTER = 120;

/** Adds the options by which the parts of a command are done by workers. */
export function queueOptions(command: Command): Command {
  return command
    .option('--redis <url>', 'have the parts done by workers over this Redis; `flavourbench worker` is one')
    .option(
      '--store <place>',
      'with --redis: a folder or s3://BUCKET/PREFIX that this process and all workers see, for what is large',
    )
    .addOption(
      new Option(
        '--lost-after <seconds>',
        `with --redis: give up when it is away, or has no memory left, for so long (default: ${CALL_LOST_AFTER})`,
      ).argParser(countOption),
    );
}
