import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PORTFOLIOS } from '../src/tasks/task.js';
import { chanceOf } from '../src/tasks/task-row.js';

const RUNS = 5;
const MODELS = 27;
const TASKS = 1280;
const CELLS = MODELS * TASKS;

/** A made-up task, as task files have it. */
function taskRow(i: number): Record<string, unknown> {
  const scores = Uint16Array.from(PORTFOLIOS, (_, k) => (k === i % 56 ? 10_000 : (i * 131 + k * 977) % 9_000));
  const names = [...'ABCDEFGH'].map((label, k) => [label, `herb ${(i * 7 + k * 31) % 997} of kind ${k}`] as const);
  return {
    task_id: `task-${i}`,
    family: ['substitution', 'pairing', 'constraint', 'cultural_composition'][i % 4],
    panel: `panel_${(i % 2) + 1}`,
    anchor_ingredient: `anchor ${i}`,
    validation_stratum: 1 + (i % 4),
    choices: Object.fromEntries(names),
    prompt: `Task ${i}. Choose three for the made-up dish.\n\n${names.map((name) => name.join('. ')).join('\n')}`,
    selection_scores_bps: Object.fromEntries(PORTFOLIOS.map((key, k) => [key, scores[k]])),
    optimal_selection: PORTFOLIOS[i % 56],
    chance_score_bps: chanceOf(scores),
  };
}

/** Writes 1,280 tasks and a plan that asks 27 simulated models; returns the plan's path. */
function writePlan(folder: string): string {
  const rows = Array.from({ length: TASKS }, (_, i) => `${JSON.stringify(taskRow(i))}\n`);
  writeFileSync(join(folder, 'tasks.jsonl'), rows.join(''));
  const plan = join(folder, 'plan.json');
  const models = Array.from({ length: MODELS }, (_, m) => ({
    id: `simulated/model-${m + 1}`,
    transport: 'simulated',
    skill: m / MODELS,
    concurrency: 64,
  }));
  const document = {
    schema: 'flavourbench-plan/1',
    name: 'resume',
    task_sets: [{ path: 'tasks.jsonl' }],
    budget: { usd: '0' },
    concurrency: { global: 256 },
    models,
  };
  writeFileSync(plan, JSON.stringify(document));
  return plan;
}

/**
 * A collection of 34,560 cells that was stopped a few cells before its end, and is resumed for one cell more: the whole command,
 * Node's start included. What it does before the first request is more than nine tenths of that.
 */
export function measure(): { name: string; value: number; unit: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-resume-'));
  const plan = writePlan(folder);
  const collect = (limit: number): number => {
    const args = ['dist/bundle/run.cjs', 'collect', plan, '--ledger', join(folder, 'ledger'), '--limit', String(limit)];
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return performance.now() - start;
  };
  try {
    collect(CELLS - RUNS - 1);
    collect(1);
    const times = Array.from({ length: RUNS }, () => collect(1)).sort((a, b) => a - b);
    return [{ name: '34,560 cells resumed, one of them asked', value: times[RUNS >> 1]!, unit: 'ms' }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
