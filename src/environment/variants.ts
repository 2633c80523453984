import { readCsv } from '../io/csv.js';

/** Spellings that were merged into one ingredient: the last column lists them, parts separated by `;`, `|` or `,`. */
export function readVariants(path: string, names: readonly string[]): Map<string, number> {
  const { header, rows } = readCsv(path);
  const final = header.indexOf('final_name');
  const originals = header.indexOf('original_names_consolidated');
  const rowOf = new Map(names.map((name, i) => [name, i]));
  const out = new Map<string, number>();
  if (final < 0 || originals < 0) return out;
  for (const cells of rows) {
    const row = rowOf.get(cells[final]!);
    if (row === undefined) continue;
    for (const part of cells[originals]!.split(/[;|,]/)) {
      const spelling = part.replace(/[[\]'"]/g, '').trim();
      if (spelling !== '' && !rowOf.has(spelling) && !out.has(spelling)) out.set(spelling, row);
    }
  }
  return out;
}
