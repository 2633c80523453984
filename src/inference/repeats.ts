import type { Attempts } from '../core/attempts.js';
import type { ScoreMatrix } from '../core/matrix.js';
import { pairIndex } from '../engine/design.js';
import { counted, fixed, placesFor } from '../util/format.js';
import { clusterDesign } from './cluster-design.js';
import { studentErrors } from './intervals/student.js';
import { type FamilyWeights, type Strata, type StrataMode, strataOf } from './strata.js';
import { exactTotals } from './totals.js';

/** Standard errors, in points, at the attempts and tasks at hand and at more of them. Null beside a stratum of one cluster, which shows no spread. */
interface RepeatedErrors {
  readonly se: number | null;
  readonly se_twice_attempts: number | null;
  readonly se_endless_attempts: number | null;
  readonly se_twice_tasks: number | null;
}

interface RepeatedModel extends RepeatedErrors {
  readonly model: string;
  /** Mean over attempts, points: mean@k for the k at hand. */
  readonly mean_at_k: number;
  /** Variance of single attempts at a task around its mean, points squared, averaged as the score is. */
  readonly within_variance: number;
  /** Variance of the means of tasks inside a stratum without what attempts add to it, points squared. */
  readonly between_variance: number;
  /** Expected score of the best of k attempts; null where values are not 0 and 1. */
  readonly pass_at: readonly { readonly k: number; readonly value: number }[] | null;
}

/** What equal numbers of attempts at every cell say beside the scores, as documents state it (decisions 4.1). */
export interface RepeatReport {
  readonly attempts: number;
  /** In matrix order. */
  readonly models: readonly RepeatedModel[];
  /** The pair of models with the median standard error of its difference; null for one model. */
  readonly median_pair: (RepeatedErrors & { readonly left: string; readonly right: string }) | null;
}

/**
 * Divides the variance of scores into what attempts and what tasks bring, and forms mean@k and pass@k (decisions 4.1). Errors: those of
 * `clusterDesign`.
 */
export function repeatReport(options: {
  /** Sums over attempts. */
  readonly matrix: ScoreMatrix;
  readonly attempts: Attempts;
  readonly strata: StrataMode;
  readonly familyWeights?: FamilyWeights;
}): RepeatReport {
  const { attempts } = options;
  const { chance: _, ...matrix } = options.matrix;
  const strata = strataOf(matrix, options.strata, options.familyWeights);
  const design = clusterDesign(matrix, strata);
  const student = studentErrors({ design, exact: exactTotals(design), alpha: 0.05, range: [-Infinity, Infinity] });
  const cells = attemptVariances(attempts);
  const noise = matrix.models.map((__, m) => scoreNoise(cells, m, strata, attempts.count));
  const binary = attempts.values.every((value) => value === 0 || value === attempts.scale);
  const single = student?.rows().errors;
  const pairs = pairErrors(matrix.models, student?.pairs().errors);
  const median = pairs[(pairs.length - 1) >> 1];
  return {
    attempts: attempts.count,
    models: matrix.models.map((model, m) => {
      const within = stratified(cells.within, m, strata);
      return {
        model,
        mean_at_k: stratified(cells.mean, m, strata),
        within_variance: within,
        between_variance: betweenTasks(cells.mean, m, strata, within / attempts.count),
        ...errorsOf(single?.[m], noise[m]!),
        pass_at: binary ? passCurve(attempts, m, strata) : null,
      };
    }),
    median_pair:
      median === undefined
        ? null
        : {
            left: matrix.models[median.left]!,
            right: matrix.models[median.right]!,
            ...errorsOf(median.error, noise[median.left]! + noise[median.right]!),
          },
  };
}

/** models x tasks: mean of the attempts, and their variance around it (divisor attempts - 1), points. */
function attemptVariances({ values, count, scale }: Attempts): {
  readonly mean: Float64Array;
  readonly within: Float64Array;
} {
  const cells = values.length / count;
  const mean = new Float64Array(cells);
  const within = new Float64Array(cells);
  for (let at = 0; at < cells; at += 1) {
    const own = values.subarray(at * count, (at + 1) * count);
    const sum = own.reduce((total, value) => total + value, 0);
    mean[at] = sum / (count * scale);
    within[at] = own.reduce((total, value) => total + (value - sum / count) ** 2, 0) / (count - 1) / scale ** 2;
  }
  return { mean, within };
}

/** Mean over strata of the mean over tasks of one row. */
function stratified(cells: Float64Array, m: number, strata: Strata): number {
  const { ofTask, sizes } = strata;
  const sums = new Float64Array(sizes.length);
  ofTask.forEach((s, t) => {
    sums[s]! += cells[m * ofTask.length + t]!;
  });
  const { own, all } = weightsOf(strata);
  return sums.reduce((total, sum, s) => total + own[s]! * (sum / sizes[s]!), 0) / all;
}

/** What strata weigh, and the sum of it. */
function weightsOf({ sizes, weights }: Strata): { readonly own: readonly number[]; readonly all: number } {
  const own = weights ?? Array.from(sizes, () => 1);
  return { own, all: own.reduce((sum, weight) => sum + weight, 0) };
}

