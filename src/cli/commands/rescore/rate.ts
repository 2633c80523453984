import { thousands } from '../../../util/format.js';
import { barText, clearProgress, drawProgress, timeLeft } from '../../progress.js';

const REDRAW_MS = 100;

/** How far a batch is. */
interface BatchProgress {
  /** Rows and bytes of all parts so far. */
  readonly rows: number;
  readonly bytes: number;
  /** The last part had been done by an earlier call. */
  readonly passedOver: boolean;
  /** Who does it, where that is not this process. */
  readonly who?: string | undefined;
}

/**
 * Shows how far a batch of so many bytes is: a bar, rows and megabytes a second, and the time left, while standard error is a terminal; of a batch of
 * unknown size (0) neither bar nor time left. Rates are of what was scored since a part was last passed over, which is quicker than scoring it.
 */
export function rateLine(total: number): { update(progress: BatchProgress): void; stop(): void } {
  let since = { at: performance.now(), rows: 0, bytes: 0 };
  let last = Number.NEGATIVE_INFINITY;
  return {
    update({ rows, bytes, passedOver, who }) {
      const now = performance.now();
      if (passedOver) since = { at: now, rows, bytes };
      if (now - last < REDRAW_MS) return;
      last = now;
      const seconds = Math.max(0.001, (now - since.at) / 1000);
      const scored = bytes - since.bytes;
      const rates = [
        `${thousands(Math.round((rows - since.rows) / seconds))} rows/s`,
        `${(scored / 1e6 / seconds).toFixed(0)} MB/s`,
        ...(total > 0 ? [`${timeLeft((seconds * Math.max(0, total - bytes)) / scored)} left`] : []),
      ];
      const parts = [
        ...(total > 0 ? [barText(bytes / total)] : []),
        `${thousands(rows)} rows`,
        ...(scored > 0 ? rates : ['done before']),
        ...(who === undefined ? [] : [who]),
      ];
      drawProgress(parts.join(' '));
    },
    stop: clearProgress,
  };
}
