import { audit } from './operations/audit-request.js';
import { infer } from './operations/infer-request.js';
import type { Operation } from './operations/operation.js';
import { reward } from './operations/reward-request.js';
import { score } from './operations/score-request.js';

/** An operation whose types nobody needs. */
export type AnyOperation = Operation;

/** Everything that can be asked for. */
export const OPERATIONS = [score, reward, audit, infer] as unknown as readonly AnyOperation[];

/** The operation of a name; undefined where there is none. */
export const operationOf = (name: unknown): AnyOperation | undefined => OPERATIONS.find((each) => each.name === name);
