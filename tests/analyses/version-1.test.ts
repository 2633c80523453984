import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statedOptions } from '../../src/analyses/declared-options.js';
import { analysisOfSchema } from '../../src/analyses/list.js';
import { openInputs } from '../../src/cli/analysis-inputs.js';
import { canonicalJson } from '../../src/io/canonical.js';

const FOLDER = 'fixtures/version-1/sensitivity';
const files = readdirSync(FOLDER);
const small = { responses: ['fixtures/responses-small.jsonl'], tasks: ['fixtures/tasks-small.json'] };

describe('documents of version 1', () => {
  it('of five checks are at hand', () => {
    expect(files).toEqual([
      'generalizability.json',
      'metrics.json',
      'precision-numpy.json',
      'precision.json',
      'weights.json',
    ]);
  });

  it.each(files)('%s is read, and made again to the last digit by the rules that it was made by', async (name) => {
    const document = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
    expect(document.schema).toMatch(/\/1$/);
    const analysis = analysisOfSchema(document.schema)!;
    const plan = analysis.schema.plan.parse(document.plan);
    const read = analysis.schema.results.parse(document.results);
    const call = { plan, rng: document.rng, seed: document.seed === null ? null : BigInt(document.seed) };
    const opened = openInputs(small);
    const outcome = await analysis
      .run(opened.inputs, { alpha: 0.05, ...statedOptions(analysis.options, call) })
      .finally(() => opened.close());
    expect(canonicalJson(outcome.results)).toBe(canonicalJson(document.results));
    expect(analysis.words({ plan, results: read, models: outcome.models })).toBeTruthy();
  });
});
