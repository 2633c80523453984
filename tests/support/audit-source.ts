import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type AuditSourceOptions, readAuditSource } from '../../src/cli/audit-source.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Writes a file into a folder that is gone after the suite; returns its path. */
export function auditFile(name: string, data: string | Uint8Array): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
  return path;
}

export const readAudit = (paths: string[], options: Partial<AuditSourceOptions> = {}) =>
  readAuditSource({ paths, ...options });
