import type { Look } from './look.js';
import { rounded, textLine } from './svg.js';
import { measured } from './text.js';

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  /** `dot` unless said otherwise; `ring` is a hollow dot, `dash` a broken line, `cell` a small square that does not fill its place. */
  readonly mark?: 'dot' | 'ring' | 'line' | 'thin' | 'dash' | 'cell' | 'square' | 'triangle' | 'diamond';
}

const LONG: ReadonlySet<LegendEntry['mark']> = new Set(['line', 'thin', 'dash']);

/** The mark of a legend entry, up to 14 units wide, centred on `y`. */
function legendMark({ colour, mark = 'dot' }: LegendEntry, x: number, y: number): string {
  switch (mark) {
    case 'line':
      return `<path d="M${x},${y}h14" stroke="${colour}" stroke-width="2.5"/>`;
    case 'thin':
      return `<path d="M${x},${y}h14" stroke="${colour}" stroke-width="1.2"/>`;
    case 'cell':
      return `<rect x="${x + 2.5}" y="${y - 2.5}" width="5" height="5" fill="${colour}"/>`;
    case 'dash':
      return `<path d="M${x},${y}h14" stroke="${colour}" stroke-width="2" stroke-dasharray="4,3"/>`;
    case 'square':
      return `<rect x="${x}" y="${y - 5}" width="10" height="10" fill="${colour}"/>`;
    case 'triangle':
      return `<path d="M${x + 5},${y - 5}l5,9h-10z" fill="${colour}"/>`;
    case 'diamond':
      return `<path d="M${x + 5},${y - 6}l4,6l-4,6l-4,-6z" fill="${colour}"/>`;
    case 'ring':
      return `<circle cx="${x + 5}" cy="${y}" r="4" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
    default:
      return `<circle cx="${x + 5}" cy="${y}" r="4.5" fill="${colour}"/>`;
  }
}

/** Lays legend entries out in rows from `top` on. Returns their markup and the height they take, 0 for no entry. */
export function legendRows(
  { size, colours }: Look,
  entries: readonly LegendEntry[],
  top: number,
): { readonly markup: string; readonly height: number } {
  const line = Math.round(1.65 * size.small);
  const apart = Math.round(1.6 * size.small);
  let x = size.margin;
  let y = top + 9;
  const parts = entries.map((entry) => {
    const mark = LONG.has(entry.mark) ? 19 : 15;
    const width = mark + measured(entry.label, size.small);
    if (x > size.margin && x + width > size.width - size.margin) {
      x = size.margin;
      y += line;
    }
    const label = { x: x + mark, y: y + 0.35 * size.small, size: size.small, fill: colours.ink };
    const part = legendMark(entry, x, y) + textLine(entry.label, label);
    x = rounded(x + width + apart);
    return part;
  });
  return { markup: parts.join(''), height: entries.length === 0 ? 0 : y - top + Math.round(size.small) };
}
