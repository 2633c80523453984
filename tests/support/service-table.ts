import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A table of 0 and 1, as text and as a file: four models, 30 tasks; m0 solves every one, each next model fewer. */
export function smallTable(): { readonly csv: string; readonly file: string } {
  const tasks = Array.from({ length: 30 }, (_, t) => t);
  const rows = [30, 22, 20, 6].map((most, m) => `m${m},${tasks.map((t) => Number((t * 7) % 30 < most)).join()}`);
  const csv = `model,${tasks.map((t) => `t${t}`).join()}\n${rows.join('\n')}\n`;
  const file = join(mkdtempSync(join(tmpdir(), 'flavourbench-table-')), 'scores.csv');
  writeFileSync(file, csv);
  return { csv, file };
}
