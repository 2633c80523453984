import type { JSX } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows past which only those in sight are made: fewer are searched whole. */
const WHOLE = 200;
/** Rows made beyond both ends of what is in sight. */
const BEYOND = 12;

export interface RowWindow {
  readonly ref: { current: HTMLElement | null };
  readonly onScroll: () => void;
  /** Rows [from, to) are made. */
  readonly from: number;
  readonly to: number;
  /** Pixels that stand for the rows before and after them. */
  readonly before: number;
  readonly after: number;
}

/**
 * Chooses the rows of a long table that are made, all of one height, by how far its part of the page is scrolled; `whole` makes all, as paper needs
 * them.
 */
export function useWindow(count: number, rowHeight: number, whole = false): RowWindow {
  const ref = useRef<HTMLElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600 });
  const onScroll = useCallback(() => {
    const { scrollTop = 0, clientHeight = 600 } = ref.current ?? {};
    // State changes only when other rows come into sight, not with each pixel.
    setPlace((old) => {
      const moved = Math.abs(old.top - scrollTop) >= (rowHeight * BEYOND) / 2 || old.height !== clientHeight;
      return moved ? { top: scrollTop, height: clientHeight } : old;
    });
  }, [rowHeight]);
  useLayoutEffect(onScroll, [count]);
  if (whole || count <= WHOLE) return { ref, onScroll, from: 0, to: count, before: 0, after: 0 };
  const from = Math.max(0, Math.min(count, Math.floor(place.top / rowHeight)) - BEYOND);
  const to = Math.min(count, Math.ceil((place.top + place.height) / rowHeight) + BEYOND);
  return { ref, onScroll, from, to, before: from * rowHeight, after: (count - to) * rowHeight };
}

/**
 * Makes the rows of a window. Those that stay in sight are taken as they were made while `made` is the same, so that a step of scrolling costs what
 * comes into sight and nothing else; `made` changes with whatever `row` reads.
 */
export function useRows({ from, to }: RowWindow, made: unknown, row: (at: number) => JSX.Element): JSX.Element[] {
  const last = useRef<{ readonly made: unknown; readonly rows: ReadonlyMap<number, JSX.Element> } | null>(null);
  const before = last.current;
  const known = before !== null && before.made === made ? before.rows : null;
  const rows = new Map<number, JSX.Element>();
  for (let at = from; at < to; at += 1) rows.set(at, known?.get(at) ?? row(at));
  last.current = { made, rows };
  return [...rows.values()];
}
