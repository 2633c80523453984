import { statSync } from 'node:fs';
import type { Engine } from '../engine/engine.js';
import { createEngine, type EngineOptions } from '../engine/node.js';

/** Bytes of input whose reading takes about as long as a thread takes to start. */
const WORTH_A_THREAD = 100_000;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Opens an engine before the files of a call are read: where they are large, a second thread gets ready meanwhile. What is wrong with a path is
 * said by who reads it.
 */
export function openEarly(
  { backend, threads }: Pick<EngineOptions, 'backend' | 'threads'>,
  paths: readonly string[],
): Promise<Engine> {
  const early = paths.reduce((sum, path) => sum + sizeOf(path), 0) >= WORTH_A_THREAD;
  return createEngine({ backend, threads, early });
}
