import type { CellBinding } from '../ledger/index.js';
import type { Hold } from './budget.js';
import type { Message } from './protocol.js';
import type { Route } from './route.js';

/** One cell ready to be asked. */
export interface CellJob {
  readonly binding: CellBinding;
  readonly route: Route;
  readonly messages: readonly Message[];
  /** Candidate names in label order, for the parser's name form; empty where the task has none. */
  readonly choices: readonly string[];
  readonly hold: Hold;
  /** For a simulated route: the answer's ingredients. */
  readonly task: {
    readonly scores: Uint16Array;
    readonly optimal: number;
  };
}
