import { clearScreenDown, moveCursor } from 'node:readline';
import { microsToUsd } from '../../../collect/money.js';
import type { Progress } from '../../../collect/run-collection.js';
import type { Tally } from '../../../collect/run-tally.js';
import { plain, printNote } from '../../print.js';
import { barText, clearProgress, drawProgress, timeLeft } from '../../progress.js';

const MINUTE_MS = 60_000;

/** Something that shows how a run goes, on standard error. */
export interface Display {
  update(progress: Progress): void;
  stop(): void;
}

function failuresText(tally: Tally): string {
  const kinds = [...tally.failures].sort((a, b) => b[1] - a[1]).slice(0, 4);
  return kinds.map(([kind, n]) => `${kind} ${n}`).join(', ') || 'none';
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
}

function rateOf(progress: Progress, startedMs: number) {
  const seconds = Math.max(0.001, (performance.now() - startedMs) / 1000);
  const rate = progress.tally.done / seconds;
  return { rate, left: timeLeft((progress.toAsk - progress.tally.done) / rate) };
}

/** Cells, rate, cost, failures by kind and time left, in one line. */
function lineText(progress: Progress, startedMs: number): string {
  const { rate, left } = rateOf(progress, startedMs);
  const { tally } = progress;
  return `${tally.done}/${progress.toAsk} cells, ${progress.inFlight} in flight, ${rate.toFixed(1)}/s, ${microsToUsd(tally.spentMicros)} USD, failures: ${failuresText(tally)}, left ${left}`;
}

/** Shows one line: on a terminal with a bar, drawn again at every change; elsewhere printed once a minute. */
export function lineDisplay(): Display {
  const startedMs = performance.now();
  let printedAt = startedMs;
  if (process.stderr.isTTY)
    return {
      update: (progress) =>
        drawProgress(`${barText(progress.tally.done / progress.toAsk)} ${lineText(progress, startedMs)}`),
      stop: clearProgress,
    };
  return {
    update(progress) {
      if (performance.now() - printedAt < MINUTE_MS) return;
      printedAt = performance.now();
      printNote(lineText(progress, startedMs));
    },
    stop: () => {},
  };
}

/** Lines of the blind table: completion, failures, cost and parse rate of each model; never a score. */
function liveLines(progress: Progress, startedMs: number): readonly string[] {
  const { tally } = progress;
  const rows = [...tally.models.values()].map((model) => [
    plain(model.model_id),
    `${model.completed + model.failed}/${model.scheduled}`,
    String(model.failed),
    String(model.pending),
    percent(model.parseable, model.completed),
    microsToUsd(model.micros),
    model.suspended ?? (progress.parked.includes(model.model_id) ? 'parked' : ''),
  ]);
  const head = ['model', 'recorded', 'failed', 'left pending', 'parsed', 'USD', 'state'];
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]!))).join('  ');
  return [line(head), ...rows.map(line), lineText(progress, startedMs)];
}

/** Shows the blind table: redrawn on a terminal twice a second, printed every half minute and at the end elsewhere. */
export function liveDisplay(): Display {
  const startedMs = performance.now();
  const stream = process.stderr;
  const interval = stream.isTTY ? 500 : 30_000;
  let shownAt = stream.isTTY ? Number.NEGATIVE_INFINITY : startedMs;
  let height = 0;
  let last: Progress | undefined;
  const draw = (progress: Progress): void => {
    const lines = liveLines(progress, startedMs);
    if (stream.isTTY && height > 0) {
      moveCursor(stream, 0, -height);
      clearScreenDown(stream);
    }
    stream.write(`${lines.join('\n')}\n`);
    height = lines.length;
  };
  return {
    update(progress) {
      last = progress;
      if (performance.now() - shownAt < interval) return;
      shownAt = performance.now();
      draw(progress);
    },
    stop() {
      if (last) draw(last);
      last = undefined;
    },
  };
}

/** Shows nothing, for `--json`. */
export const silentDisplay: Display = { update: () => {}, stop: () => {} };
