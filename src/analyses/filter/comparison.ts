import { holm } from '../../inference/p-values.js';
import { added, type Shares, workKey } from '../../shares/ranged-work.js';
import { fail } from '../../util/error.js';
import { drawnPieces } from '../shared-work.js';
import { subsetStream } from '../subset-stream.js';
import {
  groupMeans,
  PROPERTIES,
  type Property,
  type PropertySource,
  propertyValue,
  standardizedDifference,
  sum,
} from './property.js';

/** Philox stream of the random subsets. */
export const FILTER_STREAM = 3;

interface ComparisonOptions extends PropertySource {
  /** Ids of the selected tasks. */
  readonly selected: ReadonlySet<string>;
  /** Model left out of the reference mean, whose failures shaped the selection. */
  readonly gateModel: string;
  readonly panels: readonly string[];
  readonly families: readonly string[];
  readonly draws: number;
  readonly alpha: number;
  readonly random: { readonly kind: 'philox' | 'numpy'; readonly seed: bigint };
  readonly shares?: Shares | undefined;
}

interface Comparison {
  readonly panel: string;
  readonly family: string;
  /** A property, or `category` for the total variation distance of categories. */
  readonly characteristic: Property | 'category';
  /** Means of the selected tasks and of the others; null for categories. */
  readonly selected_mean: number | null;
  readonly other_mean: number | null;
  /** Mean difference over pooled deviation; null for categories. */
  readonly standardized_difference: number | null;
  /** Half the sum of absolute share differences; null for properties. */
  readonly total_variation: number | null;
  readonly exceedances: number;
  readonly p: number;
  readonly holm_p: number;
  readonly significant: boolean;
}

export interface FilterResults {
  readonly gate_model: string;
  readonly comparisons: readonly Comparison[];
  readonly largest_standardized_difference: number;
  readonly largest_total_variation: number;
  readonly resolved: number;
  /** Descriptive: tasks where the gate model's cell is valid against those where it is not. */
  readonly validity_gate: readonly {
    readonly panel: string;
    readonly family: string;
    readonly property: Property;
    readonly valid: number;
    readonly invalid: number;
    readonly valid_mean: number;
    readonly invalid_mean: number;
    readonly standardized_difference: number;
  }[];
}

interface StratumData {
  readonly panel: string;
  readonly family: string;
  readonly tasks: readonly number[];
  /** Per stratum position. */
  readonly chosen: Uint8Array;
  /** properties x positions. */
  readonly values: readonly Float64Array[];
  readonly category: Int32Array;
  readonly categories: number;
}

function strataData(options: ComparisonOptions, gate: number): StratumData[] {
  const { pool, panels, families, selected } = options;
  return panels.flatMap((panel) =>
    families.map((family) => {
      const tasks = pool.tasks.flatMap((task, t) => (task.panel === panel && task.family === family ? [t] : []));
      const names = [...new Set(tasks.map((t) => pool.tasks[t]!.category))];
      return {
        panel,
        family,
        tasks,
        chosen: Uint8Array.from(tasks, (t) => (selected.has(pool.tasks[t]!.id) ? 1 : 0)),
        values: PROPERTIES.map((property) =>
          Float64Array.from(tasks, (t) => propertyValue(options, property, t, gate)),
        ),
        category: Int32Array.from(tasks, (t) => names.indexOf(pool.tasks[t]!.category)),
        categories: names.length,
      };
    }),
  );
}

function totalVariation(counts: Int32Array, totals: Int32Array, left: number, right: number) {
  let distance = 0;
  for (let c = 0; c < counts.length; c += 1) {
    const mine = counts[c]!;
    distance += Math.abs(mine / left - (totals[c]! - mine) / right);
  }
  return distance / 2;
}

function countCategories(data: StratumData, positions: Iterable<number>): Int32Array {
  const counts = new Int32Array(data.categories);
  for (const i of positions) counts[data.category[i]!]! += 1;
  return counts;
}

const TOLERANCE = 1e-12;

/**
 * Compares the selected tasks of every stratum with the rest of its candidate pool, on six properties and on categories,
 * against random subsets of the same size, Holm over all (analyses 4). Errors: USAGE for an unknown gate model;
 * STRATUM_EMPTY where a stratum has nothing selected or nothing left.
 */
