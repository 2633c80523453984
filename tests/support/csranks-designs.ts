import type { ClusterDesign } from '../../src/engine/index.js';
import { philoxDraw } from '../../src/engine/index.js';
import { designOf } from './golden-design.js';

/** A design whose rank sets a second program forms too. */
export interface RankDesign {
  readonly name: string;
  readonly design: ClusterDesign;
  readonly draws: number;
  readonly alpha: number;
  /** Pairs of rows whose difference is constant. */
  readonly constant: readonly (readonly [number, number])[];
}

interface Shape {
  readonly means: readonly number[];
  readonly tasks: number;
  readonly strata?: number;
  readonly tasksPerCluster?: number;
  /** Standard deviation of a cell. */
  readonly spread?: number;
  readonly seed: number;
  /** Changes the table once it is made. */
  change?(table: number[][]): void;
}

/** Cells are whole numbers: a part that all rows share, and one of their own. */
function made({ means, tasks, strata = 1, tasksPerCluster = 1, spread = 10, seed, change }: Shape): ClusterDesign {
  const words = philoxDraw({ seed: BigInt(seed), stream: 77, draw: 0 });
  const bell = () => Array.from({ length: 6 }, () => words.word() / 2 ** 32).reduce((a, b) => a + b, -3);
  const shared = Array.from({ length: tasks }, () => spread * bell());
  const table = means.map((mean) => shared.map((part) => Math.round(mean + part + spread * bell())));
  change?.(table);
  return designOf({
    table,
    stratum: shared.map((_, t) => t % strata),
    cluster: shared.map((_, t) => Math.floor(t / tasksPerCluster)),
    ranked: means.length,
  });
}

const steps = (rows: number, step: number): number[] => Array.from({ length: rows }, (_, m) => 50 + step * m);
const EVERY = 199;

export const csranksDesigns: readonly RankDesign[] = [
  { name: 'two rows', design: made({ means: [50, 56], tasks: 40, seed: 1 }), draws: EVERY, alpha: 0.05, constant: [] },
  {
    name: 'three rows, few clusters',
    design: made({ means: steps(3, 8), tasks: 6, seed: 2 }),
    draws: EVERY,
    alpha: 0.05,
    constant: [],
  },
  {
    name: 'ten rows in small steps',
    design: made({ means: steps(10, 2), tasks: 60, seed: 3 }),
    draws: 299,
    alpha: 0.05,
    constant: [],
  },
  {
    name: 'eight equal rows',
    design: made({ means: steps(8, 0), tasks: 50, seed: 4 }),
    draws: 299,
    alpha: 0.1,
    constant: [],
  },
  {
    name: 'ties: rows that are copies',
    design: made({
      means: [50, 53, 50, 58, 50],
      tasks: 40,
      seed: 5,
      change(table) {
        table[2] = [...table[0]!];
        table[4] = [...table[1]!];
      },
    }),
    draws: EVERY,
    alpha: 0.05,
    constant: [
      [0, 2],
      [1, 4],
    ],
  },
  {
    name: 'a row that is another one and seven more',
    design: made({
      means: steps(4, 4),
      tasks: 40,
      strata: 2,
      seed: 6,
      change(table) {
        table[3] = table[0]!.map((cell) => cell + 7);
      },
    }),
    draws: EVERY,
    alpha: 0.05,
    constant: [[0, 3]],
  },
  {
    name: 'rows far apart, so that rounds follow rounds',
    design: made({ means: [50, 50.5, 57, 58, 70, 90, 92, 130], tasks: 60, seed: 7 }),
    draws: 299,
    alpha: 0.1,
    constant: [],
  },
  {
    name: 'successes and failures',
    design: made({
      means: [0.9, 0.85, 0.7, 0.7, 0.4].map((share) => share * 10),
      tasks: 80,
      spread: 4,
      seed: 8,
      change(table) {
        table.forEach((row, m) => {
          table[m] = row.map((cell) => (cell > 5 ? 1 : 0));
        });
      },
    }),
    draws: EVERY,
    alpha: 0.05,
    constant: [],
  },
  {
    name: 'clusters of three tasks over two strata',
    design: made({ means: steps(6, 3), tasks: 60, strata: 2, tasksPerCluster: 3, seed: 9 }),
    draws: EVERY,
    alpha: 0.05,
    constant: [],
  },
  {
    name: 'rows that differ in three cells of sixty',
    design: made({
      means: steps(5, 3),
      tasks: 60,
      seed: 10,
      change(table) {
        table[1] = table[0]!.map((cell, t) => (t % 20 === 3 ? cell + 5 : cell));
      },
    }),
    draws: EVERY,
    alpha: 0.05,
    constant: [],
  },
];
