import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderKey } from '../../src/io/digest.js';
import { PORTFOLIOS } from '../../src/tasks/task.js';
import { roundHalfEven } from '../../src/util/round.js';

const FAMILIES = ['substitution', 'pairing', 'constraint', 'cultural_composition'];

/** Made-up task rows in the released form: hashed scores, eight hashed names, a prompt that lists the candidates. */
export function taskRows(count: number, panel = 'panel_1'): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, i) => {
    const id = `${panel}-task-${String(i).padStart(4, '0')}`;
    const choices = Object.fromEntries(
      [...'ABCDEFGH'].map((label) => [label, `herb_${orderKey(id, label).slice(0, 6)}`]),
    );
    const best = Number.parseInt(orderKey(id, 'best').slice(0, 6), 16) % PORTFOLIOS.length;
    const scores = PORTFOLIOS.map((key, at) =>
      at === best ? 10_000 : Number.parseInt(orderKey(id, key).slice(0, 6), 16) % 9_000,
    );
    const names = Object.entries(choices).map(([label, name]) => `${label}. ${name}`);
    return {
      task_id: id,
      family: FAMILIES[i % FAMILIES.length],
      panel,
      anchor_ingredient: `anchor_${panel}_${i}`,
      validation_stratum: 1 + (i % 4),
      choices,
      prompt: `Task ${id}. Choose three for the made-up dish number ${i}.\n\nCandidates:\n${names.join('\n')}\n\nChoose exactly 3.`,
      selection_scores_bps: Object.fromEntries(PORTFOLIOS.map((key, at) => [key, scores[at]])),
      optimal_selection: PORTFOLIOS[best],
      chance_score_bps: roundHalfEven(scores.reduce((a, b) => a + b, 0) / scores.length),
    };
  });
}

/** Writes task rows, one a line, and returns the path. */
export function writeTasks(folder: string, count: number, panel = 'panel_1'): string {
  const path = join(folder, `${panel}.jsonl`);
  writeFileSync(
    path,
    taskRows(count, panel)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );
  return path;
}

/** Writes a plan as JSON and returns its path. */
export function writePlan(folder: string, plan: Record<string, unknown>, name = 'plan.json'): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ schema: 'flavourbench-plan/1', name: 'test', ...plan }, null, 1));
  return path;
}
