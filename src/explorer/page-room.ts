import { useEffect, useState } from 'preact/hooks';
import { usePrinting } from './printing.js';

/** What a view may fill, pixels: from side to side, and how large its letters are set. */
export interface PageRoom {
  readonly width: number;
  /** Size of a letter of the page. */
  readonly letter: number;
  /** As on a telephone. */
  readonly narrow: boolean;
}

/** Below it a window is narrow, pixels: the style sheet has the same. */
const NARROW = 620;
/** A sheet of A4 on its side without its margins, at the scale that tables are printed at (`style/media.css`). */
const PAPER: PageRoom = { width: 1047 / 0.75, letter: 16, narrow: false };
/** Widths are taken in such steps, so that a window that is drawn larger does not draw all anew with every pixel. */
const STEP = 20;

function roomNow(): PageRoom {
  const page = document.querySelector('.page');
  const style = page && getComputedStyle(page);
  const inside = page && style ? page.clientWidth - 2 * Number.parseFloat(style.paddingLeft) : innerWidth;
  const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { width: Math.floor(inside / STEP) * STEP, letter, narrow: innerWidth <= NARROW };
}

/** Tells how much room a view has, and follows the window; on paper it is that of the sheet. */
export function usePageRoom(): PageRoom {
  const [room, setRoom] = useState(roomNow);
  const printing = usePrinting();
  useEffect(() => {
    const follow = () => {
      const next = roomNow();
      setRoom((old) =>
        old.width === next.width && old.letter === next.letter && old.narrow === next.narrow ? old : next,
      );
    };
    follow();
    addEventListener('resize', follow);
    return () => removeEventListener('resize', follow);
  }, [printing]);
  return printing ? PAPER : room;
}

/** A length between two others. */
export const between = (least: number, length: number, most: number): number =>
  Math.round(Math.min(Math.max(length, least), most));
