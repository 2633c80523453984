import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder with the released data and golden files; not part of the repository. */
export const sharedRoot = resolve(process.env.FLAVOURBENCH_DATA ?? '../shared');

/** True where the released data are at hand. Under CI=true their absence is a failure, not a skip. */
export const hasShared = existsSync(join(sharedRoot, 'golden'));
if (!hasShared && process.env.CI === 'true') {
  throw new Error(`CI=true needs the released data: FLAVOURBENCH_DATA=${sharedRoot} has no golden folder`);
}

/** Use as `describe.skipIf(noShared)(...)`; the reason is `noSharedReason`. */
export const noShared = !hasShared;
export const noSharedReason = `released data not found at ${sharedRoot}; set FLAVOURBENCH_DATA`;

/** Path of a shared file, for example `shared('golden/a/tasks.jsonl')`. */
export function shared(path: string): string {
  return join(sharedRoot, path);
}

/** What a suite loads while it is collected: nothing where the data are absent and its tests are skipped. */
export function released<T>(load: () => T): T {
  return noShared ? (undefined as T) : load();
}
