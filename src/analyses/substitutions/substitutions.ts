import { z } from 'zod';
import { columnsOf } from '../../io/arrow.js';
import type { TextTable } from '../../io/text-table.js';
import { coverageText } from '../../util/format.js';
import { intervalField, rngField } from '../agreement.js';
import { type Analysis, percent, type ReleasedOutcomes, type ReleaseFigure, three } from '../analysis.js';
import { ALPHA, DRAWS, RNG, randomOf, type SampledOptions, SEED, streamOf } from '../declared-options.js';
import { type SubstitutionCoverage, type SubstitutionResult, substitutionCheck, substitutionRows } from './check.js';
import { SUBSTITUTION_STREAMS } from './estimate.js';

interface SubstitutionsPlan {
  readonly environments: readonly { readonly name: string; readonly sha256: string }[];
  readonly draws: number;
  readonly min_group: number;
  readonly alpha: number;
  readonly rng: 'philox' | 'numpy';
}

interface SubstitutionsResults {
  readonly coverage: SubstitutionCoverage;
  readonly spaces: readonly SubstitutionResult[];
}

interface SubstitutionsOptions extends SampledOptions {
  readonly alpha: number;
  readonly minGroup: number;
}

const SEED_PUBLISHED = 20_260_826n;
const DRAWS_PUBLISHED = 50_000;

const substitutionsFigure: ReleaseFigure = {
  number: 11,
  name: 'substitutions',
  title: 'Observed substitutions',
  needs: 'the substitutions analysis',
  data(outcomes) {
    const [found] = outcomes.of(substitutions);
    if (found === undefined) return null;
    return {
      header: ['space', 'pairs', 'count', 'percentile', 'low', 'high'],
      rows: substitutionRows(found.results.spaces).flatMap(({ space, novel, ...all }) => [
        [space, 'all', all.pairs, all.percentile, all.low, all.high],
        ...(novel === null ? [] : [[space, 'novel', novel.pairs, novel.percentile, '', '']]),
      ]),
    };
  },
  draw: async (outcomes, options) => substitutions.draw(outcomes.of(substitutions)[0]!, options),
};

/** Observed substitutions (paper table 6). */
function substitutionsTable(outcomes: ReleasedOutcomes): TextTable | null {
  const [found] = outcomes.of(substitutions);
  if (found === undefined) return null;
  return {
    name: 'substitutions',
    caption: 'Observed substitutes among candidates of their food group; novel pairs were not in the training part.',
    columns: [
      { title: 'Checkpoint', align: 'left' },
      { title: `Percentile [${coverageText(0.05)} CI]`, align: 'centre' },
      { title: 'Novel pairs', align: 'right' },
      { title: 'Hit@10', align: 'right' },
    ],
    rows: substitutionRows(found.results.spaces).map((row) => [
      row.space,
      `${three(row.percentile)} [${three(row.low)}, ${three(row.high)}]`,
      row.novel === null ? 'none' : three(row.novel.percentile),
      three(row.hitAt10),
    ]),
  };
}

const estimate = z.object({
  pairs: z.number(),
  sources: z.number(),
  percentile: z.number(),
  interval: intervalField,
  exceedances: z.number(),
  p: z.number(),
});
const hits = { mean_reciprocal_rank: z.number(), hit_at_1: z.number(), hit_at_3: z.number(), hit_at_10: z.number() };

