import { describe, expect, it } from 'vitest';
import { contrast } from '../../src/analyses/contrast/contrast.js';
import { optionName, RNG, SEED, statedOptions } from '../../src/analyses/declared-options.js';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { ANALYSES, ANALYSIS_FIGURES, ANALYSIS_TABLES, analysisOfSchema, SENSITIVITY } from '../../src/analyses/list.js';
import { createEngine } from '../../src/engine/index.js';
import { canonicalJson } from '../../src/io/canonical.js';
import { filledDocument } from '../support/filled-document.js';
import { smallMatrix } from '../support/small-matrix.js';

const repeated = (names: readonly (string | number)[]) => names.filter((name, i) => names.indexOf(name) !== i);

describe('the list of analyses', () => {
  it('names each analysis, schema, figure and table once', () => {
    expect(repeated(ANALYSES.map(({ name }) => name))).toEqual([]);
    expect(repeated(ANALYSES.map(({ schema }) => schema.id))).toEqual([]);
    for (const entries of [ANALYSIS_FIGURES, ANALYSIS_TABLES]) {
      expect(repeated(entries.map(({ name }) => name))).toEqual([]);
      expect(repeated(entries.map(({ number }) => number))).toEqual([]);
    }
    for (const { options } of ANALYSES) expect(repeated(options.map(optionName))).toEqual([]);
    expect(analysisOfSchema('flavourbench-power/1')?.name).toBe('power');
    expect(analysisOfSchema('flavourbench-power/2')?.name).toBe('power');
    expect(analysisOfSchema('flavourbench-power/3')).toBeUndefined();
  });

  it('gives an option that several checks of `sensitivity` take one meaning', () => {
    const byFlags = new Map<string, unknown>();
    for (const { options } of SENSITIVITY)
      for (const option of options) {
        expect(byFlags.get(option.flags) ?? option).toBe(option);
        byFlags.set(option.flags, option);
      }
  });

  it('reads from a document what the analysis wrote into it', async () => {
    const rows = [0, 1, 2].map((m) => Array.from({ length: 12 }, (_, t) => 100 * ((5 * m + 7 * t) % 11)));
    const families = rows[0]!.map((_, t) => ['substitution', 'pairing', 'constraint'][t % 3]!);
    const engine = await createEngine();
    const matrix = smallMatrix({ rows, families });
    const inputs: Partial<AnalysisInputs> = {
      matrix: async () => matrix,
      familyMeans: async () => ({ matrix, stated: false }),
      matrixWarnings: async () => [],
      resolved: async () => [[0, 1]],
      audited: async () => ({ matrix, dropped: 0, warnings: [], readings: [], kind: 'matrix' }),
      engine: async () => engine,
    };
    const options = {
      ...{
        rng: 'philox',
        alpha: 0.05,
        draws: 40,
        sizes: [6],
        target: 0.9,
        simulation: true,
        difference: 1,
        power: 0.8,
      },
      ...{ strata: 'family', scheme: 'joint', datasets: 4, flips: 200 },
    };
    for (const analysis of ANALYSES) {
      if (!analysis.needs.inputs.every((name) => name in inputs)) continue;
      const outcome = await analysis.run(inputs as AnalysisInputs, options);
      const { plan, results } = JSON.parse(canonicalJson({ plan: outcome.plan, results: outcome.results }));
      expect({ name: analysis.name, plan: analysis.schema.plan.parse(plan) }).toEqual({ name: analysis.name, plan });
      expect({ name: analysis.name, results: analysis.schema.results.parse(results) }).toEqual({
        name: analysis.name,
        results,
      });
      const read = { plan, results, models: outcome.models };
      expect(analysis.words(read)).toBe(analysis.words(outcome));
      expect(analysis.columns(read)).toEqual(analysis.columns(outcome));
    }
    await engine.close();
  });

  it('tells the options of a call from its document', () => {
    const options = [RNG, SEED, { flags: '--min-group <n>', help: '', kind: 'count', default: 20 } as const];
    const stated = { plan: { min_group: 7 }, rng: 'numpy-pcg64/1', seed: 5n };
    expect(statedOptions(options, stated)).toEqual({ rng: 'numpy', seed: 5n, minGroup: 7 });
    expect(statedOptions(options, { plan: {}, rng: null, seed: null })).toEqual({ rng: 'philox', minGroup: 20 });
  });

  it('has a table of the effects of a study on single tasks', () => {
    const task = { task_id: 't', anchor: 'a', family: 'pairing', panel: 'p', base: null, control: 1, treatment: 3 };
    const { plan, results } = filledDocument(contrast.schema.id, { per_task: [{ ...task, difference: 2 }] });
    const outcome = { plan, results, models: [] } as unknown as Parameters<typeof contrast.columns>[0];
    expect(contrast.columns(outcome).map(({ name, values }) => [name, values[0]])).toEqual([
      ...Object.entries(task),
      ['difference', 2],
    ]);
  });
});
