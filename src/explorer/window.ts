import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows past which only those in sight are made: fewer are printed and searched whole. */
const WHOLE = 200;
/** Rows made beyond both ends of what is in sight. */
const BEYOND = 20;

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

/** Chooses the rows of a long table that are made, all of one height, by how far its part of the page is scrolled. */
export function useWindow(count: number, rowHeight: number): RowWindow {
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
  if (count <= WHOLE) return { ref, onScroll, from: 0, to: count, before: 0, after: 0 };
  const from = Math.max(0, Math.min(count, Math.floor(place.top / rowHeight)) - BEYOND);
  const to = Math.min(count, Math.ceil((place.top + place.height) / rowHeight) + BEYOND);
  return { ref, onScroll, from, to, before: from * rowHeight, after: (count - to) * rowHeight };
}
