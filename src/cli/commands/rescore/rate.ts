import { barText, clearProgress, drawProgress, timeLeft } from '../../progress.js';

const REDRAW_MS = 100;

/** Shows how far a batch is: a bar, rows and megabytes a second, and the time left, while standard error is a terminal. */
export function rateLine(total: number): { update(rows: number, bytes: number, more?: string): void; stop(): void } {
  const begun = performance.now();
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(rows, bytes, more) {
      const now = performance.now();
      if (now - last < REDRAW_MS) return;
      last = now;
      const seconds = Math.max(0.001, (now - begun) / 1000);
      const parts = [
        ...(total > 0 ? [barText(bytes / total)] : []),
        `${rows.toLocaleString('en')} rows`,
        `${Math.round(rows / seconds).toLocaleString('en')} rows/s`,
        `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
        ...(total > 0 ? [`${timeLeft(seconds * (total / Math.max(1, bytes) - 1))} left`] : []),
        ...(more === undefined ? [] : [more]),
      ];
      drawProgress(parts.join(' '));
    },
    stop: clearProgress,
  };
}
