import { expect, it } from 'vitest';
import { filterComparison } from '../../src/analyses/filter/comparison.js';
import { PROPERTIES } from '../../src/analyses/filter/property.js';
import { holm } from '../../src/inference/p-values.js';
import { FAMILIES, PANELS } from '../support/golden-pool.js';
import type { Document, PublicInputs } from './inputs.js';
import type { PublishedValues } from './values.js';

const name = (characteristic: string) =>
  ({ category: 'category_tv', reference_model_mean_score: 'reference_26_model_mean_score' })[characteristic] ??
  characteristic;

const GATE = 'robustness.validity_gate.panel_1.pairing';
const inGate = ({ panel, family }: { panel: string; family: string }) => panel === 'panel_1' && family === 'pairing';

/** Selected against left-out tasks. */
export function selectionValues(
  published: PublishedValues,
  inputs: PublicInputs,
  analysis: (name: string) => Document,
): void {
  const strata = PANELS.flatMap((panel) => FAMILIES.map((family) => `${panel}.${family}`));

  it('selected tasks: 36 of the 42 comparisons, which need no answer', () => {
    const { files, core } = inputs;
    const candidates = [...files.byId.values()].filter(({ family }) => FAMILIES.includes(family));
    const { seed, plan } = analysis('filter');
    published.constant(Number(seed), 'robustness.random_subset_seed');
    published.constant(plan.draws, 'robustness.random_subset_draws_per_stratum');
    // Scores that nobody published stand for those of the models: any of them will do, but for the mean scores of the models.
    const compared = (draws: number, leftOut: number) =>
      filterComparison({
        pool: {
          models: ['gate', 'other'],
          tasks: candidates,
          // As many tasks of this stratum were valid for Fable as were selected, and all that were selected are valid: the same.
          valid: Uint8Array.from([
            ...candidates.map((task) => (inGate(task) && !core.ids.includes(task.id) ? 0 : 1)),
            ...candidates.map(() => 1),
          ]),
          scores: Float64Array.from({ length: 2 * candidates.length }, (_, i) => {
            const own = core.ids.includes(candidates[i % candidates.length]!.id);
            return (i * (own ? 7919 : leftOut)) % 10_000;
          }),
        },
        maps: candidates.map(({ scores }) => scores),
        chance: candidates.map(({ chance }) => chance),
        margin: candidates.map(({ margin }) => margin),
        selected: new Set(core.ids),
        gateModel: 'gate',
        panels: PANELS,
        families: FAMILIES,
        draws,
        alpha: 0.05,
        random: { kind: 'numpy', seed: BigInt(seed) },
      });
    const found = compared(plan.draws, 7919);
    const checked = found.comparisons.filter((row) => row.characteristic !== PROPERTIES[5]);
    expect(checked).toHaveLength(36);
    for (const row of checked) {
      const at = `robustness.selection.${row.panel}.${row.family}.${name(row.characteristic)}`;
      published.equal(row.p, `${at}.p`);
      if (row.characteristic === 'category') {
        published.near(row.total_variation, `${at}.total_variation`);
        continue;
      }
      published.near(row.standardized_difference, `${at}.standardized_difference`);
      published.near(row.selected_mean, `${at}.selected_mean`);
      published.near(row.other_mean, `${at}.not_selected_mean`);
    }
    published.near(found.largest_total_variation, 'robustness.maximum_category_total_variation');
    expect(published.at(`${GATE}.fable_valid_tasks`)).toBe(core.strata[0]!.ids.length);
    expect(found.validity_gate.map(({ panel, family }) => `${panel}.${family}`)).toEqual(
      Array(6).fill('panel_1.pairing'),
    );
    // Two sets of answers that agree in all that is public, and not in the two values that are not worked out here.
    const means = [found, compared(1, 104_729)].map(
      ({ validity_gate }) => validity_gate.find((row) => row.property === PROPERTIES[5])!,
    );
    expect(means[0]!.valid_mean).toBe(means[1]!.valid_mean);
    expect(means[0]!.invalid_mean).not.toBe(means[1]!.invalid_mean);
    expect(means[0]!.standardized_difference).not.toBe(means[1]!.standardized_difference);
    for (const row of found.validity_gate) {
      const at = `${GATE}.${name(row.property)}`;
      const selected = found.comparisons.find(
        ({ panel, family, characteristic }) =>
          panel === row.panel && family === row.family && characteristic === row.property,
      )!;
      const both = [row.valid_mean, row.invalid_mean, row.standardized_difference];
      expect(both).toEqual([selected.selected_mean, selected.other_mean, selected.standardized_difference]);
      const keys = ['valid_mean', 'invalid_mean', 'standardized_difference'];
      if (row.property === PROPERTIES[5]) {
        // Of both panels the board states the mean; of the other one the mean over its selected tasks is published.
        const others = inputs.models.filter(({ model_id }) => model_id !== 'anthropic/claude-fable-5');
        const both = others.reduce((sum, { family_scores }) => sum + family_scores.pairing!, 0) / others.length;
        const elsewhere = published.at(`robustness.selection.panel_2.pairing.${name(row.property)}.selected_mean`);
        published.near(2 * both - elsewhere, `${at}.valid_mean`, 'values', 1e-12);
        const other = `robustness.selection.panel_1.pairing.${name(row.property)}`;
        for (const [i, key] of ['not_selected_mean', 'standardized_difference'].entries())
          published.same(`${other}.${key}`, `${at}.${keys[i + 1]}`);
      } else for (const [i, key] of keys.entries()) published.near(both[i], `${at}.${key}`, 'values');
    }
  });

  it('selected tasks: Holm over all 42 published p-values, and the largest differences', () => {
    const rows = strata.flatMap((stratum) =>
      [...PROPERTIES, 'category'].map((row) => `robustness.selection.${stratum}.${name(row)}`),
    );
    const adjusted = holm(rows.map((row) => published.at(`${row}.p`)));
    rows.forEach((row, i) => {
      published.near(adjusted[i], `${row}.holm_p`, 'values');
    });
    published.equal(rows.length, 'robustness.random_subset_hypotheses', 'values');
    published.equal(
      adjusted.filter((p) => p < 0.05).length,
      'robustness.random_subset_holm_resolved_characteristics',
      'values',
    );
    const largest = (part: string, allowed: (stratum: string) => boolean) =>
      Math.max(
        ...strata.filter(allowed).flatMap((stratum) =>
          PROPERTIES.map((property) => {
            const at = `robustness.${part}.${stratum}.${name(property)}`;
            return Math.abs(published.at(`${at}.standardized_difference`));
          }),
        ),
      );
    const all = 'maximum_absolute_validity_gate_standardized_difference';
    const big = (stratum: string) =>
      ['valid', 'invalid'].every(
        (side) => published.at(`robustness.validity_gate.${stratum}.fable_${side}_tasks`) >= 10,
      );
    for (const [key, part, allowed] of [
      ['maximum_absolute_selected_standardized_difference', 'selection', () => true],
      [all, 'validity_gate', () => true],
      [`${all}_minimum_10_tasks_per_group`, 'validity_gate', big],
    ] as const) {
      published.near(largest(part, allowed), `robustness.${key}`, 'values');
    }
  });
}
