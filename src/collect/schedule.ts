import { orderKey, sha256 } from '../io/digest.js';
import { type CellBinding, type CellKey, cellId, PHASES } from '../ledger/cell-key.js';
import type { Reservation } from './budget.js';
import { reservationFor } from './charge.js';
import type { Collection } from './compile-plan.js';
import { type Message, messagesOf, type ProtocolName } from './protocol.js';
import type { Route } from './route.js';

/** One cell ready to be asked. */
export interface CellJob {
  readonly binding: CellBinding;
  readonly route: Route;
  readonly messages: readonly Message[];
  /** Candidate names in label order, for the parser's name form; empty where the task has none. */
  readonly choices: readonly string[];
  readonly reservation: Reservation;
  /** 56 basis points: what a simulated route answers from, and the agreement table once a ledger is un-blinded on request. */
  readonly task: { readonly scores: Uint16Array };
}

interface Prepared {
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly promptSha256: string;
}

/** Messages and digests are made once a task and protocol, not once a cell. */
function preparer(): (protocol: ProtocolName, prompt: string) => Prepared {
  const known = new Map<string, Prepared>();
  return (protocol, prompt) => {
    const name = `${protocol}\0${prompt}`;
    let found = known.get(name);
    if (found === undefined) {
      const messages = messagesOf(protocol, prompt);
      found = {
        messages,
        bytes: messages.reduce((sum, m) => sum + Buffer.byteLength(m.content), 0),
        promptSha256: sha256(prompt),
      };
      known.set(name, found);
    }
    return found;
  };
}

/**
 * Lists every cell of a collection in the order it is asked: phases in order, inside a phase ascending
 * SHA-256(seed NUL phase NUL model NUL task), samples of a cell one after the other (collection 1.6). The order
 * depends on no clock, no roster size and no price.
 */
export function buildSchedule(collection: Collection, phases = collection.phases): readonly CellJob[] {
  const { routes, tasks, taskSetOf, frozenPlan } = collection;
  const { seed } = collection.plan;
  const prepare = preparer();
  const keyed: { readonly job: CellJob; readonly phase: number; readonly order: string }[] = [];
  for (const route of routes) {
    const decoding = { ...route.decoding };
    for (const item of tasks) {
      const { phase, task, original, samples } = item;
      if (!phases.includes(phase)) continue;
      const { messages, bytes, promptSha256 } = prepare(route.protocol, task.prompt);
      const order = orderKey(seed, phase, route.model_id, task.id);
      const reservation = reservationFor({ route, promptBytes: bytes, messages: messages.length });
      for (let repeat = 0; repeat < samples; repeat += 1) {
        const key: CellKey = {
          model_id: route.model_id,
          endpoint_execution_sha256: route.endpoint_execution_sha256,
          protocol_sha256: route.protocol_sha256,
          decoding,
          prompt_sha256: promptSha256,
          phase,
          repeat,
        };
        const binding: CellBinding = {
          cell: cellId(key),
          key,
          slot: route.slot,
          panel: task.panel,
          family: task.family,
          task_id: task.id,
          original_task_id: original,
          task_set_sha256: taskSetOf(item),
          manifest_sha256: frozenPlan.artifact_sha256,
        };
        keyed.push({
          job: { binding, route, messages, choices: task.choices, reservation, task },
          phase: PHASES.indexOf(phase),
          order,
        });
      }
    }
  }
  keyed.sort((a, b) => a.phase - b.phase || (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  return keyed.map(({ job }) => job);
}
