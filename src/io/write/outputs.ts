import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../util/error.js';
import { assertOutputFile } from '../file.js';
import { guardFile } from './guard.js';
import { openTemporary, type Temporary } from './temporary.js';

/** One file of a set. */
export interface OutputFile {
  readonly path: string;
  /** Pieces that follow one another, or what is still being made: that is written last. */
  readonly data: string | Uint8Array | readonly string[] | readonly Uint8Array[] | Promise<Uint8Array>;
  readonly mode?: number;
}

/** The files that one call writes: all of them appear, or none. */
interface Outputs {
  add(file: OutputFile & { readonly data: string | Uint8Array }): void;
  /** Adds some files, all of which are on the disk then: it takes them together, in hardly more time than one. */
  addTogether(files: readonly OutputFile[]): Promise<void>;
  /** Adds a file that is written in pieces. */
  open(path: string): { write(text: string): void };
  /**
   * Puts the files in place in the order they were added, after the last byte of the last one is on the disk. Returns of each
   * whether it is new; one that holds the same bytes already is left alone.
   */
  commit(): boolean[];
  /** Removes what was written; nothing after `commit`. */
  abandon(): void;
}

const BLOCK = 1 << 20;

function sameBytes(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false;
  const handles = [openSync(one, 'r'), openSync(other, 'r')] as const;
  try {
    const blocks = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)] as const;
    for (;;) {
      const [a, b] = handles.map((handle, i) =>
        blocks[i as 0 | 1].subarray(0, readSync(handle, blocks[i as 0 | 1])),
      ) as [Buffer, Buffer];
      if (!a.equals(b)) return false;
      if (a.length === 0) return true;
    }
  } finally {
    handles.forEach(closeSync);
  }
}

/**
 * Begins a set of files. Unless `replace` is set, a file of other bytes in the place of one is refused. Errors: OUTPUT_EXISTS, also
 * for two files of one name; OUTPUT_NOT_REGULAR; nothing has changed then.
 */
export function openOutputs({ replace }: { readonly replace: boolean }): Outputs {
  const files: { readonly path: string; readonly temporary: Temporary }[] = [];
  const taken = new Set<string>();
  const begin = (path: string, mode: number): Temporary => {
    assertOutputFile(path);
    const temporary = openTemporary(path, mode);
    files.push({ path, temporary });
    const place = join(realpathSync.native(dirname(path)), basename(path));
    if (taken.has(place)) {
      fail('OUTPUT_EXISTS', { file: path }, 'is another output of this call', 'Give every output a file of its own.');
    }
    taken.add(place);
    return temporary;
  };
  /** Whether the finished file has to be put in place. */
  const wanted = (path: string, temporary: Temporary): boolean => {
    if (!assertOutputFile(path)) return true;
    if (sameBytes(path, temporary.path)) return false;
    if (replace) return true;
    fail(
      'OUTPUT_EXISTS',
      { file: path },
      'exists with other content',
      'Choose another file, or add --force to replace it.',
    );
  };
  return {
    add({ path, data, mode = 0o644 }) {
      const temporary = begin(path, mode);
      temporary.write(data);
      temporary.finish(true);
    },
    async addTogether(some) {
      const made = some.map(({ path, data, mode = 0o644 }) => ({ data, temporary: begin(path, mode) }));
      const written = made.map(async ({ data, temporary }) => {
        const there = data instanceof Promise ? await data : data;
        for (const piece of Array.isArray(there) ? there : [there]) temporary.write(piece);
        await temporary.flush();
      });
      // A file is closed only once nothing is on its way to it.
      for (const end of await Promise.allSettled(written)) if (end.status === 'rejected') throw end.reason;
      for (const { temporary } of made) temporary.finish(false);
    },
    open: (path) => begin(path, 0o644),
    commit() {
      for (const { temporary } of files) temporary.finish(true);
      const fresh = files.map(({ path, temporary }) => wanted(path, temporary));
      files.forEach(({ temporary }, i) => {
        if (fresh[i]) temporary.rename();
      });
      for (const { path } of files) guardFile(path, 'another output');
      return fresh;
    },
    abandon() {
      for (const { temporary } of files) temporary.drop();
    },
  };
}

/** Files that are open at once. */
const OPEN_TOGETHER = 32;

/** Writes files that belong together; see `openOutputs`. Returns of each whether it is new. */
export async function writeTogether(
  files: readonly OutputFile[],
  options: { readonly replace: boolean },
): Promise<boolean[]> {
  const outputs = openOutputs(options);
  try {
    for (let from = 0; from < files.length; from += OPEN_TOGETHER)
      await outputs.addTogether(files.slice(from, from + OPEN_TOGETHER));
    return outputs.commit();
  } finally {
    outputs.abandon();
  }
}
