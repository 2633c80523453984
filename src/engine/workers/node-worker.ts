import { workerData } from 'node:worker_threads';
import { openWorker, ownBuffers, type WorkerReply, type WorkerStart, type WorkerTask } from './message.js';

const serve = openWorker(workerData as WorkerStart);

/** Results from this many bytes on are handed over: copied, they would lie in memory three times until threads collect their garbage. */
const LARGE = 2 ** 18;

/** Entry of a pool thread. */
export async function run(task: WorkerTask): Promise<WorkerReply> {
  const reply = serve(task);
  const buffers = ownBuffers(reply);
  if (buffers.reduce((sum, { byteLength }) => sum + byteLength, 0) < LARGE) return reply;
  const { move, transferableSymbol, valueSymbol } = await import('piscina');
  const handed: unknown = { [transferableSymbol]: buffers, [valueSymbol]: reply };
  return move(handed as Parameters<typeof move>[0]) as unknown as WorkerReply;
}
