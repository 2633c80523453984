import { pairCount, pairIndex } from '../../engine/design.js';
import type { MapKernels, PortfolioMaps } from '../../engine/maps.js';
import type { World } from '../../environment/world.js';
import { mapFault } from './score.js';
import { itemValues, meets, type WorldCandidate, type WorldPool, type WorldRejection } from './world-candidates.js';

/** A candidate with its choices in the order they are to be scored in. */
export interface OrderedWorld {
  readonly candidate: WorldCandidate;
  readonly choices: readonly number[];
}

/** Smallest range of utilities, as for the culinary families (compiler b.5). */
const LEAST_RANGE = 1e-6;

/**
 * Maps of candidates in one batch. A utility is the mean over members of (similarity and value, weighted) plus the mean over
 * pairs of members of (coherence and synergy, weighted); the rest is the path of every task (compiler b.5).
 */
export function scoreWorld(world: World, kernels: MapKernels, ordered: readonly OrderedWorld[]): PortfolioMaps {
  const { document, environment, synergy } = world;
  const { choices: n, select, items } = document;
  const pairs = pairCount(n);
  const words = Math.ceil(pairs / 32);
  const members = new Uint32Array(ordered.length * (n + 1));
  ordered.forEach(({ candidate, choices }, t) => {
    members[t * (n + 1)] = candidate.anchor.row ?? choices[0]!;
    members.set(choices, t * (n + 1) + 1);
  });
  const cosines = kernels.taskSimilarities({
    rows: environment.units,
    dims: environment.dims,
    choices: n,
    members,
  });
  const singles = new Float64Array(ordered.length * n);
  const paired = new Float64Array(ordered.length * pairs);
  const allowed = new Uint32Array(ordered.length);
  const conflicts = new Uint32Array(ordered.length * words);
  ordered.forEach(({ candidate, choices }, t) => {
    const { utility, constraint, distinct_categories: distinct } = candidate.family;
    const values = itemValues(world, candidate.anchor);
    choices.forEach((row, i) => {
      singles[t * n + i] = utility.similarity * cosines.singles[t * n + i]! + utility.value * values[row]!;
      if (!constraint || meets(world, row, constraint)) allowed[t]! |= 1 << i;
    });
    for (let i = 0; i < n; i += 1)
      for (let j = i + 1; j < n; j += 1) {
        const [a, b] = [choices[i]!, choices[j]!];
        const pair = pairIndex(i, j, n);
        const stated = synergy?.get(Math.min(a, b) * items.length + Math.max(a, b)) ?? 0;
        paired[t * pairs + pair] = utility.coherence * cosines.pairs[t * pairs + pair]! + utility.synergy * stated;
        if (distinct && items[a]!.category === items[b]!.category)
          conflicts[t * words + (pair >>> 5)]! |= 1 << (pair & 31);
      }
  });
  return kernels.portfolioMaps({
    choices: n,
    select,
    singles,
    pairs: paired,
    weights: new Float64Array(2 * ordered.length).fill(1),
    allowed,
    conflicts,
    leastFeasible: document.least_feasible,
    leastRange: LEAST_RANGE,
  });
}

/** Moves candidates without an acceptable map to the rejections (compiler b.8). */
export function keepScoreableWorld(world: World, kernels: MapKernels, pool: WorldPool): WorldPool {
  const maps = scoreWorld(
    world,
    kernels,
    pool.candidates.map((candidate) => ({ candidate, choices: candidate.choices })),
  );
  const design = { leastFeasible: world.document.least_feasible, leastRange: LEAST_RANGE };
  const rejections: WorldRejection[] = [...pool.rejections];
  const candidates = pool.candidates.filter((candidate, t) => {
    const fault = mapFault(maps, t, design);
    if (!fault) return true;
    rejections.push({ family: pool.family.id, anchor: candidate.anchor.name, ...fault });
    return false;
  });
  return { family: pool.family, candidates, rejections };
}
