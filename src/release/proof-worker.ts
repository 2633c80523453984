import { parentPort, workerData } from 'node:worker_threads';
import type { ArrowColumn } from '../io/arrow.js';
import { parquetFile } from '../io/write-parquet.js';
import { proveAnswers, proveJournals } from './proofs/line-proof.js';
import { RELEASE_FILES } from './release-files.js';

const files = workerData as ReadonlyMap<string, Uint8Array>;
const observations = files.get(RELEASE_FILES.observations);

// The answers first: whoever reads the release waits for them.
parentPort?.postMessage({ answers: observations ? proveAnswers(observations) : null });
parentPort?.postMessage({ journals: proveJournals(files) });
parentPort?.on('message', async (columns: readonly ArrowColumn[]) => {
  const parquet = await parquetFile({ columns });
  parentPort?.postMessage({ parquet }, [parquet.buffer as ArrayBuffer]);
});
