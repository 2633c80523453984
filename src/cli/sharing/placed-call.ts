import { existsSync } from 'node:fs';
import type { Shard } from '../../util/shard.js';

/** One part of a call, which any process that sees its files may run. */
export interface CallPart {
  /** Words of the call, but for where and how it is run and written: what `callWords` gives. */
  readonly call: readonly string[];
  readonly shard: Shard;
}

/** Lists the parts of a call. */
export function partsOf(call: readonly string[], count: number): CallPart[] {
  return Array.from({ length: count }, (_, k) => ({ call, shard: { index: k + 1, count } }));
}

/** A word of a call that names a file or a folder: its place, what stands before the path in it, and the path. */
export interface FileWord {
  readonly at: number;
  readonly before: string;
  readonly path: string;
}

/** Finds the words of a call that name what exists: `scores.csv`, `--scores=scores.csv`, `pmi=maps.jsonl`. */
export function fileWords(call: readonly string[]): FileWord[] {
  return call.flatMap((word, at): FileWord[] => {
    const cut = word.indexOf('=') + 1;
    const before = cut > 0 && !existsSync(word) ? word.slice(0, cut) : '';
    const path = word.slice(before.length);
    return at > 0 && path !== '' && existsSync(path) ? [{ at, before, path }] : [];
  });
}

/** Gives the words of a call with other paths: those of a machine where its files stand elsewhere. */
export function placedCall(call: readonly string[], place: (path: string) => string): string[] {
  const words = [...call];
  for (const { at, before, path } of fileWords(call)) words[at] = before + place(path);
  return words;
}
