export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where the middle of a label stands, and whether it is far enough from its point to need a line to it. */
export interface Placed extends Point {
  readonly far: boolean;
}

const ANGLES = Array.from({ length: 16 }, (_, k) => (k * Math.PI) / 8);

function boxAt({ x, y }: Point, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Gaps up to which a label stands beside its point, without a line to it. */
const NEAR = 6;

/**
 * Places one label beside each point, in the order given: the nearest of 16 directions and growing distances that covers
 * no point and no earlier label and stays inside the box, and beside its point no place of `line` either, if there is one. Null where no
 * place is left.
 */
export function placeLabels(
  points: readonly Point[],
  widths: readonly number[],
  height: number,
  radius: number,
  within: Box,
  line: readonly Point[] = [],
): (Placed | null)[] {
  const taken = points.map((point) => boxAt(point, 2 * radius, 2 * radius));
  const kept = line.map((point) => boxAt(point, 2, 2));
  const reach = Math.hypot(within.right - within.left, within.bottom - within.top);
  const placed = (point: Point, width: number, most: number, avoided: readonly Box[]): Placed | null => {
    for (let gap = 2; gap < most; gap += gap < 10 ? 2 : 5) {
      for (const angle of ANGLES) {
        const x = point.x + Math.cos(angle) * (radius + gap + width / 2);
        const y = point.y - Math.sin(angle) * (radius + gap + height / 2);
        const box = boxAt({ x, y }, width, height);
        const inside =
          box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom;
        const free = (other: Box) => !overlap(box, other);
        if (inside && taken.every(free) && avoided.every(free)) {
          taken.push(box);
          return { x, y, far: gap > NEAR };
        }
      }
    }
    return null;
  };
  return points.map((point, i) => placed(point, widths[i]!, NEAR + 1, kept) ?? placed(point, widths[i]!, reach, []));
}
