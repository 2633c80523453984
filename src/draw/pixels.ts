import { inflateRaw, latin1Text } from '#platform';

/** A picture: four bytes a pixel (red, green, blue, opacity), row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Bytes of a pixel. */
const PIXEL = 4;
/** Depth 8, red-green-blue with opacity, the one compression, the one filter method, not interlaced: all that resvg writes. */
const FORM = '\x08\x06\0\0\0';
/** Pixels that a picture may have. */
const MOST_PIXELS = 1 << 26;

/**
 * Reads the pixels of a PNG in the form of our figures (eight bits a channel, with opacity), or says in words what is wrong with it: a
 * chunk that is no part of the picture, bytes behind its end, damage. Check sums are left alone, since pixels are compared.
 */
export function readPixels(bytes: Uint8Array): Pixels | string {
  const chunks = chunksOf(bytes);
  if (typeof chunks === 'string') return chunks;
  const { width, height, packed } = chunks;
  if (width * height === 0 || width * height > MOST_PIXELS) return `it has ${width} x ${height} pixels`;
  const length = height * (1 + PIXEL * width);
  try {
    // Two bytes of zlib before the deflate data.
    const rows = inflateRaw(packed.subarray(2), length);
    if (rows.length !== length) return `it unpacks to ${rows.length} bytes, not to ${length}`;
    return { width, height, rgba: unfiltered(rows, width, height) };
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** Size and packed rows of a PNG that holds one header, data, and an end, or what is wrong. */
function chunksOf(bytes: Uint8Array): { width: number; height: number; packed: Uint8Array } | string {
  if (latin1Text(bytes, 0, 8) !== SIGNATURE) return 'it is no PNG';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed = new Uint8Array(bytes.length);
  let [width, height, size, at] = [0, 0, 0, 8];
  for (let type = ''; type !== 'IEND'; ) {
    const end = at + 12 > bytes.length ? Number.POSITIVE_INFINITY : at + 8 + view.getUint32(at);
    if (end + 4 > bytes.length) return 'it is cut off';
    type = latin1Text(bytes, at + 4, at + 8);
    if (type === 'IHDR' && at === 8 && end === 29 && latin1Text(bytes, 24, 29) === FORM)
      [width, height] = [view.getUint32(16), view.getUint32(20)];
    else if (type === 'IDAT' && width > 0) {
      packed.set(bytes.subarray(at + 8, end), size);
      size += end - at - 8;
    } else if (type !== 'IEND' || end !== at + 8)
      return `it has a chunk ${JSON.stringify(type)}, no part of the picture`;
    at = end + 4;
  }
  if (at !== bytes.length) return `it has ${bytes.length - at} bytes behind its end`;
  return { width, height, packed: packed.subarray(0, size) };
}

/** Takes the filter off every row: a byte that names it, then what is added to a guess from the bytes to the left and above. */
function unfiltered(rows: Uint8Array, width: number, height: number): Uint8Array {
  const stride = PIXEL * width;
  const out = new Uint8Array(height * stride);
  for (let y = 0, from = 0; y < height; y += 1) {
    const filter = rows[from]!;
    from += 1;
    if (filter > 4) throw new Error(`row ${y + 1} has a filter ${filter}`);
    for (let x = 0, to = y * stride; x < stride; x += 1, to += 1, from += 1) {
      const left = x < PIXEL ? 0 : out[to - PIXEL]!;
      const above = y === 0 ? 0 : out[to - stride]!;
      const corner = y === 0 || x < PIXEL ? 0 : out[to - stride - PIXEL]!;
      out[to] = rows[from]! + guessed(filter, left, above, corner);
    }
  }
  return out;
}

/** What a filter expects of a byte from its neighbours. */
function guessed(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  return toLeft! <= toAbove! && toLeft! <= toCorner! ? left : toAbove! <= toCorner! ? above : corner;
}
