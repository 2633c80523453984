import { type ClusterDesign, pairCount, pairIndex } from '../../engine/design.js';

/**
 * Finds the pairs of the first `rows` rows, the ranked ones unless given, whose difference is constant: in every stratum and part D_p N_s = n_p D_s, with D the difference of
 * the totals, n_p the tasks of the part, N_s those of the stratum and D_s the total of the stratum (decisions 1.3). Gives the pairs
 * in `pairIndex` order: 1 where constant. Equal rows are.
 *
 * The rule holds where the integer T_p N_s - n_p T_s is the same in both rows, in every part: rows fall into classes, which part after
 * part splits, until all are alone or no part is left.
 */
export function constantPairs(design: ClusterDesign, rows = design.ranked): Uint8Array {
  const flags = new Uint8Array(pairCount(rows));
  const members = new Map<number, number[]>();
  rowClasses(design, rows).forEach((id, row) => {
    const known = members.get(id) ?? [];
    for (const earlier of known) flags[pairIndex(earlier, row, rows)] = 1;
    members.set(id, [...known, row]);
  });
  return flags;
}

/** Class of each row; rows of one class differ by a constant in every stratum. */
function rowClasses(design: ClusterDesign, rows: number): Int32Array {
  const { partStratum } = design;
  const residual = residuals(design);
  let classes = new Int32Array(rows);
  let found = Math.min(1, rows);
  for (let p = 0; p < partStratum.length && found < rows; p += 1) {
    const ids = new Map<string, number>();
    const next = new Int32Array(rows);
    for (let m = 0; m < rows; m += 1) {
      const key = `${classes[m]} ${residual(p, m)}`;
      const id = ids.get(key) ?? ids.size;
      ids.set(key, id);
      next[m] = id;
    }
    classes = next;
    found = ids.size;
  }
  return classes;
}

/** Gives T_p N_s - n_p T_s of a part and row: numbers where no step of it can pass 2^53, else bigint. */
function residuals(design: ClusterDesign): (part: number, row: number) => number | bigint {
  const { rows, strata, partStratum, partTasks, partTotals } = design;
  const parts = partStratum.length;
  const tasks = new Float64Array(strata);
  for (let p = 0; p < parts; p += 1) tasks[partStratum[p]!]! += partTasks[p]!;
  const sums = new Float64Array(strata * rows);
  const sizes = new Float64Array(strata * rows);
  for (let p = 0; p < parts; p += 1)
    for (let m = 0; m < rows; m += 1) {
      const at = partStratum[p]! * rows + m;
      sums[at]! += partTotals[p * rows + m]!;
      sizes[at]! += Math.abs(partTotals[p * rows + m]!);
    }
  const reach = sizes.reduce((most, size, at) => Math.max(most, size * tasks[Math.floor(at / rows)]!), 0);
  if (reach < 2 ** 52)
    return (p, m) => {
      const s = partStratum[p]!;
      return partTotals[p * rows + m]! * tasks[s]! - partTasks[p]! * sums[s * rows + m]!;
    };
  const exact = new Array<bigint>(strata * rows).fill(0n);
  for (let p = 0; p < parts; p += 1)
    for (let m = 0; m < rows; m += 1) exact[partStratum[p]! * rows + m]! += BigInt(partTotals[p * rows + m]!);
  return (p, m) => {
    const s = partStratum[p]!;
    return BigInt(partTotals[p * rows + m]!) * BigInt(tasks[s]!) - BigInt(partTasks[p]!) * exact[s * rows + m]!;
  };
}
