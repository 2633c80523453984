import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkerEvent } from '../../src/queue/run-worker.js';
import type { CliRun } from './cli.js';

const MAIN = resolve('dist/cli/main.js');

const until = async (met: () => boolean, what: () => string, ms = 20_000): Promise<void> => {
  for (const begun = performance.now(); !met(); await new Promise((next) => setTimeout(next, 10)))
    if (performance.now() - begun > ms) throw new Error(`waited in vain for ${what()}`);
};

/** Starts the built command line, or another one, and goes on; what it comes to is told when it ends. */
export function started(args: readonly string[], env: NodeJS.ProcessEnv = {}, main = MAIN) {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } });
  // A test that fails on its way leaves none behind.
  process.once('exit', () => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended: Promise<CliRun> = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return { child, ended, said: () => stdout + stderr };
}

/** Hundredths of a second that a process has worked. */
const processorTicks = (pid: number): number => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number);
  return user! + system!;
};

/** A worker in a process of its own. */
export interface TestWorker {
  readonly child: ChildProcess;
  /** What it said so far, in order. */
  readonly events: WorkerEvent[];
  /** Waits for what it says, leaving out the first `after` events. */
  heard(event: WorkerEvent['event'], of?: Partial<WorkerEvent>, after?: number): Promise<WorkerEvent>;
  /** Waits until it has given what it began to its hands, and has nothing to do but to wait for them. */
  handed(): Promise<void>;
  /** Has the processes that do its parts stand still, so that a part that it begins is under way until they go on. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends it at once, hands and all, as a machine that fails. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a worker and waits until it is ready. */
export async function startWorker(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  main = MAIN,
): Promise<TestWorker> {
  const words = ['worker', '--json', '--threads', '1', '--lost-after', '2', ...args];
  const { child, ended, said } = started(words, env, main);
  const events: WorkerEvent[] = [];
  let rest = '';
  child.stdout.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) events.push(JSON.parse(line) as WorkerEvent);
  });
  const found = (event: string, of: Partial<WorkerEvent>, after: number) =>
    events
      .slice(after)
      .find(
        (met) =>
          met.event === event && Object.entries(of).every(([key, value]) => met[key as keyof WorkerEvent] === value),
      );
  const hands = (): number[] =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  const worker: TestWorker = {
    child,
    events,
    async heard(event, of = {}, after = 0) {
      await until(
        () => found(event, of, after) !== undefined || child.exitCode !== null,
        () => `${event} ${JSON.stringify(of)} in ${said()}`,
      );
      const met = found(event, of, after);
      if (met === undefined) throw new Error(`the worker ended: ${said()}`);
      return met;
    },
    async handed() {
      let [before, still] = [-1, 0];
      for (let polls = 0; still < 4 && polls < 200; polls += 1) {
        const used = processorTicks(child.pid!);
        still = used === before ? still + 1 : 0;
        before = used;
        await new Promise((next) => setTimeout(next, 100));
      }
    },
    async freeze() {
      await until(
        () => hands().length > 0,
        () => 'its hands',
      );
      for (const hand of hands()) process.kill(hand, 'SIGSTOP');
    },
    thaw() {
      for (const hand of hands()) process.kill(hand, 'SIGCONT');
    },
    async kill() {
      const all = hands();
      child.kill('SIGKILL');
      for (const hand of all) process.kill(hand, 'SIGKILL');
      await ended;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
  await worker.heard('ready');
  return worker;
}
