import { workerData } from 'node:worker_threads';
import { openWorker, type WorkerReply, type WorkerStart, type WorkerTask } from './message.js';

const serve = openWorker(workerData as WorkerStart);

/** Entry of a pool thread. */
export function run(task: WorkerTask): WorkerReply {
  return serve(task);
}
