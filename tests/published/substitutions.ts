import { Command } from 'commander';
import { it } from 'vitest';
import { substitutionCheck } from '../../src/analyses/substitutions/check.js';
import { register } from '../../src/cli/commands/sensitivity.js';
import { ASSETS } from '../../src/environment/assets.js';
import { holm } from '../../src/inference/p-values.js';
import { sharedCheckpoint } from '../support/checkpoint.js';
import { CHECKPOINTS, type Document } from './inputs.js';
import type { PublishedValues } from './values.js';

/** The substitution check, without the observed substitutions. */
export function substitutionValues(published: PublishedValues, analysis: (name: string) => Document): void {
  it('substitutions: the plan, the files by digest, chance in a vocabulary of 1,790', async () => {
    const { seed, plan } = analysis('substitutions');
    published.constant(Number(seed), 'substitution.seed');
    published.constant(plan.draws, 'substitution.replicates');
    for (const part of ['train', 'test']) {
      const asset = ASSETS.find(({ id }) => id === `recipe1msubs/${part}`);
      published.constant(asset?.sha256, `substitution.${part}_sha256`);
    }
    const program = new Command();
    register(program);
    const command = program.commands[0]?.commands.find((c) => c.name() === 'substitutions');
    const least = command?.options.find(({ long }) => long === '--min-group')?.defaultValue;
    published.constant(least, 'substitution.minimum_group_candidates');
    const { names } = await sharedCheckpoint('cooc');
    const { results } = substitutionCheck({
      spaces: [{ name: 'flat', names, groups: names.map(() => 'all'), similarity: (_, b) => -b }],
      test: [[names[0]!, names[5]!]],
      train: [],
      minGroup: least,
      draws: 10,
      alpha: 0.05,
      random: { kind: 'philox', seed: 1n },
    });
    const { mean_reciprocal_rank: mrr, ...hits } = results[0]!.vocabulary.chance;
    for (const [key, chance] of Object.entries({ mrr, ...hits })) {
      published.near(chance, `substitution.analytic_chance.${key}`, 'inputs', 1e-14);
    }
  });

  it('substitutions: seeds, rates, Holm and counts that follow from the published ones', () => {
    const at = (key: string) => published.at(`substitution.${key}`);
    const near = (found: number | undefined, key: string) =>
      published.near(found, `substitution.${key}`, 'values', 1e-15);
    near(at('coverage.mapped_test_events') / at('coverage.raw_test_records'), 'coverage.mapped_test_event_rate');
    near(
      at('coverage.novel_unique_pairs') / at('coverage.unique_mapped_test_pairs'),
      'coverage.novel_unique_pair_rate',
    );
    const adjusted = holm(CHECKPOINTS.map((name) => at(`${name}.p`)));
    CHECKPOINTS.forEach((name, k) => {
      near(adjusted[k], `${name}.holm_p`);
      near(at('seed') + 10 * k, `${name}.bootstrap_seed`);
      near(at('seed') + 10 * k + 1, `${name}.novel_bootstrap_seed`);
      for (const [count, key] of [
        ['unique_mapped_test_pairs', 'unique_pairs'],
        ['unique_source_ingredients', 'unique_sources'],
        ['novel_unique_pairs', 'novel_unique_pairs'],
      ])
        published.same(`substitution.coverage.${count}`, `substitution.${name}.${key}`);
    });
  });
}
