import { redisError } from './redis.js';

/** The end of a call before its time: the first error that ends it, of which all hear who wait for something. */
export interface BreakOff {
  /** Undefined while the call goes on. */
  readonly error: unknown;
  /** Ends the call, unless something did before. */
  end(cause: unknown): void;
  /** Waits for a work, or for the end. Errors: what ended the call. */
  until<T>(work: Promise<T>): Promise<T>;
}

/** Opens the end of a call; `onEnd` hears of it once. */
export function openBreakOff(onEnd: (error: unknown) => void): BreakOff {
  let error: unknown;
  let reject: (error: unknown) => void = () => {};
  const off = new Promise<never>((_, no) => {
    reject = no;
  });
  off.catch(() => {});
  return {
    get error() {
      return error;
    },
    end(cause) {
      if (error !== undefined) return;
      error = redisError(cause);
      reject(error);
      onEnd(error);
    },
    until: (work) => Promise.race([work, off]),
  };
}
