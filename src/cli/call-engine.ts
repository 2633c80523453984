import { statSync } from 'node:fs';
import type { Engine } from '../engine/engine.js';
import { followEngine } from '../engine/follow.js';
import { forecastEngine, type OnForecast } from '../engine/forecast-engine.js';
import { createEngine, type EngineOptions } from '../engine/node.js';
import { collectMemory } from '../engine/node-collect.js';
import type { stages } from './progress.js';

type Chosen = Pick<EngineOptions, 'backend' | 'threads'>;

/** Bytes of input whose reading takes about as long as a thread takes to start. */
const WORTH_A_THREAD = 100_000;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Opens an engine before the files of a call are read: where they are large, a second thread gets ready meanwhile. What is wrong with a path is
 * said by who reads it.
 */
export function openEarly({ backend, threads }: Chosen, paths: readonly string[]): Promise<Engine> {
  const early = paths.reduce((sum, path) => sum + sizeOf(path), 0) >= WORTH_A_THREAD;
  return createEngine({ backend, threads, early });
}

interface CallEngineOptions extends Chosen {
  /** Stands before the engine, where its draws are shared among processes. */
  readonly around?: (engine: Engine) => Engine;
  /** Files that surely lead to draws: the engine is opened before they are read. */
  readonly drawn?: readonly string[];
}

/** The engine of a call, opened once, when it is asked for. */
interface CallEngine {
  open(): Promise<Engine>;
  /** Which backend worked, and why; undefined where no engine was asked for. */
  ran(): Pick<Engine, 'backend' | 'threads' | 'reason'> | undefined;
  /** Closes it for good, where one was opened. */
  close(): Promise<void>;
}

/** Makes the engine of a call, which shows on `bar` what it is at, and tells `onForecast` what a long work will take. */
export function callEngine(
  options: CallEngineOptions,
  bar: ReturnType<typeof stages>,
  onForecast: OnForecast,
): CallEngine {
  const { backend, threads, around, drawn } = options;
  let early = drawn && openEarly(options, drawn);
  // Whoever asks for the engine is told why it cannot be opened; nobody need ask.
  early?.catch(() => {});
  let opening: Promise<Engine> | undefined;
  let engine: Engine | undefined;
  let ran: Pick<Engine, 'backend' | 'threads' | 'reason'> | undefined;
  const opened = async (): Promise<Engine> => {
    const followed = forecastEngine(
      followEngine(await (early ?? createEngine({ backend, threads })), bar.onCall),
      onForecast,
    );
    engine = around?.(followed) ?? followed;
    return engine;
  };
  return {
    open() {
      opening ??= opened();
      return opening;
    },
    ran: () => ran ?? engine,
    async close() {
      if (engine === undefined) return (await early?.catch(() => undefined))?.close();
      await engine.close();
      ran = { backend: engine.backend, threads: engine.threads, reason: engine.reason };
      // Its memory, hundreds of megabytes for a wide table, is free for the files that are written next, once nothing leads to it, no promise either.
      engine = undefined;
      opening = undefined;
      early = undefined;
      await collectMemory();
    },
  };
}
