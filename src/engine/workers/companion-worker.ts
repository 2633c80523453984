import { parentPort, workerData } from 'node:worker_threads';
import type { CompanionReply } from './companion.js';
import { openWorker, ownBuffers, type WorkerStart, type WorkerTask } from './message.js';

const serve = openWorker(workerData as WorkerStart);
const post = (reply: CompanionReply): void =>
  parentPort!.postMessage(reply, typeof reply === 'string' ? [] : ownBuffers(reply));

parentPort!.on('message', (task: WorkerTask) => post(serve(task)));
post('ready');
