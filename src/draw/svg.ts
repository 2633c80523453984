/** What no XML document may hold. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Turns control characters that XML forbids into spaces. */
export const withoutControls = (text: string): string => text.replace(NOT_XML, ' ');

/** Makes a text harmless inside markup; control characters become spaces. */
export const escapeXml = (text: string): string =>
  withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Rounds a coordinate to two decimals: the same text for the same place. */
export const rounded = (x: number): number => Math.round(x * 100) / 100;

export interface TextAt {
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly weight?: 400 | 600;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** Writes one line of text as SVG. */
export function textLine(text: string, at: TextAt): string {
  const { x, y, size, fill, weight = 400, anchor = 'start' } = at;
  return `<text x="${rounded(x)}" y="${rounded(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}">${escapeXml(text)}</text>`;
}
