import type { ScoreMatrix } from '../../core/matrix.js';
import { pairCount, pairIndex } from '../../engine/design.js';
import { clusterDesign } from '../../inference/cluster-design.js';
import { openNeighbours } from '../../inference/decisions/neighbours.js';
import type { InferencePlan } from '../../inference/plan.js';
import {
  type Inference,
  type Leaderboard,
  PAIR_DECISIONS,
  type PairDecision,
  type PairResult,
  type PairSummary,
  type PairTable,
} from '../../inference/result.js';
import { plannedStrata } from '../../inference/strata.js';
import { fail } from '../../util/error.js';

interface StatedOptions {
  readonly leaderboard: Leaderboard;
  readonly plan: InferencePlan;
  /** The scores behind it; null where they are not at hand. */
  readonly matrix: ScoreMatrix | null;
  readonly warnings: readonly string[];
  /** As a reader sees the models, by id; their own names unless given. */
  readonly name?: (id: string, name: string) => string;
}

/** What a document says of a pair; those of version 1 know only whether it is significant. */
export function statedDecision({ verdict, significant, direction }: PairResult): PairDecision {
  if (verdict) return verdict.decision;
  if (!significant || direction === 'tie') return 'open';
  return direction === 'left_higher' ? 'higher' : 'lower';
}

/**
 * Gives a leaderboard that a document states the form that the views of a page take, so that they show what was published and not what this
 * machine would make of it. Nothing is computed but what follows from the statements: columns and counts of pairs, and neighbours that are open.
 * Errors: SCHEMA_INVALID where pairs do not stand in their order.
 */
export function statedInference({ leaderboard, plan, matrix, warnings, name }: StatedOptions): Inference {
  assertOrder(leaderboard);
  const table = tableOf(leaderboard);
  const open = openOf(leaderboard.models.length, table);
  const models = leaderboard.models.map((model) => ({
    ...model,
    name: name?.(model.modelId, model.name) ?? model.name,
    openWith: model.openWith ?? open[model.index]!,
  }));
  const summary = summaryOf(leaderboard, table);
  const strata = matrix && plannedStrata(matrix, plan);
  const design = matrix && clusterDesign(matrix, strata!);
  const order = Int32Array.from(models, (_, m) => m).sort((a, b) => models[a]!.rank - models[b]!.rank || a - b);
  const needed = summary.clustersNeeded;
  return {
    ...leaderboard,
    models,
    plan,
    streams: {},
    strata:
      strata?.labels.map((label, s) => ({ label, tasks: strata.sizes[s]!, clusters: clustersIn(design!, s) })) ?? [],
    pairTable: table,
    pairSummary: summary,
    neighbours: design
      ? openNeighbours({ design, tasks: leaderboard.tasks, plan, order, table, needed })
      : neighboursOf(order, table, models.length),
    redraws: 0,
    emptied: 0,
    weights: { kind: 'exact', relativeError: 0 },
    warnings,
  };
}

const CODE = new Map(PAIR_DECISIONS.map((decision, code) => [decision as PairDecision, code]));

function tableOf({ models, pairs }: Leaderboard): PairTable {
  const count = pairCount(models.length);
  const table = {
    left: new Int32Array(count),
    right: new Int32Array(count),
    difference: new Float64Array(count),
    p: new Float64Array(count).fill(1),
    holm: new Float64Array(count).fill(1),
    adjusted: new Float64Array(count).fill(1),
    decision: new Uint8Array(count).fill(CODE.get('untested')!),
  };
  for (let i = 0, k = 0; i < models.length; i += 1)
    for (let j = i + 1; j < models.length; j += 1, k += 1) {
      table.left[k] = i;
      table.right[k] = j;
      const pair = pairs[k];
      if (pair === undefined) continue;
      table.difference[k] = pair.meanDifference;
      table.p[k] = pair.p;
      table.holm[k] = pair.holm;
      table.adjusted[k] = pair.maxTStepP ?? pair.holm;
      table.decision[k] = CODE.get(statedDecision(pair))!;
    }
  return table;
}

/** Errors: SCHEMA_INVALID where pairs do not stand in the order (0,1), (0,2), ... */
function assertOrder({ models, pairs }: Leaderboard): void {
  if (pairs.length === 0) return;
  let k = 0;
  for (let i = 0; i < models.length; i += 1)
    for (let j = i + 1; j < models.length; j += 1, k += 1) {
      const pair = pairs[k];
      if (pair?.left === i && pair.right === j) continue;
      fail(
        'SCHEMA_INVALID',
        { path: `pairwise_comparisons[${k}]` },
        `the pair of models ${i} and ${j} expected, found ${pair ? `${pair.left} and ${pair.right}` : 'none'}`,
        'Give the document as it was written.',
      );
    }
}

const isDecided = (code: number) => PAIR_DECISIONS[code] === 'higher' || PAIR_DECISIONS[code] === 'lower';

/** By model: those that it is not told apart from. */
function openOf(models: number, { left, right, decision }: PairTable): number[][] {
  const open: number[][] = Array.from({ length: models }, () => []);
  decision.forEach((code, k) => {
    if (isDecided(code)) return;
    open[left[k]!]?.push(right[k]!);
    open[right[k]!]?.push(left[k]!);
  });
  return open;
}

function summaryOf({ pairs }: Leaderboard, { decision, left, right }: PairTable): PairSummary {
  const decisions = { told_apart: 0, open: 0, identical: 0, untestable: 0, untested: 0 };
  for (const code of decision) {
    const name = PAIR_DECISIONS[code]!;
    decisions[name === 'higher' || name === 'lower' ? 'told_apart' : name] += 1;
  }
  const verdicts = pairs.flatMap(({ verdict }) => verdict ?? []);
  const needed = verdicts.flatMap(({ clustersNeeded }) => clustersNeeded ?? []);
  const identical = decision.indexOf(CODE.get('identical')!);
  return {
    total: decision.length,
    decisions,
    byDesign: verdicts.filter(({ untestable }) => untestable === 'by_design').length,
    clustersNeeded: needed.length > 0 ? needed.reduce((least, count) => Math.min(least, count)) : null,
    couldTurn: verdicts.filter(({ couldTurn }) => couldTurn).length,
    identical: identical < 0 ? null : [left[identical]!, right[identical]!],
  };
}

function clustersIn({ partCluster, partStratum }: ReturnType<typeof clusterDesign>, stratum: number): number {
  const met = new Set<number>();
  partStratum.forEach((s, part) => {
    if (s === stratum) met.add(partCluster[part]!);
  });
  return met.size;
}

/** Neighbours that are open, without the tasks that would settle it: no scores of tasks are at hand. */
function neighboursOf(order: Int32Array, { decision, difference }: PairTable, models: number) {
  return Array.from({ length: Math.max(0, models - 1) }, (_, k) => [order[k]!, order[k + 1]!] as const).flatMap(
    ([higher, lower]) => {
      const pair = pairIndex(Math.min(higher, lower), Math.max(higher, lower), models);
      if (isDecided(decision[pair]!)) return [];
      return [{ higher, lower, difference: Math.abs(difference[pair]!), moreTasks: null }];
    },
  );
}
