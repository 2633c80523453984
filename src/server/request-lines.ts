/** A line of a stream of bytes, without its end; null where it was longer than a line may be. */
export type RequestLine = Uint8Array | null;

/**
 * Cuts a stream of bytes into lines, those of one piece together. Never more than `most` bytes of a line are held: a longer one is passed over to its
 * end and stands as null in its place.
 */
export async function* requestLines(input: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<RequestLine[]> {
  let parts: Uint8Array[] = [];
  let held = 0;
  let passing = false;
  const add = (part: Uint8Array): void => {
    if (passing || held + part.length > most) {
      passing = true;
      parts = [];
      held = 0;
    } else if (part.length > 0) {
      parts.push(part);
      held += part.length;
    }
  };
  const take = (): RequestLine => {
    const line = passing ? null : parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    held = 0;
    passing = false;
    return line;
  };
  for await (const piece of input) {
    const lines: RequestLine[] = [];
    let start = 0;
    for (let feed = piece.indexOf(10); feed >= 0; feed = piece.indexOf(10, start)) {
      add(piece.subarray(start, feed));
      lines.push(take());
      start = feed + 1;
    }
    add(piece.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (passing || held > 0) yield [take()];
}
