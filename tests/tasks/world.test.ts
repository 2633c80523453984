import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referenceMapKernels } from '../../src/engine/reference/maps.js';
import { similarity } from '../../src/environment/similarity.js';
import { readWorld, type World } from '../../src/environment/world.js';
import { type PyValue, pyStored } from '../../src/io/pyjson.js';
import { compileWorld, explainWorldAnchor } from '../../src/tasks/compile/world-source.js';
import { readTaskSet, verifyTaskFile } from '../../src/tasks/task-files.js';
import { roundHalfEven } from '../../src/util/round.js';
import { freshFolder } from '../support/folders.js';

const folder = freshFolder();
const packing = 'fixtures/worlds/packing.json';
const write = (name: string, value: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};
const compiled = (world: World, seed = 'test') => compileWorld({ world, kernels: referenceMapKernels, seed });

/** Utility of a portfolio straight from the definitions in docs/environments.md; null when it is not feasible. */
function utility(world: World, familyId: string, anchor: string, names: readonly string[]): number | null {
  const { items, families, synergy = [] } = world.document;
  const family = families.find(({ id }) => id === familyId)!;
  const rows = names.map((name) => items.findIndex((item) => item.name === name));
  const { constraint, utility: weights } = family;
  for (const row of rows) {
    const { terms } = items[row]!;
    const limit = constraint?.at_most.weight_g;
    if (limit !== undefined && !(terms.weight_g! <= limit)) return null;
  }
  if (family.distinct_categories && new Set(rows.map((row) => items[row]!.category)).size < rows.length) return null;
  const at = items.findIndex((item) => item.name === anchor);
  const own = { ...weights.terms, ...family.contexts?.find(({ name }) => name === anchor)?.terms };
  const single = (row: number) =>
    weights.similarity * (at < 0 ? 0 : similarity(world.environment, at, row)) +
    weights.value * Object.entries(own).reduce((sum, [term, c]) => sum + c * (items[row]!.terms[term] ?? 0), 0);
  const pair = (a: number, b: number) => {
    const both = [items[a]!.name, items[b]!.name];
    const stated = synergy.find(([x, y]) => both.includes(x) && both.includes(y) && x !== y)?.[2] ?? 0;
    return weights.coherence * similarity(world.environment, a, b) + weights.synergy * stated;
  };
  const [a, b, c] = rows as [number, number, number];
  return (single(a) + single(b) + single(c)) / 3 + (pair(a, b) + pair(a, c) + pair(b, c)) / 3;
}

describe('the packing world', () => {
  const world = readWorld(packing);
  const { document } = compiled(world);

  it('compiles into a task set that verifies and reads like any other', () => {
    const path = write('packing.json', pyStored(document as unknown as PyValue));
    expect(verifyTaskFile(path).tasks).toHaveLength(36);
    const { tasks } = readTaskSet(path);
    expect([...new Set(tasks.map(({ family }) => family))]).toEqual(['replacement', 'trip', 'light_addition']);
    expect(new Set(tasks.map(({ anchor }) => anchor)).size).toBe(36);
  });

  it('scores every portfolio as the file defines it, to a basis point of rounding', () => {
    for (const task of document.tasks) {
      const keys = Object.keys(task.selection_scores_bps);
      const values = keys.map((key) =>
        utility(
          world,
          task.family,
          task.anchor_ingredient,
          [...key].map((label) => task.choices[label]!),
        ),
      );
      const feasible = values.filter((value) => value !== null);
      const [low, high] = [Math.min(...feasible), Math.max(...feasible)];
      keys.forEach((key, i) => {
        const value = values[i] ?? null;
        const expected = value === null ? 0 : roundHalfEven((10_000 * (value - low)) / (high - low));
        expect(Math.abs(task.selection_scores_bps[key]! - expected)).toBeLessThanOrEqual(1);
        if (value === null) expect(task.selection_scores_bps[key]).toBe(0);
      });
      expect(Object.values(task.selection_scores_bps).filter((score) => score === 10_000)).toHaveLength(1);
    }
  });

  it('gives choices that fit the family: constraint, anchor and words', () => {
    const byName = new Map(world.document.items.map((item) => [item.name, item]));
    for (const task of document.tasks) {
      const choices = Object.values(task.choices).map((name) => byName.get(name)!);
      const words = new Set(task.anchor_ingredient.split('_'));
      if (task.family !== 'trip')
        for (const { name } of choices) expect(name.split('_').some((word) => words.has(word))).toBe(false);
      if (task.family === 'light_addition') {
        expect(choices.filter(({ terms }) => terms.weight_g! <= 150)).toHaveLength(6);
        for (const { category } of choices) expect(category).not.toBe(byName.get(task.anchor_ingredient)!.category);
      }
    }
  });

  it('is the same again under the same seed', () => {
    expect(compiled(world).document.artifact_sha256).toBe(document.artifact_sha256);
    expect(compiled(world, 'other').document.artifact_sha256).not.toBe(document.artifact_sha256);
  });

  it('asks in its own words, and shows no answer', () => {
    const trip = document.tasks.find(({ family }) => family === 'trip')!;
    const context = world.document.families[1]!.contexts!.find(({ name }) => name === trip.anchor_ingredient)!;
    expect(trip.prompt).toContain(`The trip is ${context.text}. Which three things`);
    for (const { prompt } of document.tasks) expect(prompt).not.toMatch(/FINAL_SELECTION\s*:\s*[A-H],/);
  });
});

