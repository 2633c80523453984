import { parseHTML } from 'linkedom';
import { measured } from '../../src/draw/text.js';

export interface LabelBox {
  readonly text: string;
  readonly size: number;
  readonly fill: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** a, b, c, d, e, f of an SVG matrix. */
type Matrix = readonly [number, number, number, number, number, number];

const times = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  a * A + c * B,
  b * A + d * B,
  a * C + c * D,
  b * C + d * D,
  a * E + c * F + e,
  b * E + d * F + f,
];

function matrixOf(transform: string | null): Matrix {
  let out: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [, kind, list] of (transform ?? '').matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x = 0, y = 0] = list!.split(/[\s,]+/).map(Number);
    if (kind === 'translate') out = times(out, [1, 0, 0, 1, x, y]);
    else if (kind === 'rotate') {
      const [cos, sin] = [Math.cos((x * Math.PI) / 180), Math.sin((x * Math.PI) / 180)];
      out = times(out, [cos, sin, -sin, cos, 0, 0]);
    } else throw new Error(`transform ${kind}`);
  }
  return out;
}

interface Context {
  readonly matrix: Matrix;
  readonly size: number;
  readonly fill: string;
  readonly weight: string;
  readonly anchor: string;
}

const length = (value: string | null, size: number): number =>
  value === null ? 0 : value.endsWith('em') ? Number.parseFloat(value) * size : Number(value);

/** The box of every text of a figure, from the font's own widths, all transforms applied. */
export function labelBoxes(svg: string): LabelBox[] {
  const { document } = parseHTML(`<html><body>${svg}</body></html>`);
  const boxes: LabelBox[] = [];
  const visit = (element: Element, from: Context): void => {
    const styled = /font-size:([\d.]+)px/.exec(element.getAttribute('style') ?? '')?.[1];
    const size = Number(styled ?? element.getAttribute('font-size') ?? from.size);
    const nested = element.localName === 'svg';
    const x = nested ? length(element.getAttribute('x'), size) : 0;
    const y = nested ? length(element.getAttribute('y'), size) : 0;
    const context: Context = {
      matrix: times(from.matrix, times([1, 0, 0, 1, x, y], matrixOf(element.getAttribute('transform')))),
      size,
      fill: element.getAttribute('fill') ?? from.fill,
      weight: element.getAttribute('font-weight') ?? from.weight,
      anchor: element.getAttribute('text-anchor') ?? from.anchor,
    };
    if (element.localName === 'text') boxes.push(boxOf(element, context));
    else for (const child of element.children) visit(child, context);
  };
  const root = document.querySelector('svg') as Element;
  visit(root, {
    matrix: [1, 0, 0, 1, 0, 0],
    size: 10,
    fill: '#000000',
    weight: '400',
    anchor: 'start',
  });
  return boxes.filter(({ text }) => text.trim() !== '');
}

function boxOf(element: Element, { matrix, size, fill, weight, anchor }: Context): LabelBox {
  const text = element.textContent ?? '';
  const width = measured(text, size, Number(weight) >= 600);
  const x = length(element.getAttribute('x'), size) + length(element.getAttribute('dx'), size);
  const y = length(element.getAttribute('y'), size) + length(element.getAttribute('dy'), size);
  const start = x - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0);
  const corners = [
    [start, y - 0.74 * size],
    [start + width, y - 0.74 * size],
    [start, y + 0.2 * size],
    [start + width, y + 0.2 * size],
  ].map(([px, py]) => times(matrix, [1, 0, 0, 1, px!, py!]).slice(4));
  const xs = corners.map(([px]) => px!);
  const ys = corners.map(([, py]) => py!);
  return {
    text,
    size,
    fill,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

/** Pairs of labels that cover each other by more than a hair. */
export function collisions(boxes: readonly LabelBox[]): string[] {
  const hair = 0.4;
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (b) => a.left < b.right - hair && b.left < a.right - hair && a.top < b.bottom - hair && b.top < a.bottom - hair,
      )
      .map((b) => `${a.text} | ${b.text}`),
  );
}

/** Points of a printed page that a figure is as wide as: one column of 84 mm, or a page of 174 mm. */
const PRINTED = { column: 238, page: 493 };

const luminance = (hex: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const v = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** What is wrong with the labels of a figure: those that touch, are cut off, too small in print, or too faint. */
export function labelFaults(svg: string): string[] {
  const boxes = labelBoxes(svg);
  const [, width = 0, height = 0] = (/ width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []).map(Number);
  const background = /<rect [^>]*fill="(#\w{6})"/.exec(svg)![1]!;
  const points = (width < 400 ? PRINTED.column : PRINTED.page) / width;
  const each = (fault: string, wrong: (box: LabelBox) => boolean) =>
    boxes.filter(wrong).map(({ text }) => `${fault}: ${text}`);
  return [
    ...collisions(boxes).map((pair) => `touch: ${pair}`),
    ...each('cut off', (b) => b.left < 0 || b.top < 0 || b.right > width || b.bottom > height),
    ...each('small', (b) => b.size * points < 6.5),
    ...each('faint', (b) => contrast(b.fill, background) < 4.5),
    ...(/NaN|undefined|Infinity/.test(svg) ? ['not a number'] : []),
  ];
}
