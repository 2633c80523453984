import type { Command } from 'commander';
import { type CallState, liveWorkers, openCalls, type WorkerState } from '../../queue/board.js';
import { cancelCall } from '../../queue/cancel.js';
import { misfit } from '../../queue/program.js';
import { redisError, redisTime } from '../../queue/redis.js';
import { counted } from '../../util/format.js';
import { printJson, printLine, printTable } from '../print.js';
import { timeLeft } from '../progress.js';
import { openQueue } from '../queue/open-queue.js';

interface JobsFlags {
  readonly redis: string;
  readonly store?: string;
  readonly cancel?: string;
  readonly json?: boolean;
}

const stateWords = ({ state, attended }: CallState): string =>
  state === 'running' && !attended ? 'caller lost' : state;

function printCalls(calls: readonly CallState[], now: number): void {
  if (calls.length === 0) {
    printLine('no calls');
    return;
  }
  printTable(
    ['call', 'what', 'state', 'parts done', 'failed', 'called by', 'since'],
    calls.map((call) => [
      ...[call.id, call.name, stateWords(call), `${call.done}/${call.parts}`, call.failed.length],
      ...[`${call.caller.host} ${call.caller.pid}`, timeLeft((now - call.begun) / 1000)],
    ]),
    { whole: ['call'] },
  );
  for (const { id, failed } of calls) for (const name of failed) printLine(`failed in ${id}: ${name}`);
}

function printWorkers(workers: readonly WorkerState[], calls: readonly CallState[], now: number): void {
  if (workers.length === 0) {
    printLine('no workers');
    return;
  }
  const fits = (worker: WorkerState): string => {
    const no = calls.filter((call) => misfit(call, worker) !== undefined);
    return no.length === 0 ? '' : `refused: ${no.map(({ id }) => id).join(' ')}`;
  };
  printTable(
    ['worker', 'version', 'parts at a time', 'does', ''],
    workers.map((worker) => [
      `${worker.host} ${worker.pid}`,
      worker.program.version,
      worker.hands,
      worker.doing.map(({ call, part, since }) => `${call} ${part} ${timeLeft((now - since) / 1000)}`).join(', ') ||
        '-',
      fits(worker),
    ]),
  );
}

async function jobs({ redis: url, store, cancel, json }: JobsFlags): Promise<void> {
  const queue = await openQueue({ redis: url, store });
  try {
    if (cancel !== undefined) {
      const removed = await cancelCall(queue, cancel);
      printLine(`call ${cancel} is cancelled; ${counted(removed, 'part')} that waited went`);
      return;
    }
    const calls = await openCalls(queue.redis);
    const workers = await liveWorkers(queue.redis);
    const now = await redisTime(queue.redis);
    if (json) printJson({ calls, workers });
    else {
      printCalls(calls, now);
      printWorkers(workers, calls, now);
    }
  } catch (error) {
    throw redisError(error);
  } finally {
    queue.close();
  }
}

/** Adds `jobs` to the program. */
export function register(program: Command): void {
  program
    .command('jobs')
    .description('What runs where over a Redis: calls, how far they are, and what each worker does.')
    .requiredOption('--redis <url>', 'the Redis')
    .option('--store <place>', 'with --cancel: the store of that call')
    .option('--cancel <call>', 'end this call: what waits goes, what is under way is broken off')
    .option('--json', 'print it as JSON')
    .action(jobs);
}
