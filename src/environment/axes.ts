import { fail } from '../util/error.js';
import { needDirection } from './directions.js';
import { CUISINES, type Direction, dot, type Environment, unitRow } from './environment.js';
import { type Level, levelOf, projections, type Spread, spreadOf } from './similarity.js';

interface AxisReading {
  readonly value: number;
  readonly level: Level;
}

interface AxisComparison {
  readonly axis: Direction;
  readonly first: AxisReading;
  readonly second: AxisReading;
  /** Second minus first. */
  readonly delta: number;
  /** p10 and p90 of the projection over all rows. */
  readonly spread: Spread;
}

/** Compares two ingredients on a named direction, labelled against all rows (compiler a.6 compare_on_axis). */
export function compareOnAxis(
  environment: Environment,
  options: { readonly first: number; readonly second: number; readonly axis: string },
): AxisComparison {
  const axis = needDirection(environment, options.axis);
  const all = projections(environment, axis.unit);
  const first = all[options.first]!;
  const second = all[options.second]!;
  const spread = spreadOf(all);
  return {
    axis,
    first: { value: first, level: levelOf(first, spread) },
    second: { value: second, level: levelOf(second, spread) },
    delta: second - first,
    spread,
  };
}

/** Projects an ingredient on every cuisine the environment has, largest first; ties keep the fixed cuisine order. */
export function culturalProfile(
  environment: Environment,
  row: number,
): { readonly cuisine: string; readonly value: number }[] {
  const profile = CUISINES.flatMap((cuisine) => {
    const direction = environment.directions.get(cuisine);
    return direction ? [{ cuisine, value: dot(unitRow(environment, row), direction.unit) }] : [];
  });
  if (profile.length === 0) {
    fail(
      'DIRECTION_UNKNOWN',
      null,
      `environment ${JSON.stringify(environment.name)} has no cuisine directions`,
      'Import it with supervised_directions.npz or cuisine_poles.json.',
    );
  }
  return profile.sort((a, b) => b.value - a.value);
}

export interface Correlation {
  readonly first: string;
  readonly second: string;
  readonly cosine: number;
}

/** Lists the pairs of flavour axes whose cosine exceeds a threshold, largest first (compiler a.6 flavour_correlations). */
export function flavourCorrelations(environment: Environment, threshold = 0.3): Correlation[] {
  const axes = [...environment.directions.values()].filter(({ kind }) => kind === 'flavour');
  return axes
    .flatMap((a, i) => axes.slice(i + 1).map((b) => ({ first: a.name, second: b.name, cosine: dot(a.unit, b.unit) })))
    .filter(({ cosine }) => cosine > threshold)
    .sort((a, b) => b.cosine - a.cosine);
}

interface ModeReading {
  readonly name: string;
  readonly value: number;
}

/** Finds the mode pole nearest to a row (compiler a.6 closest_mode); null where the environment has no mode poles. */
export function closestMode(environment: Environment, row: number): ModeReading | null {
  let best: ModeReading | null = null;
  for (const { name, kind, unit } of environment.directions.values()) {
    if (kind !== 'mode') continue;
    const value = dot(unitRow(environment, row), unit);
    if (best === null || value > best.value) best = { name, value };
  }
  return best;
}

/** Projects a row on a direction and gives its percentile rank among all rows: rank / (n - 1), 0 lowest. */
export function onFactor(
  environment: Environment,
  options: { readonly row: number; readonly factor: string },
): { readonly value: number; readonly percentile: number } {
  const all = projections(environment, needDirection(environment, options.factor).unit);
  const value = all[options.row]!;
  const rank = all.reduce((below, other) => below + (other < value ? 1 : 0), 0);
  return { value, percentile: all.length < 2 ? 0 : rank / (all.length - 1) };
}
