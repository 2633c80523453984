import { unpack } from '../../io/unpack.js';
import { isZip, openZip, type ZipMember } from '../../io/zip.js';
import { FlavourError } from '../../util/error.js';
import { type HeldFile, heldFile } from './held-file.js';
import { isTar, tarMembers } from './tar.js';

/** Most bytes that all members of an archive may come to: a tab has about as much room again for what is made of them. */
const MOST_BYTES = 2 ** 30;

const HINT = 'Pack the folder again, or give the folder itself.';

/** Bytes that tell a packed file. */
const isPacked = (bytes: Uint8Array): boolean =>
  isZip(bytes) ||
  (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
  (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd);

/** Workbooks, logs and arrays are ZIP archives too: what is wrong with one its own reader says. */
function zipMembers(bytes: Uint8Array, file: string): ZipMember[] {
  try {
    return openZip(bytes, file, { hint: HINT, largest: MOST_BYTES });
  } catch (error) {
    if (error instanceof FlavourError) return [];
    throw error;
  }
}

/**
 * Opens a ZIP or a tar archive, the latter packed or not, as the files in it; null for what is none. Names are data: they are compared with those of a
 * release or a ledger and lead nowhere. Errors: TAR_INVALID, PACKED_INVALID for one that is damaged, cut off or too large.
 */
export async function membersOf(file: HeldFile): Promise<HeldFile[] | null> {
  const bytes = await file.bytes();
  if (isZip(bytes))
    return zipMembers(bytes, file.name)
      .filter(({ name }) => !name.endsWith('/'))
      .map(({ name, size, data }) => heldFile({ name, size, found: true }, async () => data()));
  if (!isPacked(bytes) && !isTar(bytes)) return null;
  const { bytes: plain } = await unpack(bytes, file.name);
  if (!isTar(plain)) return null;
  return tarMembers(plain, file.name, HINT).map((member) =>
    heldFile({ name: member.name, size: member.bytes.length, found: true }, async () => member.bytes),
  );
}