/** Does similarity agree with the substitutions that people made (analyses 8)? */
export const substitutions: Analysis<SubstitutionsPlan, SubstitutionsResults, SubstitutionsOptions> = {
  name: 'substitutions',
  summary: 'Similarity against substitutions that people made.',
  needs: { inputs: ['environments', 'substitutions'], words: '--env, --substitutions and --substitutions-train' },
  options: [
    RNG,
    SEED,
    ALPHA,
    DRAWS,
    {
      flags: '--min-group <n>',
      help: 'substitutions: fewest candidates of a food group',
      kind: 'count',
      default: 20,
    },
  ],
  schema: {
    id: 'flavourbench-sensitivity-substitutions/1',
    plan: z.object({
      environments: z.array(z.object({ name: z.string(), sha256: z.string() })),
      draws: z.number(),
      min_group: z.number(),
      alpha: z.number(),
      rng: rngField,
    }),
    results: z.object({
      coverage: z.object({
        train_events: z.number(),
        test_events: z.number(),
        source_mapped_events: z.number(),
        target_mapped_events: z.number(),
        mapped_events: z.number(),
        unique_pairs: z.number(),
        sources: z.number(),
        targets: z.number(),
        novel_pairs: z.number(),
      }),
      spaces: z.array(
        z.object({
          space: z.string(),
          all: estimate.extend({ holm_p: z.number(), significant: z.boolean() }),
          novel: estimate.nullable(),
          candidates: z.object({ minimum: z.number(), median: z.number(), maximum: z.number() }),
          vocabulary: z.object({
            size: z.number(),
            ...hits,
            mean_rank: z.number(),
            median_rank: z.number(),
            chance: z.object(hits),
          }),
        }),
      ),
    }),
  },
  planned: { seed: SEED_PUBLISHED, defaults: { draws: () => DRAWS_PUBLISHED } },
  async run(inputs, options) {
    const environments = await inputs.environments();
    const { test, train } = await inputs.substitutions();
    const random = randomOf(options, SEED_PUBLISHED);
    const draws = options.draws ?? DRAWS_PUBLISHED;
    const { alpha, minGroup, rng } = options;
    const { coverage, results } = substitutionCheck({
      spaces: environments.map(({ space }) => space),
      test,
      train,
      minGroup,
      draws,
      alpha,
      random,
      shares: inputs.shares,
    });
    return {
      plan: {
        environments: environments.map(({ space: { name }, sha256 }) => ({ name, sha256 })),
        draws,
        min_group: minGroup,
        alpha,
        rng,
      },
      results: { coverage, spaces: results },
      models: [],
      rng,
      seed: random.seed,
      streams: {
        ...streamOf(options, 'all', SUBSTITUTION_STREAMS.all),
        ...streamOf(options, 'novel', SUBSTITUTION_STREAMS.novel),
      },
      warnings: [],
    };
  },
  columns({ results }) {
    const rows = results.spaces.flatMap(({ space, all, novel }) =>
      [
        { space, subset: 'all pairs', estimate: all },
        { space, subset: 'novel pairs', estimate: novel },
      ].flatMap(({ estimate: found, ...row }) => (found === null ? [] : [{ ...row, ...found }])),
    );
    return columnsOf(rows, {
      space: ['text', (row) => row.space],
      subset: ['text', (row) => row.subset],
      pairs: ['int32', (row) => row.pairs],
      sources: ['int32', (row) => row.sources],
      percentile: ['float64', (row) => row.percentile],
      low: ['float64', (row) => row.interval[0]],
      high: ['float64', (row) => row.interval[1]],
      p: ['float64', (row) => row.p],
    });
  },
  words: ({ results: { coverage, spaces } }) =>
    `Of ${coverage.test_events} observed replacements ${coverage.mapped_events} have both ends in the vocabulary, ${coverage.unique_pairs} distinct pairs over ${coverage.sources} sources. ${spaces.map(({ space, all, novel, vocabulary }) => `In ${space} people's targets stand at the ${three(all.percentile)} percentile of their food group (${three(all.interval[0])} to ${three(all.interval[1])}, Holm p ${all.holm_p.toPrecision(3)})${novel === null ? '' : `, ${three(novel.percentile)} for pairs not seen in training`}, and ${percent(vocabulary.hit_at_10, 1)} are among the ten nearest of the whole vocabulary, where chance gives ${percent(vocabulary.chance.hit_at_10, 2)}.`).join(' ')} ${shownBy(spaces)}; it is no test of taste, and names were matched exactly.`,
  draw: async ({ results }, options) => (await import('./figure.js')).drawSubstitutions(results.spaces, options),
  figures: [substitutionsFigure],
  tables: [{ number: 6, name: 'substitutions', needs: 'the substitutions analysis', make: substitutionsTable }],
};

/** What the tests over all pairs allow to be said. */
function shownBy(spaces: readonly SubstitutionResult[]): string {
  const agreeing = spaces.filter(({ all }) => all.significant && all.percentile > 0.5);
  const names = agreeing.map(({ space }) => space).join(', ');
  if (agreeing.length === 0) return 'It does not show that similarity agrees with what people did';
  const rest = agreeing.length === spaces.length ? '' : ', and does not show it for the others';
  return `It shows that similarity in ${names} agrees with what people did${rest}`;
}