export function filterComparison(options: ComparisonOptions): FilterResults {
  const gate = options.pool.models.indexOf(options.gateModel);
  if (gate < 0) {
    fail(
      'USAGE',
      null,
      `gate model ${options.gateModel} is not in the pool`,
      'Name a model of the roster with --gate-model.',
    );
  }
  const strata = strataData(options, gate);
  const takes = strata.map(({ chosen }) => sum(chosen));
  strata.forEach(({ panel, family, tasks }, s) => {
    const take = takes[s]!;
    if (take > 0 && take < tasks.length) return;
    fail(
      'STRATUM_EMPTY',
      null,
      `${panel} ${family}: ${take} of ${tasks.length} candidates are selected`,
      'Selected and unselected candidates are both needed.',
    );
  });
  const exceedances = countExceedances(options, strata, takes);
  const raw = exceedances.flatMap((counts) => [...counts]);
  const p = raw.map((count) => (count + 1) / (options.draws + 1));
  const adjusted = holm(p);
  const width = PROPERTIES.length + 1;
  const comparisons = strata.flatMap((data, s) =>
    [...PROPERTIES, 'category' as const].map((characteristic, k): Comparison => {
      const at = s * width + k;
      return {
        panel: data.panel,
        family: data.family,
        characteristic,
        ...selectedMeans(characteristic === 'category' ? undefined : data.values[k], data.chosen),
        standardized_difference:
          characteristic === 'category' ? null : standardizedDifference(data.values[k]!, data.chosen),
        total_variation: characteristic === 'category' ? observedDistance(data, takes[s]!) : null,
        exceedances: raw[at]!,
        p: p[at]!,
        holm_p: adjusted[at]!,
        significant: adjusted[at]! < options.alpha,
      };
    }),
  );
  return {
    gate_model: options.gateModel,
    comparisons,
    largest_standardized_difference: Math.max(...comparisons.map((c) => Math.abs(c.standardized_difference ?? 0))),
    largest_total_variation: Math.max(...comparisons.map((c) => c.total_variation ?? 0)),
    resolved: comparisons.filter(({ significant }) => significant).length,
    validity_gate: validityGate(options, strata, gate),
  };
}

/** Means of the selected tasks and of the others; null without values. */
function selectedMeans(values: Float64Array | undefined, chosen: Uint8Array) {
  const [selected_mean, other_mean] = values === undefined ? [null, null] : groupMeans(values, chosen);
  return { selected_mean, other_mean };
}

function observedDistance(data: StratumData, take: number): number {
  const all = countCategories(data, data.tasks.keys());
  const mine = countCategories(
    data,
    [...data.tasks.keys()].filter((i) => data.chosen[i] === 1),
  );
  return totalVariation(mine, all, take, data.tasks.length - take);
}

function countExceedances(
  options: ComparisonOptions,
  strata: readonly StratumData[],
  takes: readonly number[],
): Float64Array[] {
  const work = strata.map((data, s) => {
    const left = takes[s]!;
    const right = data.tasks.length - left;
    const totals = data.values.map(sum);
    const all = countCategories(data, data.tasks.keys());
    const difference = (k: number, mine: number) => mine / left - (totals[k]! - mine) / right;
    const observed = data.values.map((values, k) =>
      Math.abs(difference(k, sum(values.filter((_, i) => data.chosen[i] === 1)))),
    );
    const counted = new Int32Array(data.categories);
    const { values, category } = data;
    return {
      values,
      category,
      left,
      right,
      all,
      difference,
      observed,
      counted,
      distance: observedDistance(data, left),
    };
  });
  const { random, draws } = options;
  const sizes = strata.map(({ tasks }) => tasks.length);
  const width = PROPERTIES.length + 1;
  const pieces = drawnPieces(options.shares, random, {
    what: 'subsets',
    units: draws,
    key: () =>
      workKey(
        { what: 'filter', sizes, takes, draws, seed: random.seed.toString() },
        strata.flatMap(({ chosen, category, values }) => [chosen, Int32Array.from(category), ...values]),
      ),
    lengths: () => ({ counts: strata.length * width }),
    range: (first, count) => ({ counts: counted(first, count) }),
  });
  const counts = added(pieces, 'counts');
  return strata.map((_, s) => counts.subarray(s * width, (s + 1) * width));

  function counted(first: number, count: number): Float64Array {
    const stream = subsetStream(
      { sizes, takes },
      random.kind === 'philox'
        ? { kind: 'philox', seed: random.seed, stream: FILTER_STREAM, first }
        : { kind: 'numpy-strata', seeds: strata.map((_, s) => random.seed + BigInt(s)) },
    );
    const exceeded = new Float64Array(strata.length * width);
    for (let draw = 0; draw < count; draw += 1) {
      const subset = stream.next();
      work.forEach(({ values: properties, category, left, right, all, difference, observed, counted, distance }, s) => {
        const positions = subset[s]!;
        const out = s * width;
        for (let k = 0; k < properties.length; k += 1) {
          const values = properties[k]!;
          let mine = 0;
          for (let i = 0; i < positions.length; i += 1) mine += values[positions[i]!]!;
          if (Math.abs(difference(k, mine)) >= observed[k]! - TOLERANCE) exceeded[out + k]! += 1;
        }
        counted.fill(0);
        for (let i = 0; i < positions.length; i += 1) counted[category[positions[i]!]!]! += 1;
        if (totalVariation(counted, all, left, right) >= distance - TOLERANCE) exceeded[out + PROPERTIES.length]! += 1;
      });
    }
    return exceeded;
  }
}

function validityGate(
  { pool }: ComparisonOptions,
  strata: readonly StratumData[],
  gate: number,
): FilterResults['validity_gate'] {
  return strata.flatMap((data) => {
    const valid = Uint8Array.from(data.tasks, (t) => pool.valid[gate * pool.tasks.length + t]!);
    const count = sum(valid);
    if (count === 0 || count === valid.length) return [];
    return PROPERTIES.map((property, k) => {
      const values = data.values[k]!;
      const [valid_mean, invalid_mean] = groupMeans(values, valid);
      return {
        panel: data.panel,
        family: data.family,
        property,
        valid: count,
        invalid: valid.length - count,
        valid_mean,
        invalid_mean,
        standardized_difference: standardizedDifference(values, valid),
      };
    });
  });
}
