import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { listEnvironments, storeRoot } from '../../environment/store.js';
import { walkFiles } from '../../io/folder.js';
import { dataHome } from '../data-home.js';
import { fileWords, placedCall } from '../sharing/placed-call.js';

/** A call as it runs on another machine: its words with paths inside a folder, and the files in it. */
export interface ShippedCall {
  readonly call: readonly string[];
  /** Bytes of each file by its path in the folder. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Path in the folder, and the path that the call named. */
  readonly places: readonly (readonly [string, string])[];
}

/** What a worker needs of a call whose work is shared by ranges. */
export interface CallOpening {
  readonly call: readonly string[];
  /** Options that change no digit: one process does one part, on one thread. */
  readonly more: readonly string[];
}

/** Where the data folder of the program stands in the folder of a shipped call. */
const HOME = 'home';

/** Files of a folder by their way from it. */
function filesOf(path: string): [string, Uint8Array][] {
  if (!statSync(path).isDirectory()) return [['', readFileSync(path)]];
  const root = resolve(path);
  return walkFiles([path]).files.map(({ name, bytes }) => [relative(root, resolve(name)), bytes]);
}

/** Packs a call with all files, folders and stored environments that its words name. Errors: those of reading them. */
export function shippedCall(call: readonly string[]): ShippedCall {
  const files: Record<string, Uint8Array> = {};
  const places = new Map<string, string>();
  for (const { path } of fileWords(call)) {
    if (places.has(path)) continue;
    // A folder each, for names may be equal; the base name stays, for endings decide forms.
    const place = join('inputs', String(places.size), basename(resolve(path)));
    places.set(path, place);
    for (const [name, bytes] of filesOf(path)) files[join(place, name)] = bytes;
  }
  const home = dataHome();
  const named = call.map((word) => word.slice(word.indexOf('=') + 1));
  for (const name of listEnvironments(home)) {
    if (!named.includes(name)) continue;
    const folder = join(storeRoot(home), name);
    for (const [file, bytes] of filesOf(folder)) files[join(storeRoot(HOME), name, file)] = bytes;
  }
  return {
    call: placedCall(call, (path) => places.get(path)!),
    files,
    places: [...places].map(([path, place]) => [place, path]),
  };
}

/** Lays out the files of a shipped call in a folder and makes it the place where this process runs. */
export function enterCall(folder: string, files: Readonly<Record<string, Uint8Array>>): void {
  for (const [path, bytes] of Object.entries(files)) {
    const file = resolve(folder, path);
    if (relative(folder, file).startsWith('..')) throw new Error(`a file of the call lies outside of it: ${path}`);
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, bytes);
  }
  process.chdir(folder);
  process.env.FLAVOURBENCH_HOME = join(folder, HOME);
}
