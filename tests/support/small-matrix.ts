import type { ScoreMatrix } from '../../src/core/matrix.js';

export interface SmallOptions {
  /** models x tasks integers. */
  readonly rows: readonly (readonly number[])[];
  readonly clusters?: readonly string[];
  readonly families?: readonly string[];
  readonly panels?: readonly string[];
  readonly chance?: readonly number[];
  readonly scale?: number;
}

/** A matrix from rows of integers; every task its own cluster, one family and one panel unless given. */
export function smallMatrix(options: SmallOptions): ScoreMatrix {
  const { rows, chance, scale = 100 } = options;
  const tasks = rows[0]!.map((_, t) => `t${t}`);
  return {
    models: rows.map((_, m) => `m${m}`),
    tasks,
    panels: options.panels ?? tasks.map(() => 'panel_1'),
    families: options.families ?? tasks.map(() => 'substitution'),
    clusters: options.clusters ?? tasks.map((_, t) => `c${t}`),
    values: Float64Array.from(rows.flat()),
    scale,
    ...(chance ? { chance: Float64Array.from(chance) } : {}),
  };
}

/** Every number in a value, with its path. */
export function numbersIn(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => numbersIn(item, `${path}.${key}`));
}
