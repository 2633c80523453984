import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analysisOfSchema } from '../../src/analyses/list.js';
import { auditRanks } from '../../src/analyses/rank-audit/audit.js';
import { createEngine } from '../../src/engine/node.js';
import { readStatedPlan } from '../../src/inference/plan.js';
import { readMatrix } from '../../src/scores/matrix-file.js';

const document = (name: string) => JSON.parse(readFileSync(`fixtures/version-1/${name}.json`, 'utf8'));

describe('documents of analyses that version 0.1.0 wrote', () => {
  it.each([
    [
      'rank-audit',
      'claims 2 steps; the data support 0 of them. 0 of 3 pairs can be told apart',
      'Bands are tie groups',
    ],
    [
      'power',
      'needs 151 tasks for the median pair, 172 tasks for the hardest',
      'How many pairs more tasks would resolve',
    ],
    [
      'coverage',
      'Over 20 data sets drawn from a world like this one',
      'Do intervals cover and tests hold their level?',
    ],
  ])('%s is read, worded and drawn', async (name, said, drawn) => {
    const old = document(name);
    expect(old).toMatchObject({ schema: `flavourbench-${name}/1`, run: { version: '0.1.0' } });
    const analysis = analysisOfSchema(old.schema)!;
    expect(analysis.name).toBe(name);
    const outcome = {
      plan: analysis.schema.plan.parse(old.plan),
      results: analysis.schema.results.parse(old.results),
      models: [],
    };
    expect(analysis.words(outcome)).toContain(said);
    expect(analysis.words(outcome)).not.toMatch(/undefined|NaN|null/);
    expect(analysis.columns(outcome).length).toBeGreaterThan(0);
    for (const theme of ['light', 'dark'] as const) {
      const svg = await analysis.draw(outcome, { theme, size: 'screen' });
      expect(svg).toContain(drawn);
      expect(svg).not.toMatch(/undefined|NaN/);
    }
  });

  it('the audit of an order comes out again, value by value, by its plan', async () => {
    const old = document('rank-audit');
    const path = 'fixtures/cases/ranks/same.csv';
    const { matrix } = await readMatrix(readFileSync(path), { file: path, scale: 1 });
    const engine = await createEngine({ backend: 'reference' });
    const plan = readStatedPlan(old.plan, 'rank-audit.json');
    const { audit } = await auditRanks({ matrix, plan, engine }).finally(() => engine.close());
    const { source, readings, tasks_dropped, quantization, ...results } = old.results;
    expect([source, readings, tasks_dropped, quantization]).toEqual(['matrix', [], 0, null]);
    expect(audit).toEqual(results);
  });

  it.each([
    ['against', 0],
    ['margin', 'x'],
    ['draws', 'x'],
  ])('are refused at the field where a plan states %s as %j', (field, value) => {
    const { plan } = document('rank-audit');
    expect(() => readStatedPlan({ ...plan, [field]: value }, 'rank-audit.json')).toThrow(/rank-audit\.json: plan/);
  });
});
