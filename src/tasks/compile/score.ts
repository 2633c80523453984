import { MAP_STATUS, type PortfolioMaps } from '../../engine/maps.js';
import type { Shares } from '../../shares/ranged-work.js';
import { sharedMaps } from '../shared-maps.js';
import type { Candidate, Choice, Family, Generated, Rejection, Rule, SourceDesign, TaskSource } from './family.js';

/** A candidate of a family with its choices in the order they are to be scored in. */
export interface Ordered {
  readonly family: Family;
  readonly candidate: Candidate;
  readonly choices: readonly Choice[];
}

/** Scores all portfolios of candidates, in one batch; tasks in the order given (compiler b.4, b.5). */
export function scoreOrdered(source: TaskSource, ordered: readonly Ordered[], shares?: Shares): PortfolioMaps {
  const { kernels, rows, dims, design } = source;
  const { choices, select, leastFeasible, leastRange } = design;
  const tasks = ordered.map((item) => item.family.mapTask(item.candidate, item.choices));
  return sharedMaps(shares, { kernels, rows, dims, choices, select, leastFeasible, leastRange, tasks });
}

/** Scores candidates of one family as their rule ordered them. */
export function scoreAsFound(
  source: TaskSource,
  family: Family,
  candidates: readonly Candidate[],
  shares?: Shares,
): PortfolioMaps {
  return scoreOrdered(
    source,
    candidates.map((candidate) => ({ family, candidate, choices: candidate.choices })),
    shares,
  );
}

/** Says why task t of a batch has no acceptable map; null when it has one (compiler b.5). */
export function mapFault(
  maps: PortfolioMaps,
  t: number,
  design: Pick<SourceDesign, 'leastFeasible' | 'leastRange'>,
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
export function keepScoreable(source: TaskSource, family: Family, made: Generated): Generated {
  const maps = scoreAsFound(source, family, made.candidates);
  const rejections: Rejection[] = [...made.rejections];
  const candidates = made.candidates.filter(({ anchor, variant }, t) => {
    const fault = mapFault(maps, t, source.design);
    if (fault) rejections.push({ anchor: anchor.name, variant, ...fault });
    return !fault;
  });
  return { candidates, rejections };
}
