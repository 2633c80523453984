import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { openHand, serveHand } from '../../queue/hand.js';
import { redisError } from '../../queue/redis.js';
import { runWorker, type WorkerEvent } from '../../queue/run-worker.js';
import { countOption } from '../options.js';
import { plain, printLine, printText } from '../print.js';
import { callHand } from '../queue/call-hand.js';
import { openQueue, thisProcess } from '../queue/open-queue.js';
import { rescoreHand } from '../queue/rescore-hand.js';
import { stoppable } from '../stop-signal.js';

interface WorkerFlags {
  readonly redis?: string;
  readonly store?: string;
  readonly threads?: number;
  readonly lostAfter: number;
  readonly hand?: string;
  readonly json?: boolean;
}

const WORDS: Readonly<Record<WorkerEvent['event'], string>> = {
  ready: 'ready',
  begun: 'begun',
  done: 'done',
  failed: 'failed',
  late: 'came too late: another worker does it',
  refused: 'refused',
  cancelled: 'cancelled',
};

/** Prints what becomes of a worker and its parts, a line each. */
function logEvent(event: WorkerEvent, json: boolean): void {
  const time = new Date().toISOString();
  if (json) {
    printText(`${JSON.stringify({ time, ...event })}\n`);
    return;
  }
  const { call, name, part, seconds, reason } = event;
  const words = [
    `${time.slice(11, 19)} ${WORDS[event.event]}`,
    ...(part === undefined ? [] : [`${name ?? part} (call ${call})`]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  printLine(plain(words.join(': ')));
}

async function worker({ redis: url, store, threads, lostAfter, hand, json = false }: WorkerFlags): Promise<void> {
  if (hand !== undefined) {
    await serveHand({
      rescore: (packet) => rescoreHand(packet, hand),
      call: (packet) => callHand(packet, hand),
    });
    return;
  }
  const queue = await openQueue({ redis: url!, store });
  const scratch = mkdtempSync(join(tmpdir(), 'flavourbench-worker-'));
  try {
    await stoppable((signal) =>
      runWorker({
        ...queue,
        hands: threads ?? availableParallelism(),
        lostAfter: 1000 * lostAfter,
        host: thisProcess(),
        scratch,
        openHand: () => openHand(process.argv[1]!, ['worker', '--redis', '-', '--hand', scratch]),
        log: (event) => logEvent(event, json),
        signal,
      }),
    );
  } catch (error) {
    throw redisError(error);
  } finally {
    queue.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Adds `worker` to the program. */
export function register(program: Command): void {
  program
    .command('worker')
    .description(
      'Do parts of calls that others share over Redis (--redis of rescore and others) until a signal ends it.',
    )
    .requiredOption('--redis <url>', 'the Redis, as redis://:PASSWORD@HOST:PORT or rediss://... (TLS)')
    .option(
      '--store <place>',
      'the folder that the calls name with --store, as it stands on this machine, or the bucket',
    )
    .addOption(
      new Option('--threads <n>', 'parts at a time, each in a process of its own (default: the processors)').argParser(
        countOption,
      ),
    )
    .addOption(
      new Option('--lost-after <seconds>', 'a worker that is not heard of for so long loses its parts to others')
        .argParser(countOption)
        .default(30),
    )
    .addOption(new Option('--hand <folder>', 'what a worker starts itself').hideHelp())
    .option('--json', 'print what becomes of each part as a line of JSON')
    .action(worker);
}
