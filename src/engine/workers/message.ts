import { FlavourError, failure } from '../../util/error.js';
import { instantiate } from '../wasm/arena.js';
import { type Job, type JobResult, runJob } from '../wasm/runner.js';

/** What a worker is started with: the compiled kernels and the memory it shares with everybody. */
export interface WorkerStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

/** What a worker is asked to do. */
export interface WorkerTask {
  readonly job: Job;
  /** Address of scratch that no other worker uses meanwhile. */
  readonly scratch: number;
}

/** A job's result, or the error it ended with: errors lose their class between threads. */
export type WorkerReply =
  | { readonly result: JobResult }
  | { readonly error: { code: string; message: string; hint?: string } };

/** Opens the function that serves tasks in a worker. */
export function openWorker({ module, memory }: WorkerStart): (task: WorkerTask) => WorkerReply {
  const kernels = instantiate(module, memory);
  return ({ job, scratch }) => {
    try {
      return { result: runJob(kernels, memory, job, scratch) };
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      const { code, message, hint } = error;
      return { error: { code, message, hint } };
    }
  };
}

/** Lists the buffers that a reply holds of its own, each once: what lies in shared memory stays there. */
export function ownBuffers(reply: WorkerReply): ArrayBuffer[] {
  if (!('result' in reply)) return [];
  const buffers = Object.values(reply.result ?? {}).flatMap((value: unknown) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
  return [...new Set(buffers)];
}

/** Takes the result out of a reply, or throws its error. */
export function resultOf(reply: WorkerReply): JobResult {
  if ('result' in reply) return reply.result;
  const { code, message, hint } = reply.error;
  throw failure(code, null, message, hint);
}
