import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/**
 * A folder that is gone after the suite whose file calls this. Files may share the modules of their worker, so hooks that a module sets while it
 * loads are those of the first file alone: helpers set them when they are called.
 */
export function suiteFolder(prefix: string) {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), prefix));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const path = (name: string) => join(dir, name);
  const write = (name: string, data: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), data);
    return path(name);
  };
  return { path, write };
}

/** A new empty folder, gone after the run of all tests. */
export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'flavourbench-'));
