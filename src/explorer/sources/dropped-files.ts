import { fail } from '../../util/error.js';
import { assertSize, type HeldFile, heldFile } from './held-file.js';

/** Most files of a dropped folder, and most folders inside another: those of a folder that a command is given. */
const MOST_FILES = 100_000;
const DEEPEST = 32;

/** Lists what was dropped, folders with everything in them, hidden names passed over. Errors: BOUND_EXCEEDED. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<HeldFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: HeldFile[] = [];
  const enter = async (entry: FileSystemEntry, folder: string, depth: number): Promise<void> => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isFile(entry)) {
      if (found.length === MOST_FILES)
        fail('BOUND_EXCEEDED', null, `more than ${MOST_FILES} files`, 'Drop the folders that are needed.');
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      const inFolder = folder === '' ? {} : { folder, found: true };
      found.push(
        heldFile({ name, size: file.size, ...inFolder }, async () => new Uint8Array(await file.arrayBuffer())),
      );
    } else if (isFolder(entry)) {
      if (depth === DEEPEST)
        fail('BOUND_EXCEEDED', { file: name }, `more than ${DEEPEST} folders inside each other`, 'Drop the inner one.');
      for (const inner of await childrenOf(entry)) if (!inner.name.startsWith('.')) await enter(inner, name, depth + 1);
    }
  };
  for (const entry of entries) await enter(entry, '', 0);
  // A browser that tells of no entries gives the files alone.
  const all =
    entries.length > 0
      ? found
      : [...files].map((file) =>
          heldFile({ name: file.name, size: file.size }, async () => new Uint8Array(await file.arrayBuffer())),
        );
  assertSize(all);
  return all;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** All entries of a folder, which come in batches, by name. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all.sort((a, b) => (a.name < b.name ? -1 : 1));
    all.push(...some);
  }
}
