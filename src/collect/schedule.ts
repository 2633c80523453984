import { orderKey, sha256 } from '../io/digest.js';
import { type CellBinding, type CellKey, cellId, PHASES, type Phase } from '../ledger/index.js';
import type { CellJob } from './cell-job.js';
import { reservation } from './charge.js';
import type { PanelTask } from './panel.js';
import { type Message, messagesOf, type ProtocolName } from './protocol.js';
import type { Route } from './route.js';

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
 * Every cell of a collection in the order it is asked: phases in order, inside a phase ascending
 * SHA-256(seed NUL phase NUL model NUL task), samples of a cell one after the other (collection 1.6). The order
 * depends on no clock, no roster size and no price.
 */
export function buildSchedule(options: {
  readonly routes: readonly Route[];
  readonly panel: readonly PanelTask[];
  readonly seed: string;
  readonly phases: readonly Phase[];
  readonly taskSetOf: (task: PanelTask) => string | null;
  readonly manifestSha256: string;
}): readonly CellJob[] {
  const { routes, panel, seed, phases, taskSetOf, manifestSha256 } = options;
  const prepare = preparer();
  const keyed: { readonly job: CellJob; readonly phase: number; readonly order: string }[] = [];
  for (const route of routes) {
    const decoding = { ...route.decoding };
    for (const item of panel) {
      const { phase, task, original, samples } = item;
      if (!phases.includes(phase)) continue;
      const { messages, bytes, promptSha256 } = prepare(route.protocol, task.prompt);
      const order = orderKey(seed, phase, route.model_id, task.id);
      const hold = reservation({ route, promptBytes: bytes, messages: messages.length });
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
          manifest_sha256: manifestSha256,
        };
        keyed.push({
          job: { binding, route, messages, choices: task.choices, hold, task },
          phase: PHASES.indexOf(phase),
          order,
        });
      }
    }
  }
  keyed.sort((a, b) => a.phase - b.phase || (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  return keyed.map(({ job }) => job);
}
