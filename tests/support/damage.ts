/** Where damage was done, and the bytes with it. */
export interface Damaged {
  readonly at: number;
  readonly what: string;
  /** Whether it is cut off there. */
  readonly cut: boolean;
  readonly bytes: Buffer;
}

/** A file with each of its bytes changed in turn, and cut off before each of them. */
export function* damagedCopies(whole: Uint8Array, flips: readonly number[] = [0x01, 0x80]): Generator<Damaged> {
  for (let at = 0; at < whole.length; at += 1) {
    for (const flip of flips) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= flip;
      yield { at, what: `byte ${at} ^ ${flip}`, cut: false, bytes };
    }
    yield { at, what: `${at} bytes of it`, cut: true, bytes: Buffer.from(whole.subarray(0, at)) };
  }
}

/** What a reader makes of damaged bytes: a value, or the code of an error of ours that names the file (3: a matrix left incomplete). */
export async function outcome<T>(read: () => Promise<T>, file: string): Promise<{ value: T } | { code: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    const { code, message, exit } = error as { code?: string; message: string; exit?: number };
    if ((exit === 2 || exit === 3) && code !== undefined && message.includes(file)) return { code };
    throw error;
  }
}
