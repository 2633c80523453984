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

/** Where the middle of a label stands, and where a line from its point to it ends; null where it stands beside its point. */
export interface Placed extends Point {
  readonly leader: Point | null;
}

export interface LabelRequest {
  readonly points: readonly Point[];
  readonly widths: readonly number[];
  readonly height: number;
  /** Of every point. */
  readonly radius: number;
  readonly within: Box;
  /** Places that labels beside their points leave free too. */
  readonly line?: readonly Point[];
}

const ANGLES = Array.from({ length: 32 }, (_, k) => (k * Math.PI) / 16);

function boxAt({ x, y }: Point, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Twice the signed area of a triangle: its sign says on which side of the line `a` to `b` the third corner lies. */
const side = (a: Point, b: Point, c: Point) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** Whether two segments cross. */
function cross([a, b]: Segment, [c, d]: Segment): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

type Segment = readonly [Point, Point];

/** Whether a segment meets a box. */
function meets([a, b]: Segment, box: Box): boolean {
  const inside = ({ x, y }: Point) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  const [nw, se] = [
    { x: box.left, y: box.top },
    { x: box.right, y: box.bottom },
  ];
  const [ne, sw] = [
    { x: box.right, y: box.top },
    { x: box.left, y: box.bottom },
  ];
  return inside(a) || inside(b) || cross([a, b], [nw, se]) || cross([a, b], [ne, sw]);
}

/** Distance of a point from a box, 0 inside. */
const apart = ({ x, y }: Point, box: Box) =>
  Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));

/** A label beside its point is nearer to it than to any other point, by so much. */
const NEARER = 0.5;

/** What a line from a point to its label may run over. */
type Passing = 'nothing' | 'points' | 'anything';

/** Gaps up to which a label stands beside its point, without a line to it. */
const NEAR = 6;

interface Place {
  readonly gap: number;
  readonly middle: Point;
  /** Where a line from the point to the label ends. */
  readonly end: Point;
}

/** Places of a label at growing distances from its point, nearest first. */
function placesAround(
  { x, y }: Point,
  [width, height]: readonly [number, number],
  radius: number,
  most: number,
): Place[] {
  const places: Place[] = [];
  for (let gap = 2; gap < most; gap += gap < 10 ? 2 : 5) {
    for (const angle of ANGLES) {
      const [cos, sin] = [Math.cos(angle), -Math.sin(angle)];
      const middle = { x: x + cos * (radius + gap + width / 2), y: y + sin * (radius + gap + height / 2) };
      const inner = 1 / Math.max(Math.abs(cos) / (width / 2), Math.abs(sin) / (height / 2));
      places.push({ gap, middle, end: { x: middle.x - cos * inner, y: middle.y - sin * inner } });
    }
  }
  return places;
}

/**
 * Places one label beside each point, those with the fewest free places first: the nearest of 32 directions and growing distances that covers
 * no point, label or leader and stays inside the box, and beside its point no place of `line` either and no other point as near. Leaders cross neither each other nor
 * labels nor, if that can be, other points; where there is no such place they do. Null where no place is left.
 */
export function placeLabels({ points, widths, height, radius, within, line = [] }: LabelRequest): (Placed | null)[] {
  const dots = points.map((point) => boxAt(point, 2 * radius, 2 * radius));
  const kept = line.map((point) => boxAt(point, 2, 2));
  const labels: Box[] = [];
  const leaders: Segment[] = [];
  const reach = Math.hypot(within.right - within.left, within.bottom - within.top);
  const fits = (box: Box) =>
    box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom;
  const clear = (box: Box) => dots.every((dot) => !overlap(box, dot)) && labels.every((label) => !overlap(box, label));
  const near = (i: number) =>
    placesAround(points[i]!, [widths[i]!, height], radius, NEAR + 1).filter(({ middle }) => {
      const box = boxAt(middle, widths[i]!, height);
      const own = apart(points[i]!, box);
      return (
        fits(box) &&
        clear(box) &&
        kept.every((place) => !overlap(box, place)) &&
        points.every((other, k) => k === i || apart(other, box) > own + NEARER)
      );
    });
  const far = (i: number, passing: Passing) =>
    placesAround(points[i]!, [widths[i]!, height], radius, reach).find(({ middle, end }) => {
      const box = boxAt(middle, widths[i]!, height);
      if (!fits(box) || !clear(box)) return false;
      const leader: Segment = [points[i]!, end];
      const apart =
        leaders.every((other) => !cross(leader, other) && !meets(other, box)) &&
        labels.every((label) => !meets(leader, label));
      return (
        passing === 'anything' ||
        (apart && (passing === 'points' || dots.every((dot, k) => k === i || !meets(leader, dot))))
      );
    });
  const free = points.map((_, i) => near(i).length);
  const order = points.map((_, i) => i).sort((a, b) => free[a]! - free[b]! || a - b);
  const placed: (Placed | null)[] = points.map(() => null);
  const put = (i: number, { middle, end, gap }: Place) => {
    labels.push(boxAt(middle, widths[i]!, height));
    if (gap > NEAR) leaders.push([points[i]!, end]);
    placed[i] = { ...middle, leader: gap > NEAR ? end : null };
  };
  const left = order.filter((i) => {
    const place = near(i)[0];
    if (place) put(i, place);
    return !place;
  });
  for (const i of left) {
    const place = far(i, 'nothing') ?? far(i, 'points') ?? far(i, 'anything');
    if (place) put(i, place);
  }
  return placed;
}