describe('explaining an anchor of a world', () => {
  const world = readWorld(packing);
  const run = compiled(world);
  const explain = (anchor: string, from: typeof run | null = run) =>
    explainWorldAnchor({ world, kernels: referenceMapKernels, anchor, compiled: from });

  it('says for every family what became of it', () => {
    const [task] = run.document.tasks;
    expect(explain(task!.anchor_ingredient)[0]).toMatchObject({
      family: 'replacement',
      outcome: 'selected',
      stratum: 1,
      choices: expect.arrayContaining(Object.values(task!.choices)),
    });
    expect(explain('alpine_pass', null)).toMatchObject([{ family: 'trip', outcome: 'candidate' }]);
  });

  it('gives the rule that turned an anchor down, and refuses a name that is no item', () => {
    const [lost] = run.families[2]!.rejections;
    expect(explain(lost!.anchor).at(-1)).toMatchObject({
      family: 'light_addition',
      outcome: lost!.rule,
      detail: lost!.detail,
    });
    expect(() => explain('umbrella')).toThrow(/no item and no context "umbrella"/);
  });
});

describe('worlds of other sizes', () => {
  const raw = JSON.parse(readFileSync(packing, 'utf8'));
  const changed = (change: object) => readWorld(write('changed.json', { ...raw, ...change }));

  it.each([
    [5, 2, 10],
    [4, 1, 4],
    [12, 4, 495],
    [16, 3, 560],
  ])('have tasks of %i choices, %i of them to choose', (choices, select, keys) => {
    const families = raw.families.slice(0, 1);
    const { document } = compiled(changed({ choices, select, families }));
    for (const task of document.tasks) {
      expect(Object.keys(task.choices)).toHaveLength(choices);
      expect(Object.keys(task.selection_scores_bps)).toHaveLength(keys);
      expect(task.selection_scores_bps[task.optimal_selection]).toBe(10_000);
      expect(task.optimal_selection).toHaveLength(select);
    }
  });

  it('are refused with the rule that left nothing, or with how many were missing', () => {
    const strict = { ...raw.families[2], constraint: { at_most: { weight_g: 1 }, valid: 6 } };
    expect(() => compiled(changed({ families: [strict] }))).toThrow(
      expect.objectContaining({
        code: 'POOL_EMPTY',
        hint: expect.stringMatching(/0 items meet the constraint .*constraint_pool/),
      }),
    );
    expect(() => compiled(changed({ tasks_per_stratum: 30 }))).toThrow(/replacement, stratum 1: \d+ of 30 tasks/);
  });
});
