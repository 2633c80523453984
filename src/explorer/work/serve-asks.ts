import { answerAsk, sentError } from './answer-asks.js';
import type { AskedScores, AskName, Given, SentError } from './thread-asks.js';

/** What a page sends to the thread that computes. */
export type ToThread =
  | { readonly id: number; readonly ask: AskName; readonly given: unknown }
  | { readonly id: number; readonly stop: true };

/** What the thread sends back. */
export type FromThread =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: SentError }
  | { readonly id: number; readonly progress: readonly [what: string, done: number, total: number] };

/** The global object of a worker, as far as it is used here. */
interface ThreadScope {
  postMessage(message: FromThread): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ToThread }) => void): void;
}

/** Serves the asks of a page from this thread. Scores are sent with their first ask and kept until others are. */
export function serveAsks(scope: ThreadScope): void {
  const running = new Map<number, AbortController>();
  let scores: AskedScores | undefined;
  const completed = (given: unknown): unknown => {
    const asked = given as { scores?: AskedScores };
    if (asked.scores === undefined) return given;
    if (asked.scores.files || asked.scores.matrix) scores = asked.scores;
    return { ...asked, scores };
  };
  scope.addEventListener('message', ({ data }) => {
    const { id } = data;
    if ('stop' in data) {
      running.get(id)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    const onProgress = (what: string, done: number, total: number) =>
      scope.postMessage({ id, progress: [what, done, total] });
    answerAsk(data.ask, completed(data.given) as Given<AskName>, { signal: controller.signal, onProgress })
      .then(
        (answer) => scope.postMessage({ id, answer }),
        (error: unknown) => scope.postMessage({ id, error: sentError(error) }),
      )
      .finally(() => running.delete(id));
  });
}
