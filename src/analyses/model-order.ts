import { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import { type LeadRule, ordinalRanksDescending, sharedRanksDescending } from '../inference/rank-agreement.js';
import type { AnswerGrid, CandidatePool } from './candidates.js';
import type { AnalysisInputs } from './inputs.js';

/** Order of the models in sums and ties: of their ids, or as they stand in the input (decisions 1.5). */
export type ModelOrder = 'rows' | 'model-id';

/** The order as plans state it; documents of version 1 do not, and mean `rows`. */
export const orderField = z.enum(['rows', 'model-id']).optional();

/** Reads the order that a plan states; one of version 1 states none. */
export function orderOf(plan: object): ModelOrder {
  return 'order' in plan && plan.order === 'model-id' ? 'model-id' : 'rows';
}

/** Ranks scores as the rules of a call have it: equal scores share a rank, or follow the order of rows. */
export function pointRanksOf(scores: ArrayLike<number>, order: ModelOrder): Int32Array {
  return order === 'rows' ? ordinalRanksDescending(scores) : sharedRanksDescending(scores);
}

/** Tells what a shared lead is by the rules of a call. */
export function leadRuleOf(order: ModelOrder): LeadRule {
  return order === 'rows' ? 'first' : 'all';
}

/** Finds the ranks that more than one model has. */
export function tiedRanks(ranks: Iterable<number>): ReadonlySet<number> {
  const once = new Set<number>();
  const tied = new Set<number>();
  for (const rank of ranks) (once.has(rank) ? tied : once).add(rank);
  return tied;
}

/** What is sampled, as plans state it; documents of version 1 do not, and mean `tasks` (decisions 5.3). */
export const samplingField = z.enum(['clusters', 'tasks']).optional();

/** Numbers of the models in order of their ids, UTF-16 unit by unit. */
function idOrder(models: readonly string[]): number[] {
  return models.map((_, m) => m).sort((a, b) => (models[a]! < models[b]! ? -1 : 1));
}

/** Copies rows (models x columns) in another order. */
function reordered<T extends Float64Array | Int32Array | Uint8Array>(values: T, order: readonly number[]): T {
  const width = values.length / order.length;
  const out = values.slice() as T;
  order.forEach((from, at) => {
    out.set(values.subarray(from * width, (from + 1) * width), at * width);
  });
  return out;
}

/** Gives analyses their models in order of id, so that no sum and no tie depends on the order of rows (decisions 1.5). */
export function orderedInputs(inputs: AnalysisInputs, order: ModelOrder): AnalysisInputs {
  if (order === 'rows') return inputs;
  const byId = (read: ScoreMatrix): ScoreMatrix => {
    const rows = idOrder(read.models);
    return { ...read, models: rows.map((m) => read.models[m]!), values: reordered(read.values, rows) };
  };
  const matrix = async () => byId(await inputs.matrix());
  return {
    ...inputs,
    matrix,
    async familyMeans() {
      const { matrix: read, stated } = await inputs.familyMeans();
      return { matrix: byId(read), stated };
    },
    async resolved(alpha) {
      const place = new Int32Array((await inputs.matrix()).models.length);
      idOrder((await inputs.matrix()).models).forEach((m, at) => {
        place[m] = at;
      });
      return (await inputs.resolved(alpha)).map(([a, b]) => [place[a]!, place[b]!] as const);
    },
    async answers(): Promise<AnswerGrid> {
      const grid = await inputs.answers();
      const rows = idOrder(grid.models);
      return { ...grid, models: rows.map((m) => grid.models[m]!), actions: reordered(grid.actions, rows) };
    },
    async candidates(): Promise<CandidatePool> {
      const pool = await inputs.candidates();
      const rows = idOrder(pool.models);
      return {
        ...pool,
        models: rows.map((m) => pool.models[m]!),
        valid: reordered(pool.valid, rows),
        scores: reordered(pool.scores, rows),
      };
    },
  };
}
