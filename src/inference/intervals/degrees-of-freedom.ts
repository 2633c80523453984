import { type ClusterDesign, weighing } from '../../engine/design.js';
import type { Layout } from '../../engine/layout.js';
import type { Linearised } from '../../engine/linearised.js';

/** Square matrix, row-major. */
type Square = Float64Array;

/** Sums over the clusters of one component; q holds the w n / N_s of a cluster, e its scale, a its weight. */
interface Sums {
  readonly size: number;
  /** Sum of q q'. */
  readonly plain: Square;
  /** Sums of e q q', e a q q' and e a^2 q q'. */
  readonly scaled: Square;
  readonly scaledOnce: Square;
  readonly scaledTwice: Square;
  /** Sums of e^2 a^2 q q' and e^2 a^3 q q'. */
  readonly squared: Square;
  readonly cubed: Square;
}

/**
 * Counts the Bell-McCaffrey degrees of freedom of the leverage-scaled error over whole clusters, a real number from 1 to
 * C - 1 (decisions 2.4): with M = diag(a) - G, G_cd = sum_s w q_cs q_ds and q_cs = n_cs / N_s, and b_c row c of M times the root of its scale e_c,
 * (sum a_c^2)^2 / sum_cd (b_c . b_d)^2. It depends on the design alone, not on any score.
 *
 * M M' is diag(a^2) plus a matrix of the rank of twice the number of strata, so that the sum over pairs of clusters is formed from sums over
 * clusters; strata that share no cluster, directly or over others, are treated apart.
 */
export function bellMcCaffrey(design: ClusterDesign, layout: Layout, linearised: Linearised): number {
  const { strata, clusters, partCluster, partStratum, partTasks } = design;
  const { scales, weights } = linearised;
  const { component, place, sizes } = components(design);
  const sums = sizes.map(emptySums);
  const own = Array.from({ length: clusters }, (): number[] => []);
  partCluster.forEach((c, p) => {
    own[c]!.push(p);
  });
  // With weights of strata q holds the root of w S in place of w S: G is S times the sum of q q' then too.
  const mean = weighing(design);
  const share = (p: number) => {
    const q = partTasks[p]! / layout.stratumTasks[partStratum[p]!]! / strata;
    return design.weights === undefined ? q : q * Math.sqrt(design.weights[partStratum[p]!]! / mean);
  };
  const weightOf = (c: number) =>
    design.weights === undefined
      ? weights[c]!
      : own[c]!.reduce((sum, p) => sum + share(p) * Math.sqrt(design.weights![partStratum[p]!]! / mean), 0);
  let squares = 0;
  let pairs = 0;
  for (let c = 0; c < clusters; c += 1) {
    const e = scales[c]!;
    const a = weightOf(c);
    squares += a * a;
    pairs += (e * (a * a)) ** 2;
    for (const p of own[c]!)
      for (const other of own[c]!) {
        const to = sums[component[partStratum[p]!]!]!;
        const at = place[partStratum[p]!]! * to.size + place[partStratum[other]!]!;
        const q = share(p) * share(other);
        to.plain[at]! += q;
        to.scaled[at]! += e * q;
        to.scaledOnce[at]! += e * a * q;
        to.scaledTwice[at]! += e * (a * a) * q;
        to.squared[at]! += e * a * (e * a) * q;
        to.cubed[at]! += e * a * (e * a) * a * q;
      }
  }
  for (const part of sums) pairs += crossTerms(part, strata);
  return Math.min(Math.max((squares * squares) / pairs, 1), clusters - 1);
}

const emptySums = (size: number): Sums => {
  const square = () => new Float64Array(size * size);
  return {
    size,
    plain: square(),
    scaled: square(),
    scaledOnce: square(),
    scaledTwice: square(),
    squared: square(),
    cubed: square(),
  };
};

/** 2 tr(K P) + tr(K Z K Z) for U = [q, a q], K = [[S^2 H, -S], [-S, 0]], Z = U' E U, P = U' E^2 A^2 U. */
function crossTerms(sums: Sums, strata: number): number {
  const { size, plain, scaled, scaledOnce, scaledTwice, squared, cubed } = sums;
  const core = plain.map((value) => strata * (strata * value));
  let once = 0;
  for (let i = 0; i < plain.length; i += 1) once += core[i]! * squared[i]!;
  for (let s = 0; s < size; s += 1) once -= 2 * strata * cubed[s * size + s]!;
  const x = product(core, scaled, size);
  const y = product(core, scaledOnce, size);
  let twice = 0;
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j < size; j += 1) {
      const there = i * size + j;
      const back = j * size + i;
      twice += (x[there]! - strata * scaledOnce[there]!) * (x[back]! - strata * scaledOnce[back]!);
      twice -= 2 * (y[there]! - strata * scaledTwice[there]!) * strata * scaled[back]!;
      twice += strata * scaledOnce[there]! * (strata * scaledOnce[back]!);
    }
  return 2 * once + twice;
}

function product(left: Square, right: Square, size: number): Square {
  const out = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1)
    for (let k = 0; k < size; k += 1) {
      const factor = left[i * size + k]!;
      if (factor === 0) continue;
      for (let j = 0; j < size; j += 1) out[i * size + j]! += factor * right[k * size + j]!;
    }
  return out;
}

/** Strata that clusters tie together: the component of each, its place there, and the sizes of the components. */
function components({ strata, clusters, partCluster, partStratum }: ClusterDesign) {
  const root = Int32Array.from({ length: strata }, (_, s) => s);
  const find = (s: number): number => {
    let at = s;
    while (root[at] !== at) at = root[at] = root[root[at]!]!;
    return at;
  };
  const first = new Int32Array(clusters).fill(-1);
  partStratum.forEach((s, p) => {
    const c = partCluster[p]!;
    if (first[c] === -1) first[c] = s;
    else root[find(s)] = find(first[c]!);
  });
  const component = new Int32Array(strata);
  const place = new Int32Array(strata);
  const sizes: number[] = [];
  const numbers = new Map<number, number>();
  for (let s = 0; s < strata; s += 1) {
    const top = find(s);
    const known = numbers.get(top) ?? sizes.length;
    if (known === sizes.length) {
      numbers.set(top, known);
      sizes.push(0);
    }
    component[s] = known;
    place[s] = sizes[known]!;
    sizes[known] = sizes[known]! + 1;
  }
  return { component, place, sizes };
}
