import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { STANDARD_INPUT } from '../io/piped.js';

/** The way from one folder to a path inside it, with `/` between names; undefined where it does not lie inside. */
function within(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  const outside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || way === '';
  return outside ? undefined : way.split(sep).join('/');
}

/** The folder that all paths lie in. */
function commonFolder(paths: readonly string[]): string {
  const parts = paths.map((path) => path.split(sep).slice(0, -1));
  const first = parts[0]!;
  const same = first.findIndex((name, k) => parts.some((other) => other[k] !== name));
  return first.slice(0, same < 0 ? first.length : same).join(sep) || sep;
}

/**
 * Names for the paths of a call, one each, that say no more of other folders of this machine than tells them apart: the way from the working folder to
 * what lies in it, else the last name, else the way from the folder that those outside have in common.
 */
export function pageNames(paths: readonly string[]): string[] {
  const whole = paths.map((path) => resolve(path));
  const outside = whole.filter((path) => within(process.cwd(), path) === undefined);
  const isTold = new Set(outside.map((path) => basename(path))).size === new Set(outside).size;
  return whole.map(
    (path, k) =>
      within(process.cwd(), path) ??
      (paths[k] === STANDARD_INPUT || isTold ? basename(path) : within(commonFolder(outside), path)!),
  );
}

/** The name of a file that was found under a path whose name is `short`. */
export function nameUnder(path: string, short: string, file: string): string {
  const inside = within(resolve(path), resolve(file));
  return inside === undefined ? short : `${short}/${inside}`;
}
