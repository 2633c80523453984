import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LogOptions } from '../../src/logs/log-format.js';
import { type GivenFile, type LogsRead, readLogs } from '../../src/logs/read-logs.js';

/** All files under a folder of fixtures, as if the folder had been named. */
export function folderFiles(folder: string): GivenFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      name: join(entry.parentPath, entry.name),
      folder: resolve(entry.parentPath),
      bytes: readFileSync(join(entry.parentPath, entry.name)),
      found: true,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A file that was named, from its text or bytes. */
export function logFile(name: string, data: string | Uint8Array | object): GivenFile {
  const bytes = data instanceof Uint8Array ? data : Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
  return { name, folder: `/runs/${name.split('/').slice(0, -1).join('/')}`, bytes };
}

/** Cells as text: `model family/sample#repeat value`. */
export const cellTexts = ({ cells }: Pick<LogsRead, 'cells'>): string[] =>
  cells.map(({ model, family, sample, repeat, value }) => `${model} ${family}/${sample}#${repeat} ${value}`);

export const readFiles = (files: GivenFile[], options?: LogOptions) => readLogs(files, options);
