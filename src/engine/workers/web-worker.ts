import { openWorker, ownBuffers, type WorkerStart, type WorkerTask } from './message.js';

/** Entry of a pool thread in a browser: the first message starts it, every other one is a task. */
let serve: ReturnType<typeof openWorker> | undefined;

addEventListener('message', ({ data }: MessageEvent<WorkerStart | WorkerTask>) => {
  if ('module' in data) serve = openWorker(data);
  else if (serve) {
    const reply = serve(data);
    postMessage(reply, { transfer: ownBuffers(reply) });
  }
});
