import { type ChildProcess, fork } from 'node:child_process';
import { FlavourError } from '../util/error.js';
import { facts, type Packet } from './packet.js';

/** What a hand needs of a call, once. */
export interface Opening {
  readonly call: string;
  readonly kind: string;
  readonly packet: Packet;
}

/** A part as a hand does it: its packet, and paths of the files that it reads. */
export interface HandPart {
  readonly packet: Packet | null;
  readonly files: readonly string[];
}

/** A process that does one part at a time, so that the worker around it can always answer, whatever a part does. */
export interface Hand {
  /** Errors: any with which the process ended. What the part itself fails with is in the facts, as `error`. */
  work(opening: Opening, part: HandPart): Promise<Packet>;
  /** Ends the process, in the middle of a part too. */
  end(): void;
}

interface Asked extends HandPart {
  readonly opening?: Opening;
}

type Answer = { readonly packet: Packet } | { readonly thrown: string };

/** Starts a process that does parts: the program `entry` with words that make it call `serveHand`. */
export function openHand(entry: string, words: readonly string[]): Hand {
  let child: ChildProcess | undefined;
  let open: string | undefined;
  let settle: { resolve(packet: Packet): void; reject(error: Error): void } | undefined;
  const start = (): ChildProcess => {
    const started = fork(entry, [...words], {
      // Waiting for its first part, a process would be made small, and collect garbage far more often in all parts that follow: half as long again.
      execArgv: [...process.execArgv, '--no-memory-reducer'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child = started;
    open = undefined;
    started.on('message', (answer: Answer) => {
      if ('packet' in answer) settle?.resolve(answer.packet);
      else settle?.reject(new Error(answer.thrown));
    });
    started.on('error', () => {});
    started.on('exit', (code, signal) => {
      if (child !== started) return;
      child = undefined;
      settle?.reject(new Error(`the process that did it ended (${signal ?? `exit code ${code}`})`));
    });
    return started;
  };
  // It takes longer to start than many a part.
  start();
  return {
    async work(opening, part) {
      const running = child ?? start();
      try {
        return await new Promise<Packet>((resolve, reject) => {
          settle = { resolve, reject };
          const asked: Asked = open === opening.call ? part : { ...part, opening };
          open = opening.call;
          running.send(asked);
        });
      } finally {
        settle = undefined;
      }
    },
    end() {
      const running = child;
      child = undefined;
      running?.kill('SIGKILL');
      settle?.reject(new Error('it was cancelled'));
    },
  };
}

/** How parts of a call are done. */
export type Handwork = (part: HandPart) => Promise<Packet>;

/** Makes what does the parts of a call, by the kind of the call. */
export type HandworkOpeners = Readonly<Record<string, (packet: Packet) => Promise<Handwork>>>;

/** Does parts as the worker that started this process asks for them; returns when it is gone. */
export function serveHand(openers: HandworkOpeners): Promise<void> {
  let handwork: Promise<Handwork> | undefined;
  const answer = async ({ opening, ...part }: Asked): Promise<Answer> => {
    try {
      if (opening !== undefined) {
        const opener = Object.hasOwn(openers, opening.kind) ? openers[opening.kind] : undefined;
        if (opener === undefined) throw new Error('a call of a kind that workers do not do');
        handwork = opener(opening.packet);
        handwork.catch(() => {});
      }
      return { packet: await (await handwork!)(part) };
    } catch (error) {
      if (error instanceof FlavourError) {
        const { code, message, hint, where, exit } = error;
        return { packet: facts({ error: { code, message, hint, where, exit } }) };
      }
      return { thrown: error instanceof Error ? error.message : String(error) };
    }
  };
  // A signal to the whole group is for the worker, which lets parts end; this process goes when it is gone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.on('message', (asked: Asked) => {
    void answer(asked).then((made) => process.send!(made));
  });
  return new Promise((resolve) => void process.on('disconnect', resolve));
}