/** Variance that attempts bring to the score of a row. */
function scoreNoise({ within }: { readonly within: Float64Array }, m: number, strata: Strata, count: number): number {
  const { ofTask, sizes } = strata;
  const { own, all } = weightsOf(strata);
  let total = 0;
  ofTask.forEach((s, t) => {
    total += within[m * ofTask.length + t]! / count / ((all / own[s]!) * sizes[s]!) ** 2;
  });
  return total;
}

/** Mean over strata of two tasks or more of the variance of task means, less the variance of a mean of attempts; at least 0. */
function betweenTasks(mean: Float64Array, m: number, { ofTask, sizes }: Strata, noise: number): number {
  const T = ofTask.length;
  const sums = new Float64Array(sizes.length);
  ofTask.forEach((s, t) => {
    sums[s]! += mean[m * T + t]!;
  });
  const squares = new Float64Array(sizes.length);
  ofTask.forEach((s, t) => {
    squares[s]! += (mean[m * T + t]! - sums[s]! / sizes[s]!) ** 2;
  });
  const spread = [...squares].flatMap((square, s) => (sizes[s]! > 1 ? [square / (sizes[s]! - 1)] : []));
  if (spread.length === 0) return 0;
  return Math.max(0, spread.reduce((total, value) => total + value, 0) / spread.length - noise);
}

const NO_ERRORS: RepeatedErrors = {
  se: null,
  se_twice_attempts: null,
  se_endless_attempts: null,
  se_twice_tasks: null,
};

/** Standard errors from the one over clusters and the variance that attempts bring to it. */
function errorsOf(error: number | undefined, within: number): RepeatedErrors {
  if (error === undefined) return NO_ERRORS;
  const between = Math.max(0, error ** 2 - within);
  return {
    se: Math.sqrt(between + within),
    se_twice_attempts: Math.sqrt(between + within / 2),
    se_endless_attempts: Math.sqrt(between),
    se_twice_tasks: Math.sqrt((between + within) / 2),
  };
}

/** Pairs of rows by the standard error of their difference, equal ones by id. */
function pairErrors(models: readonly string[], errors: Float64Array | undefined) {
  const order = models.map((_, m) => m).sort((a, b) => (models[a]! < models[b]! ? -1 : 1));
  return order
    .flatMap((left, k) =>
      order.slice(k + 1).map((right) => {
        const at = pairIndex(Math.min(left, right), Math.max(left, right), models.length);
        return { left, right, error: errors?.[at] };
      }),
    )
    .sort((a, b) => (a.error ?? 0) - (b.error ?? 0));
}

/** Chance that one of k attempts, drawn from n of which x passed, passes: 1 - C(n-x, k) / C(n, k). */
export function passAt(n: number, x: number, k: number): number {
  let none = 1;
  for (let i = 0; i < k; i += 1) none *= Math.max(0, n - x - i) / (n - i);
  return 1 - none;
}

/** Every k up to ten attempts, past that powers of two and all attempts. */
function passCurve({ count, values, scale }: Attempts, m: number, strata: Strata) {
  const { ofTask, sizes } = strata;
  const weights = weightsOf(strata);
  const T = ofTask.length;
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const sizesOfK = count <= 10 ? all : all.filter((k) => k === count || (k & (k - 1)) === 0);
  const passed = new Float64Array(sizes.length * (count + 1));
  ofTask.forEach((s, t) => {
    const own = values.subarray((m * T + t) * count, (m * T + t + 1) * count);
    passed[s * (count + 1) + own.reduce((n, value) => n + (value === scale ? 1 : 0), 0)]! += 1;
  });
  return sizesOfK.map((k) => {
    let value = 0;
    for (let s = 0; s < sizes.length; s += 1) {
      let sum = 0;
      for (let x = 0; x <= count; x += 1) sum += passed[s * (count + 1) + x]! * passAt(count, x, k);
      value += (weights.own[s]! * (sum / sizes[s]!)) / weights.all;
    }
    return { k, value };
  });
}

/** Says what attempts and tasks bring, in sentences; empty where there is one cluster. */
export function repeatWords({ attempts, models, median_pair: pair }: RepeatReport): string {
  const said = [`A cell is the mean of ${counted(attempts, 'attempt')}.`];
  const middle = (key: 'within_variance' | 'between_variance') =>
    models.map((row) => row[key]).sort((a, b) => a - b)[(models.length - 1) >> 1]!;
  const [within, between] = [Math.sqrt(middle('within_variance')), Math.sqrt(middle('between_variance'))];
  const one = placesFor([within, between]);
  said.push(
    `For a middling model single attempts at a task differ by ${fixed(within, one)} points (standard deviation), tasks by ${between > 0 ? fixed(between, one) : 'no more than attempts alone explain'}.`,
  );
  const { se, se_twice_attempts: twice, se_endless_attempts: endless, se_twice_tasks: tasks } = pair ?? NO_ERRORS;
  if (se !== null && twice !== null && endless !== null && tasks !== null) {
    const places = Math.min(8, placesFor([se, twice, endless, tasks]) + 1);
    const points = (value: number) => fixed(value, places);
    const most =
      endless > 0
        ? `${points(endless)} with any number of attempts`
        : 'what any number of attempts would leave is too small to be seen in these data';
    said.push(
      `The difference of two models has a standard error of ${points(se)} at the median pair: ${points(tasks)} with twice the tasks, ${points(twice)} with twice the attempts; ${most}.`,
    );
  }
  return said.join(' ');
}
