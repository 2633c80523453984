import { type ClusterDesign, philoxDraw } from '../../src/engine/index.js';

/** A table without strata, a cluster a task, cells of 0 to `largest` times `unit`: the first row gets all there is, the second nothing. */
export function wholeTable(rows: number, clusters: number, { largest = 1, unit = 1, seed = 1n } = {}): ClusterDesign {
  const words = philoxDraw({ seed, stream: 7, draw: 0 });
  const cell = (m: number): number => {
    const skill = words.word() % 4 < (4 * m) / rows ? 1 : 0;
    return Math.max(skill * largest * 0.5, words.word() % (largest + 1));
  };
  return {
    rows,
    ranked: rows,
    clusters,
    strata: 1,
    scale: 1,
    partCluster: Int32Array.from({ length: clusters }, (_, p) => p),
    partStratum: new Int32Array(clusters),
    partTasks: new Int32Array(clusters).fill(1),
    partTotals: Float64Array.from({ length: rows * clusters }, (_, at) => {
      const m = at % rows;
      if (m < 2) return m === 0 ? largest * unit : 0;
      return m % 5 === 4 ? largest * unit : Math.floor(cell(m)) * unit;
    }),
  };
}
