import { availableParallelism } from 'node:os';
import type { Forecast, OnForecast } from '../engine/forecast-engine.js';
import { counted } from '../util/format.js';
import { printNote } from './print.js';
import { clearProgress, timeLeft } from './progress.js';

/** Work of less than this starts without a word, milliseconds on all threads. */
const LONG_MS = 60_000;
/** What the program itself takes, bytes. */
const BASE = 150 * 2 ** 20;

/** Says what a work will take, in words. */
export function forecastWords({ what, milliseconds, bytes }: Forecast, threads: number): string {
  const time = timeLeft(milliseconds / threads / 1000);
  const memory = ((BASE + bytes) / 2 ** 30).toFixed(1);
  return `${what} will take about ${time} on ${counted(threads, 'thread')} and ${memory} GiB of memory; Ctrl-C stops it`;
}

/**
 * Makes what says, on standard error and before it starts, what a long work will take; each work once.
 */
export function sayForecasts(flags: {
  readonly threads?: number | undefined;
  readonly backend?: string | undefined;
  readonly quiet?: boolean | undefined;
}): OnForecast {
  const one = flags.backend === 'wasm' || flags.backend === 'reference';
  const threads = one ? 1 : (flags.threads ?? availableParallelism());
  const said = new Set<string>();
  return (forecast) => {
    if (flags.quiet || forecast.milliseconds / threads < LONG_MS || said.has(forecast.what)) return;
    said.add(forecast.what);
    clearProgress();
    printNote(forecastWords(forecast, threads));
  };
}
