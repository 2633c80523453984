import { MAP_STATUS, type PortfolioMaps } from '../../engine/maps.js';
import { allowedBits, conflictWords } from '../feasibility.js';
import { type MapTask, scoreMaps } from '../maps.js';
import type { Candidate, Rejection, Rule } from './candidate.js';
import type { CompileDesign } from './design.js';
import type { FamilyPool } from './generate.js';
import type { Eligible, Space } from './space.js';

/** A candidate with its choices in the order they are to be scored in. */
export interface Ordered {
  readonly candidate: Candidate;
  readonly choices: readonly Eligible[];
}

function mapTask({ candidate, choices }: Ordered, space: Space, design: CompileDesign): MapTask {
  const { family, anchor, region, variant } = candidate;
  const tags = choices.map((item) => item.tags);
  return {
    anchorRow: region === null ? anchor.row : space.cuisineRow.get(region)!,
    choiceRows: choices.map(({ row }) => row),
    weights: design[family].weights,
    allowed: allowedBits(tags, variant),
    ...(region === null ? {} : { conflicts: conflictWords(tags) }),
  };
}

/** Maps of candidates, in one batch. */
export function scoreOrdered(space: Space, design: CompileDesign, ordered: readonly Ordered[]): PortfolioMaps {
  return scoreMaps({
    kernels: space.kernels,
    rows: space.rows,
    dims: space.environment.dims,
    choices: design.choices,
    select: design.select,
    leastFeasible: design.leastFeasible,
    leastRange: design.leastRange,
    tasks: ordered.map((item) => mapTask(item, space, design)),
  });
}

/** Why task t of a batch has no acceptable map; null when it has one (compiler b.5). */
export function mapFault(
  maps: PortfolioMaps,
  t: number,
  design: Pick<CompileDesign, 'leastFeasible' | 'leastRange'>,
): { rule: Rule; detail: string } | null {
  switch (maps.status[t]) {
    case MAP_STATUS.FEW_FEASIBLE:
      return {
        rule: 'few_feasible',
        detail: `${maps.feasible[t]} of ${maps.keys} portfolios are feasible, ${design.leastFeasible} needed`,
      };
    case MAP_STATUS.FLAT:
      return {
        rule: 'flat',
        detail: `the utilities of feasible portfolios differ by less than ${design.leastRange}`,
      };
    case MAP_STATUS.TIED:
      return {
        rule: 'tied_optimum',
        detail: `${maps.optima[t]} portfolios score 10000 after rounding, exactly one is needed`,
      };
    default:
      return null;
  }
}

/** Scores every candidate of a family and moves those without an acceptable map to the rejections (compiler b.8). */
export function keepScoreable(space: Space, design: CompileDesign, pool: FamilyPool): FamilyPool {
  const maps = scoreOrdered(
    space,
    design,
    pool.candidates.map((candidate) => ({ candidate, choices: candidate.choices })),
  );
  const rejections: Rejection[] = [...pool.rejections];
  const candidates = pool.candidates.filter((candidate, t) => {
    const fault = mapFault(maps, t, design);
    if (!fault) return true;
    const { family, anchor, variant } = candidate;
    rejections.push({ family, anchor: anchor.name, variant, ...fault });
    return false;
  });
  return { family: pool.family, candidates, rejections };
}
