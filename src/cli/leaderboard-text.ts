import Table from 'cli-table3';
import type { ExtraCells } from '../core/matrix-answers.js';
import { type Quantization, roundedWords } from '../core/matrix-cells.js';
import { comparesWithOne, decisionWords, nameList, testWords } from '../inference/decisions/decision-words.js';
import { rangeText, rankText } from '../inference/model-ranks.js';
import { isFrozen } from '../inference/plan.js';
import type { Inference, ModelResult } from '../inference/result.js';
import { thousands as count, counted, coverageText, fixed, placesFor } from '../util/format.js';
import { colour, plain } from './print.js';

const BAR = 28;

/** Where a value stands on the axis of the bars, 0 to BAR - 1. */
function placer(models: readonly ModelResult[]): (value: number) => number {
  const low = Math.min(...models.map((model) => model.simultaneous[0]));
  const high = Math.max(...models.map((model) => model.simultaneous[1]));
  const span = high - low || 1;
  return (value) => Math.max(0, Math.min(BAR - 1, Math.round(((value - low) / span) * (BAR - 1))));
}

/** Simultaneous interval thin, pointwise interval thick, the score a dot. */
function bar(model: ModelResult, place: (value: number) => number): string {
  const cells = new Array<string>(BAR).fill(' ');
  const draw = ([low, high]: readonly [number, number], mark: string) => {
    for (let x = place(low); x <= place(high); x += 1) cells[x] = mark;
  };
  draw(model.simultaneous, '─');
  draw(model.pointwise, '━');
  cells[place(model.score)] = '●';
  return cells.join('');
}

export interface LeaderboardOptions {
  readonly inference: Inference;
  readonly extra?: ExtraCells;
  readonly backend: string;
  readonly quantization?: Quantization;
  readonly warnings: readonly string[];
}

