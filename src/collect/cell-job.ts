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
  /** 56 basis points: what a simulated route answers from, and the agreement table once a ledger is un-blinded on request. */
  readonly task: { readonly scores: Uint16Array };
}
