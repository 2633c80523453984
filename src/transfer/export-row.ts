import { type PyValue, pyFloat } from '../io/pyjson.js';
import { PORTFOLIOS, type Task } from '../tasks/task.js';
import { fail } from '../util/error.js';
import type { SplitName } from './split.js';
import type { RowTask } from './training-pool.js';

/** One line of an export, in the released row formats (compiler e.3). */
export type ExportRow = { readonly [key: string]: PyValue };

/** Smallest gap between a chosen and a rejected portfolio, basis points. */
export const PREFERENCE_GAP_BPS = 500;

/** Writes the answer line that picks a portfolio: marker, colon, blank, labels joined by commas. */
export function completionOf(portfolio: string): string {
  return `FINAL_SELECTION: ${[...portfolio].join(',')}`;
}

/** Gives the key of a task's optimum. */
export function optimumOf(task: Task): string {
  return PORTFOLIOS[task.optimal]!;
}

/** Makes a task row: every field of the source row, and where the task stands now (compiler e.3). */
export function taskRow({ row, task }: RowTask, split: SplitName): ExportRow {
  return {
    ...(row as ExportRow),
    source_panel: task.panel,
    source_split: (row.split ?? null) as PyValue,
    split,
    lab_split: split,
    official_leaderboard_eligible: false,
    official_test_anchor_overlap: false,
    official_test_task_overlap: false,
  };
}

/** Makes a task row of the supplemental track. */
export function supplementalRow(entry: RowTask, split: SplitName): ExportRow {
  return { ...taskRow(entry, split), track: `supplemental_${entry.task.family}` };
}

/** Makes a supervised row: the prompt and the optimum. */
export function sftRow({ task }: RowTask, split: SplitName): ExportRow {
  return {
    task_id: task.id,
    family: task.family,
    anchor_ingredient: task.anchor,
    prompt: task.prompt,
    completion: completionOf(optimumOf(task)),
    reward: pyFloat(1),
    optimal_margin_bps: task.margin,
    split,
  };
}

/** Makes a row for group-relative training: the prompt and the whole map. */
export function grpoRow({ row, task }: RowTask, split: SplitName): ExportRow {
  return {
    task_id: task.id,
    family: task.family,
    anchor_ingredient: task.anchor,
    prompt: task.prompt,
    choices: row.choices as PyValue,
    selection_scores_bps: row.selection_scores_bps as PyValue,
    split,
  };
}

interface Preference {
  readonly chosen: number;
  readonly rejected: number;
}

/**
 * Four preferences spread over all ordered pairs of portfolios with a gap of at least 500 basis points: the widest, two in
 * between, the narrowest (compiler e.3). Errors: SCHEMA_INVALID when a map has fewer than four such pairs.
 */
function preferencesOf(task: Task): readonly Preference[] {
  const { scores } = task;
  const score = (action: number) => scores[action]!;
  const all: Preference[] = [];
  for (let chosen = 0; chosen < scores.length; chosen += 1)
    for (let rejected = 0; rejected < scores.length; rejected += 1)
      if (score(chosen) - score(rejected) >= PREFERENCE_GAP_BPS) all.push({ chosen, rejected });
  const gap = (p: Preference) => score(p.chosen) - score(p.rejected);
  all.sort(
    (a, b) => gap(b) - gap(a) || score(b.chosen) - score(a.chosen) || a.chosen - b.chosen || a.rejected - b.rejected,
  );
  const n = all.length;
  const places = [0, Math.floor(n / 3), Math.floor((2 * n) / 3), n - 1];
  if (n < 4 || new Set(places).size < 4) {
    fail(
      'SCHEMA_INVALID',
      null,
      `task ${task.id}: ${n} portfolio pairs differ by ${PREFERENCE_GAP_BPS} basis points or more; 4 are needed`,
      'Leave the task out of the task sets.',
    );
  }
  return places.map((place) => all[place]!);
}

/** Makes the four preference rows of a task (compiler e.3). Errors: SCHEMA_INVALID where a map has too few gaps. */
export function dpoRows({ task }: RowTask, split: SplitName): ExportRow[] {
  const reward = (bps: number) => pyFloat(bps / 10_000);
  return preferencesOf(task).map(({ chosen, rejected }, i) => {
    const best = task.scores[chosen]!;
    const worst = task.scores[rejected]!;
    return {
      task_id: task.id,
      pair_id: `${task.id}-p${i + 1}`,
      family: task.family,
      anchor_ingredient: task.anchor,
      prompt: task.prompt,
      chosen: completionOf(PORTFOLIOS[chosen]!),
      rejected: completionOf(PORTFOLIOS[rejected]!),
      chosen_reward: reward(best),
      rejected_reward: reward(worst),
      reward_margin: reward(best - worst),
      split,
    };
  });
}
