import { parentPort, workerData } from 'node:worker_threads';
import { RELEASE_FILES } from './layout.js';
import { proveAnswers, proveJournals } from './proof-files.js';

const files = workerData as ReadonlyMap<string, Uint8Array>;
const observations = files.get(RELEASE_FILES.observations);

// The answers first: whoever reads the release waits for them.
parentPort?.postMessage({ answers: observations ? proveAnswers(observations) : null });
parentPort?.postMessage({ journals: proveJournals(files) });
