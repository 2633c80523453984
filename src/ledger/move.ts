import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { layout, type RecordFile } from './layout.js';

/** Where a record lies once its block is superseded. */
export function quarantinedPath(dir: string, file: RecordFile): string {
  return join(layout.quarantine(dir), 'records', file.phase, file.slot, basename(file.path));
}

/** Moves what a stopped quarantine left in place. */
export function finishMoves(dir: string, unmoved: readonly RecordFile[]): void {
  for (const file of unmoved) {
    const target = quarantinedPath(dir, file);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(file.path, target);
  }
}
