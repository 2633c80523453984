import { answerAsk, receivedError } from './answer-asks.js';
import type { FromThread, ToThread } from './serve-asks.js';
import type { Answered, AskedScores, AskName, Given, HowAsked } from './thread-asks.js';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  onProgress?: HowAsked['onProgress'];
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  /** Key of the scores that it holds. */
  scores: number | null;
}

let thread: Thread | null | undefined;
let asked = 0;

/**
 * Starts a thread that runs the script of this page again, which serves asks where there is no document; null where a browser allows none, and
 * everything then runs in the page itself, between its events.
 */
function startThread(): Thread | null {
  const script = document.querySelector('script[type=module]')?.textContent;
  if (!script) return null;
  try {
    const parts = ['"use strict";(() => {', script, '\n})();'];
    const address = URL.createObjectURL(new Blob(parts, { type: 'text/javascript' }));
    const started: Thread = { worker: new Worker(address), waiting: new Map(), scores: null };
    started.worker.addEventListener('message', ({ data }: MessageEvent<FromThread>) => heard(started, data));
    started.worker.addEventListener('error', ({ message }) => {
      for (const { reject } of started.waiting.values())
        reject(new Error(message || 'the thread that computes has ended'));
      started.waiting.clear();
      started.worker.terminate();
      thread = undefined;
    });
    return started;
  } catch {
    return null;
  }
}

function heard({ waiting }: Thread, message: FromThread): void {
  const one = waiting.get(message.id);
  if ('progress' in message) {
    one?.onProgress?.(...message.progress);
    return;
  }
  waiting.delete(message.id);
  if ('error' in message) one?.reject(receivedError(message.error));
  else one?.resolve(message.answer);
}

/** Scores that the thread holds already are sent by their key alone. */
function sent(to: Thread, given: unknown): unknown {
  const { scores } = given as { scores?: AskedScores };
  if (scores === undefined) return given;
  const known = to.scores === scores.key;
  to.scores = scores.key;
  return known ? { ...(given as object), scores: { ...scores, files: null, matrix: null } } : given;
}

/** Asks the thread that computes; without one the page does it. A signal that is raised stops the work. Errors: those of the work, ABORTED. */
export function ask<N extends AskName>(name: N, given: Given<N>, how: HowAsked = {}): Promise<Answered<N>> {
  thread ??= startThread();
  const { signal, onProgress } = how;
  const to = thread;
  if (to === null) return answerAsk(name, given, how);
  const id = ++asked;
  return new Promise((resolve, reject) => {
    to.waiting.set(id, {
      resolve: resolve as (answer: unknown) => void,
      reject,
      ...(onProgress ? { onProgress } : {}),
    });
    signal?.addEventListener('abort', () => to.worker.postMessage({ id, stop: true } satisfies ToThread), {
      once: true,
    });
    to.worker.postMessage({ id, ask: name, given: sent(to, given) } satisfies ToThread);
  });
}
