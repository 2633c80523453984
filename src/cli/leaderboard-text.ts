import type { ExtraCells } from '../core/matrix-answers.js';
import { type Quantization, roundedWords } from '../core/matrix-cells.js';
import { comparesWithOne, decisionWords, nameList, testWords } from '../inference/decisions/decision-words.js';
import { byRank, rangeText, rankText } from '../inference/model-ranks.js';
import { isFrozen } from '../inference/plan.js';
import type { Inference, ModelResult } from '../inference/result.js';
import { thousands as count, counted, coverageText, fixed, placesFor } from '../util/format.js';
import { type IntervalBars, intervalBars } from './interval-bars.js';
import { colour, plain } from './print.js';
import { columnsOf, cutNames, tableText, wrapped } from './table-text.js';
import { textWidth } from './terminal.js';

/** Places that a bar takes at most, and at least; and that a name is not cut below for its sake. */
const BAR = { most: 28, least: 10, name: 16 };

/** Places that a name takes at most in a sentence. */
const NAMED = 40;

export interface LeaderboardOptions {
  readonly inference: Inference;
  readonly extra?: ExtraCells;
  readonly backend: string;
  /** Places in a line. */
  readonly width: number;
  readonly quantization?: Quantization;
  readonly warnings: readonly string[];
  /** How answers were read, where the scores come from answers; without a full stop. */
  readonly reading?: string;
}

/** Writes the leaderboard as text: a table with interval bars over an axis, then what is resolved and what is not, in words. */
export function leaderboardText(options: LeaderboardOptions): string {
  const { inference, width } = options;
  const ordered = byRank(inference.models);
  const names = ordered.map((model) => plain(model.name));
  const head = [...rankHead(inference), 'model', 'score', `${coverageText(inference.plan.alpha)} interval`];
  const places = placesFor(ordered.flatMap(({ score, pointwise }) => [score, ...pointwise]));
  const digits = (value: number) => fixed(value, places);
  const chance = ordered.some((model) => model.chance !== null);
  const cells = ordered.map((model, k) => [
    ...rankCells(inference, model, ordered[k - 1]),
    names[k]!,
    digits(model.score),
    `${digits(model.pointwise[0])} to ${digits(model.pointwise[1])}`,
  ]);
  const beats = ordered.map(({ chance }) => (chance === null ? '' : chance.aboveChance ? 'yes' : 'no'));
  const at = head.indexOf('model');
  const taken = head.reduce(
    (sum, title, i) => {
      const own = cells.reduce((most, row) => Math.max(most, columnsOf(row[i]!)), columnsOf(title.split('\n').at(-1)!));
      return sum + 2 + (i === at ? Math.min(own, BAR.name) : own);
    },
    chance ? 8 : 0,
  );
  const room = Math.min(BAR.most, width - taken);
  const bars = room < BAR.least ? null : barsOf(ordered, room, digits);
  const marks = (k: number) =>
    bars === null
      ? []
      : [
          bars.bar(
            [
              { range: ordered[k]!.simultaneous, mark: '─' },
              { range: ordered[k]!.pointwise, mark: '━' },
            ],
            ordered[k]!.score,
          ),
        ];
  const rows = cells.map((row, k) => [...row, ...marks(k), ...(chance ? [beats[k]!] : [])]);
  const blank = head.map(() => '');
  for (const line of bars?.axis ?? []) rows.push([...blank, line, ...(chance ? [''] : [])]);
  const text = tableText({
    head: [...head, ...(bars === null ? [] : ['']), ...(chance ? ['above\nchance'] : [])],
    ...{ rows, width },
    right: [...head.map((title) => title !== 'model' && title !== 'letters'), false, false],
    cut: [...head.map((title) => title === 'model' || title === 'letters'), false, false],
  });
  const short = new Map(cutNames(names, NAMED).map((name, k) => [ordered[k]!.index, name]));
  const said = words(options, ordered, (model) => short.get(model.index)!);
  return [text, '', ...said.map((line) => wrapped(line, Math.min(width, textWidth)))].join('\n');
}

/** Bars of all models on the axis that their simultaneous intervals need. */
function barsOf(models: readonly ModelResult[], width: number, label: (value: number) => string): IntervalBars {
  const low = Math.min(...models.map((model) => model.simultaneous[0]));
  const high = Math.max(...models.map((model) => model.simultaneous[1]));
  return intervalBars({ low, high, width, label });
}

function rankHead({ plan, models }: Inference): string[] {
  if (isFrozen(plan)) return ['group', 'rank', 'ranks'];
  return ['rank', 'ranks\nallowed', ...(models.some(({ letters }) => letters !== null) ? ['letters'] : [])];
}

function rankCells({ plan, models }: Inference, model: ModelResult, before: ModelResult | undefined): string[] {
  if (isFrozen(plan)) {
    const group = String(model.group);
    const opens = before?.group !== model.group;
    return [
      opens ? colour.bold(group) : colour.dim(group),
      String(model.rank),
      `${model.rankInterval[0]}-${model.rankInterval[1]}`,
    ];
  }
  const lettered = models.some(({ letters }) => letters !== null);
  return [rankText(model), rangeText(model.rankSet), ...(lettered ? [model.letters ?? ''] : [])];
}

function words(
  { inference, extra, backend, quantization, warnings, reading }: LeaderboardOptions,
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
  if (reading !== undefined) lines.push(`${reading[0]!.toUpperCase()}${reading.slice(1)}.`);
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
