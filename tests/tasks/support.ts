import { PORTFOLIOS } from '../../src/tasks/task.js';

/** A well-formed task row of a made-up task; the map climbs by 100 from the first portfolio to the last but one. */
export function taskRow(id: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  const scores = Object.fromEntries(PORTFOLIOS.map((key, i) => [key, i === 55 ? 10_000 : i * 100]));
  const sum = Object.values(scores).reduce((total, score) => total + score, 0);
  return {
    task_id: id,
    family: 'substitution',
    anchor_ingredient: `anchor_${id}`,
    choices: {
      A: 'oat',
      B: 'rye',
      C: 'rice',
      D: 'corn',
      E: 'teff',
      F: 'spelt',
      G: 'millet',
      H: 'barley',
    },
    prompt: `Pick three grains for ${id}.`,
    selection_scores_bps: scores,
    optimal_selection: 'FGH',
    chance_score_bps: Math.round(sum / 56),
    ...extra,
  };
}
