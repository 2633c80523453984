import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'flavourbench-tests-';
let root: string | undefined;

/** Gives the whole run one folder for temporary files, so that what a test that was stopped leaves behind goes with it. */
export function setup(): void {
  if (basename(tmpdir()).startsWith(PREFIX)) return; // each project calls this
  root = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(root, 0o755); // some calls of the tests are another user's
  process.env.TMPDIR = root;
}

export function teardown(): void {
  if (root) rmSync(root, { recursive: true, force: true });
}
