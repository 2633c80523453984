import { describe, expect, it } from 'vitest';
import { type Box, type Placed, type Point, placeLabels } from '../../src/draw/labels.js';

const WITHIN: Box = { left: 0, top: 0, right: 300, bottom: 300 };
const [WIDTH, HEIGHT, RADIUS] = [12, 9, 3];

/** Points from a fixed rule: so many of them around one spot, as scores of like models lie. */
const crowd = (count: number, spread: number): Point[] =>
  Array.from({ length: count }, (_, k) => ({
    x: 150 + spread * Math.sin(k * 12.9898),
    y: 150 + spread * Math.sin(k * 78.233 + 1),
  }));

const place = (points: readonly Point[]) =>
  placeLabels({ points, widths: points.map(() => WIDTH), height: HEIGHT, radius: RADIUS, within: WITHIN });

const boxOf = ({ x, y }: Point, width: number, height: number): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});
const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Whether a line comes into a box, by a hundred points on it. */
const passes = (from: Point, to: Point, box: Box) =>
  Array.from({ length: 99 }, (_, k) => (k + 1) / 100).some((t) =>
    overlap(boxOf({ x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y) }, 0.01, 0.01), box),
  );

describe('labels beside points', () => {
  it.each([
    ['few', 6, 60],
    ['a crowd', 27, 45],
  ])('cover neither points nor each other, and their lines meet no label of another: %s', (_, count, spread) => {
    const points = crowd(count, spread);
    const placed = place(points);
    expect(placed.filter((label) => label === null)).toEqual([]);
    const labels = placed as Placed[];
    const boxes = labels.map((label) => boxOf(label, WIDTH, HEIGHT));
    for (const [i, box] of boxes.entries()) {
      expect(points.some((point) => overlap(boxOf(point, 2 * RADIUS, 2 * RADIUS), box))).toBe(false);
      for (const [k, other] of boxes.entries()) {
        if (k !== i) expect(overlap(box, other)).toBe(false);
        const end = labels[k]!.leader;
        if (k !== i && end !== null) expect(passes(points[k]!, end, box)).toBe(false);
      }
    }
  });

  it('stand nearer to their own point than to any other where no line leads to it', () => {
    const points = crowd(27, 45);
    const away = ({ x, y }: Point, box: Box) =>
      Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    const near = place(points).flatMap((label, i) => (label?.leader === null ? [{ label, i }] : []));
    expect(near.length).toBeGreaterThan(15);
    for (const { label, i } of near) {
      const distances = points.map((point) => away(point, boxOf(label, WIDTH, HEIGHT)));
      expect(distances.indexOf(Math.min(...distances))).toBe(i);
    }
  });

  it('are left out where there is no room at all', () => {
    const tight = placeLabels({
      points: [{ x: 5, y: 5 }],
      widths: [40],
      height: HEIGHT,
      radius: RADIUS,
      within: { left: 0, top: 0, right: 10, bottom: 10 },
    });
    expect(tight).toEqual([null]);
  });
});
