import { fail } from '../util/error.js';
import { dot, type Environment, unitRow } from './environment.js';
import { largest, projections, type Scored } from './similarity.js';

interface MorphOptions {
  /** Row that is turned. */
  readonly seed: number;
  /** Unit vector towards which it is turned: a direction, a mode pole, another ingredient. */
  readonly target: Float64Array;
  /** Angle in degrees. */
  readonly degrees: number;
  readonly count: number;
}

/**
 * Turns an ingredient towards a target by an angle and returns the ingredients nearest to where it lands, the seed excluded
 * (compiler a.6 morph): the part of the target along the seed is removed, the rest made a unit vector p, and the query is
 * cos(angle) e + sin(angle) p.
 */
export function morph(environment: Environment, options: MorphOptions): Scored[] {
  const { seed, target, degrees, count } = options;
  const e = unitRow(environment, seed);
  const along = dot(e, target);
  const p = target.map((value, j) => value - along * e[j]!);
  const length = Math.sqrt(dot(p, p));
  if (length < 1e-9) {
    fail(
      'USAGE',
      null,
      'the target points where the ingredient points; there is no way to turn',
      'Choose another target.',
    );
  }
  const angle = (degrees * Math.PI) / 180;
  const query = e.map((value, j) => Math.cos(angle) * value + (Math.sin(angle) * p[j]!) / length);
  const values = projections(environment, query);
  return largest(environment, { values, count, exclude: new Set([seed]) });
}

interface FrontierPoint {
  readonly row: number;
  readonly name: string;
  readonly projection: number;
  readonly proximity: number;
}

/**
 * Lists the trade-offs between going far along a direction and staying near an ingredient (compiler a.6 pareto_navigate): rows by
 * falling projection, kept when their proximity, at least `floor`, exceeds that of all kept before.
 */
export function paretoNavigate(
  environment: Environment,
  options: { readonly seed: number; readonly target: Float64Array; readonly floor?: number },
): FrontierPoint[] {
  const { seed, target, floor = 0.05 } = options;
  const near = projections(environment, unitRow(environment, seed));
  const far = projections(environment, target);
  const kept: FrontierPoint[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (const { row, name, value } of largest(environment, {
    values: far,
    count: far.length,
    exclude: new Set([seed]),
  })) {
    const proximity = near[row]!;
    if (proximity < floor || proximity <= best) continue;
    best = proximity;
    kept.push({ row, name, projection: value, proximity });
  }
  return kept;
}
