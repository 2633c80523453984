import type { Engine } from './engine.js';

/** What an engine is asked to do. */
type Calls = Omit<Engine, 'backend' | 'threads' | 'reason'>;

/** Gives an engine that stands before another one: the calls given are its own, all others and what it says of itself are those of the other. */
export function engineAround(engine: Engine, calls: Partial<Calls>): Engine {
  return {
    get backend() {
      return engine.backend;
    },
    get threads() {
      return engine.threads;
    },
    get reason() {
      return engine.reason;
    },
    bootstrap: (design, request) => engine.bootstrap(design, request),
    bootstrapValues: (design, request) => engine.bootstrapValues(design, request),
    studentised: (design, request) => engine.studentised(design, request),
    flips: (design, request) => engine.flips(design, request),
    exactFlips: (design, request) => engine.exactFlips(design, request),
    close: () => engine.close(),
    ...calls,
  };
}
