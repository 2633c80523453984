import { isObject, type JsonObject } from '../io/json.js';
import { reducedSamples } from './inspect-reductions.js';
import { inspectRead } from './inspect-samples.js';
import type { LogFormat } from './log-format.js';

/**
 * A log of inspect_ai in its JSON form (reading 2.1):
 *
 *     { "status": "success", "eval": { "model": "...", "task": "..." },
 *       "samples": [{ "id": 1, "epoch": 1, "input": ..., "scores": { "SCORER": { "value": "C" } } }] }
 */
export const INSPECT_JSON: LogFormat = {
  name: 'inspect_ai',
  log: 'an inspect_ai log',
  recognise: ({ document }) => isObject(document) && isInspectHeader(document),
  read: ({ file, document }, options) => {
    const header = document as JsonObject;
    const list = Array.isArray(header.samples) ? (header.samples as unknown[]) : [];
    const samples = list.map((sample, i) => ({ sample, path: `samples[${i}]` }));
    return inspectRead(
      { file, header, samples: samples.length > 0 ? samples : reducedSamples(header.reductions, 'reductions') },
      options,
    );
  },
};

/** Tells whether an object says of which model and task a log of inspect_ai is. */
export function isInspectHeader(header: JsonObject): boolean {
  return isObject(header.eval) && typeof header.eval.model === 'string';
}
