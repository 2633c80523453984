import type { OnProgress } from '../engine/engine.js';
import { thousands } from '../util/format.js';

/** Shows on one line of standard error how far a work is. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** A work that is done before this many milliseconds shows no line. */
const PATIENCE_MS = 2000;
/** Time between two drawings, milliseconds. */
const REDRAW_MS = 100;
/** Cells of a bar. */
const CELLS = 24;
/** Back to the start of the line, and erase to its end. */
const CLEAR = '\r\u001b[K';

let drawn = false;

/** Takes the line away, so that a message may stand in its place. */
export function clearProgress(): void {
  if (drawn) process.stderr.write(CLEAR);
  drawn = false;
}

/** Draws the line in place of the one before, cut to the width of the terminal; nothing where standard error is none, or a dumb one. */
export function drawProgress(text: string): void {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === 'dumb') return;
  stderr.write(`${CLEAR}${text.slice(0, Math.max(1, (stderr.columns || 80) - 1))}`);
  drawn = true;
}

/** Writes a share of a whole as a bar of fixed width. */
export function barText(share: number): string {
  const full = Math.floor(CELLS * Math.min(1, Math.max(0, share)));
  return `[${'='.repeat(full)}${' '.repeat(CELLS - full)}]`;
}

/** Writes a number of seconds as hours and minutes, minutes and seconds, or seconds; `-` where it is not known. */
export function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return '-';
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m${whole % 60}s` : `${whole}s`;
}

/**
 * Shows how far a work is and how long it will take, while standard error is a terminal. The line appears two seconds after `since`
 * (milliseconds of `performance.now`): what is done by then needs none. Numbers are those of `unit`, such as bytes or draws.
 */
export function progress(label: string, unit: string, since = performance.now()): Progress {
  const begun = performance.now();
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(done, total) {
      const now = performance.now();
      if (now - since < PATIENCE_MS || now - last < REDRAW_MS) return;
      last = now;
      const left = timeLeft(((now - begun) / 1000) * (total / done - 1));
      const counts = `${thousands(done)}/${thousands(total)}`;
      drawProgress(
        [label, barText(done / total), counts, unit, `${left} left`].filter((part) => part !== '').join(' '),
      );
    },
    stop: clearProgress,
  };
}

/** What follows a work of several stages. */
interface Stages {
  /** Hears of the rounds of the work; once it does, single calls of the engine are passed over. */
  readonly onProgress: OnProgress;
  /** Hears of a call of the engine. */
  readonly onCall: OnProgress;
  stop(): void;
}

/** Follows a work of several stages: the line shows the one that was last heard of. */
export function stages(): Stages {
  const since = performance.now();
  let stage: string | undefined;
  let line: Progress | undefined;
  let rounds = false;
  const show: OnProgress = (name, done, total) => {
    if (name !== stage) line = progress(name, '', since);
    stage = name;
    line!.update(done, total);
  };
  return {
    onProgress(...how) {
      rounds = true;
      show(...how);
    },
    onCall(...how) {
      if (!rounds) show(...how);
    },
    stop: clearProgress,
  };
}