/** Writes the leaderboard as text: a table with interval bars, then what is resolved and what is not, in words. */
export function leaderboardText(options: LeaderboardOptions): string {
  const { inference } = options;
  const name = (model: ModelResult) => plain(model.name);
  const ordered = [...inference.models].sort((a, b) => a.rank - b.rank);
  const place = placer(ordered);
  const places = placesFor(ordered.flatMap(({ score, pointwise }) => [score, ...pointwise]));
  const digits = (value: number) => fixed(value, places);
  const chance = ordered.some((model) => model.chance !== null);
  const frozen = isFrozen(inference.plan);
  const lettered = ordered.some(({ letters }) => letters !== null);
  const table = new Table({
    head: [
      ...(frozen ? ['group', 'rank', 'ranks'] : ['rank', 'ranks allowed', ...(lettered ? ['letters'] : [])]),
      ...['model', 'score', `${coverageText(inference.plan.alpha)} interval`, ''],
      ...(chance ? ['above chance'] : []),
    ],
    colAligns: [
      ...(frozen ? ALIGNED.ranks : (['right', 'right', ...(lettered ? ['left' as const] : [])] as const)),
      ...ALIGNED.scores,
    ],
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  ordered.forEach((model, k) => {
    const opens = k === 0 || ordered[k - 1]?.group !== model.group;
    table.push([
      ...(frozen
        ? [
            opens ? colour.bold(String(model.group)) : colour.dim(String(model.group)),
            String(model.rank),
            `${model.rankInterval[0]}-${model.rankInterval[1]}`,
          ]
        : [rankText(model), rangeText(model.rankSet), ...(lettered ? [model.letters ?? ''] : [])]),
      name(model),
      colour.bold(digits(model.score)),
      `${digits(model.pointwise[0])} to ${digits(model.pointwise[1])}`,
      colour.cyan(bar(model, place)),
      ...(model.chance === null ? [] : [model.chance.aboveChance ? 'yes' : colour.yellow('no')]),
    ]);
  });
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return [...lines, '', ...words(options, ordered, name)].join('\n');
}

const ALIGNED = {
  ranks: ['right', 'right', 'right'],
  scores: ['left', 'right', 'right', 'left', 'left'],
} as const;

const NO_LINES = Object.fromEntries([
  ...['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
  ),
  ['middle', '  '],
]);

function words(
  { inference, extra, backend, quantization, warnings }: LeaderboardOptions,
  ordered: readonly ModelResult[],
  name: (model: ModelResult) => string,
): string[] {
  const { plan, pairs, models, replication } = inference;
  const lines = isFrozen(plan)
    ? [...settingWords(inference, backend), ...frozenWords(inference, ordered, name)]
    : [...decisionWords(inference, name), ...letterWords(inference), ...settingWords(inference, backend)];
  if (replication !== null && replication.scorePearson !== null)
    lines.push(
      `Panels ${replication.panels.map(plain).join(' and ')}: score correlation ${replication.scorePearson.toFixed(3)}, rank correlation ${(replication.rankSpearman ?? 0).toFixed(3)} (descriptive).`,
    );
  const tied = pairs.filter((pair) => pair.degenerate).length;
  if (tied > 0 && isFrozen(plan)) lines.push(`${counted(tied, 'pair')} of models scored the same on every cluster.`);
  const constant = models.filter(({ degenerate, pointwise: [low, high] }) => degenerate && low === high).length;
  if (constant > 0)
    lines.push(
      `${count(constant)} model${constant === 1 ? "'s score does" : "s' scores do"} not vary between draws: intervals of one point say nothing about uncertainty.`,
    );
  if (inference.weights.kind === 'rounded')
    lines.push(
      `Stratum weights of the sign flips are rounded, relative error ${inference.weights.relativeError.toExponential(1)}.`,
    );
  if (quantization) lines.push(roundedWords(quantization));
  const ignored = extra ? extra.tasks + extra.models + extra.panels : 0;
  if (extra && ignored > 0)
    lines.push(
      `Ignored ${counted(ignored, 'answer')} that are no cell: ${count(extra.tasks)} of other tasks, ${count(extra.models)} of models off the roster, ${count(extra.panels)} of another panel.`,
    );
  for (const warning of warnings) lines.push(`Note: ${plain(warning)}.`);
  return lines;
}

/** How the numbers came about. */
function settingWords(inference: Inference, backend: string): string[] {
  const { plan, models, pairs, tasks, clusters, strata, bandCritical } = inference;
  const sampled = pairs.some(({ pKind }) => pKind === 'sampled' || pKind === null);
  return [
    `${counted(models.length, 'model')} x ${counted(tasks, 'task')} in ${counted(clusters, 'cluster')}. Score in points: mean of ${strata.length === 1 ? 'one stratum' : `${strata.length} strata`} (${plan.strata}).`,
    `Bars: dot the score, thick the pointwise interval (${plan.interval}), thin the simultaneous one (critical value ${bandCritical.toFixed(3)}).`,
    `${plan.bootstrap === 'enumerated' ? 'All bootstrap samples of the clusters, weighted' : counted(plan.draws, 'bootstrap draw')} (${plan.scheme}), ${sampled || pairs.length === 0 ? counted(plan.flips, 'sign flip') : 'every sign vector of each pair'}; rng ${plan.rng}, seed ${plan.seed}; ${backend}.`,
  ];
}

/** How letters and allowed ranks are read. */
function letterWords(inference: Inference): string[] {
  const { models, pairs, plan, resolvedPairs } = inference;
  if (pairs.length === 0) return [];
  const lettered = models.some(({ letters }) => letters !== null);
  return [
    `${count(resolvedPairs)} of ${counted(comparesWithOne(plan) ? models.length - 1 : pairs.length, 'pair')} told apart (${testWords(inference)}).${lettered ? ' Two models that share a letter are not told apart, which is not the same as equal.' : ''}`,
  ];
}

/** What a replay of the published procedure says, in the words of version 1. */
function frozenWords(
  inference: Inference,
  ordered: readonly ModelResult[],
  name: (model: ModelResult) => string,
): string[] {
  const { plan, pairs } = inference;
  if (pairs.length === 0) return [];
  const leader = ordered[0]!;
  const rivals = ordered.slice(1).filter((model) => {
    const pair = pairs.find(
      ({ left, right }) =>
        (left === leader.index && right === model.index) || (left === model.index && right === leader.index),
    );
    return pair !== undefined && !pair.significant;
  });
  const couldFlip = pairs.filter((pair) => pair.holmCouldFlip).length;
  return [
    `Resolved: ${count(inference.resolvedPairs)} of ${counted(pairs.length, 'pair')} (Holm, familywise ${plan.alpha}). Unresolved: ${count(pairs.length - inference.resolvedPairs)}. Two models of one group are never resolved; of two groups they may be.`,
    inference.top === null
      ? `No model beats all others: ${name(leader)} leads, unresolved against ${nameList(rivals.map(name), 4)}.`
      : `${name(leader)} beats every other model.`,
    ...(couldFlip > 0
      ? [`${counted(couldFlip, 'decision')} could change with more sign flips (99% limits of p).`]
      : []),
  ];
}
