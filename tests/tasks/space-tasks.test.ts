import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';
import type { Environment } from '../../src/environment/environment.js';
import { openEnvironment } from '../../src/environment/store.js';
import type { CompileDesign } from '../../src/tasks/compile/compile-design.js';
import { designFrom } from '../../src/tasks/compile/design-file.js';
import { compileTaskSet } from '../../src/tasks/compile/released-source.js';
import { storedTaskSet } from '../../src/tasks/compile/taskset-document.js';
import { type MapRow, readMapFile } from '../../src/tasks/maps-read.js';
import { rescoreMaps } from '../../src/tasks/maps-rescore.js';
import { folderWith } from '../support/environment-files.js';
import { freshFolder } from '../support/folders.js';

const CASES = './fixtures/cases/embeddings';
const kernels = openWasmMapKernels();
const open = (name: string, tags?: string) => openEnvironment({ home: freshFolder(), name, tags });
const design = designFrom(JSON.parse(readFileSync(`${CASES}/design.json`, 'utf8')), 'design.json');
const compiled = (environment: Environment, changed: Partial<CompileDesign> = {}) =>
  compileTaskSet({ environment, kernels, design: { ...design, ...changed }, seed: 's', first: null }).document;
const tagTable = (columns: string, row: (name: string, category: string) => string): string => {
  const [, ...lines] = readFileSync(`${CASES}/category-only/tags.csv`, 'utf8').trimEnd().split(/\r?\n/);
  const rows = lines.map((line) => row(...(line.split(',') as [string, string])));
  return join(folderWith({ 'tags.csv': `${columns}\n${rows.join('\n')}\n` }), 'tags.csv');
};

describe('tasks from vectors and categories alone', () => {
  it('are those of the same table with one region for all', async () => {
    const bare = compiled(await open(`${CASES}/category-only`));
    const dummy = compiled(await open(`${CASES}/dummy-region`));
    expect(bare.tasks).toHaveLength(8);
    expect(bare.task_set_sha256).toBe(dummy.task_set_sha256);
    expect(bare.tasks).toEqual(dummy.tasks);
  });

  it('are refused for families that tags cannot make, all at once and each with what is missing', async () => {
    const environment = await open(`${CASES}/category-only`);
    const families = ['substitution', 'pairing', 'constraint', 'cultural_composition'] as const;
    expect(() => compiled(environment, { families })).toThrow(
      expect.objectContaining({
        code: 'FAMILY_IMPOSSIBLE',
        message: expect.stringMatching(
          /^constraint: no eligible ingredient has a NOVA level \(column nova_level.*; cultural_composition: the environment has no direction of a cuisine \(Japanese, .*--directions FILE$/,
        ),
        hint: 'Add what is missing, or compile the others with `--only-families substitution,pairing`.',
      }),
    );
  });

  it.each<[string, Partial<CompileDesign>, string, RegExp]>([
    [
      'pairing',
      { complements: { Fruit: ['Grain'] } },
      'category',
      /pairing: no category of the tag table has a partner there: it has Spice, Fruit/,
    ],
    [
      'constraint',
      { families: ['constraint'] },
      'category,nova_level',
      /constraint: no eligible ingredient meets any of its limits: vegan, NOVA at most 2; .*\(columns is_vegan, is_vegetarian, nova_level\)/,
    ],
    [
      'substitution',
      { families: ['substitution'], substitution: { ...design.substitution, pool: 40 } },
      'category',
      /substitution: no category has 41 eligible ingredients, an anchor and 40 others \(least_pool\); the largest, Spice, has 30/,
    ],
  ])('say what %s lacks', async (_, changed, columns, message) => {
    const tags = tagTable(
      `name,${columns}`,
      (name, category) => `${name},${category}${columns.includes('nova') ? ',4' : ''}`,
    );
    const environment = await open(`${CASES}/category-only`, tags);
    expect(() => compiled(environment, changed)).toThrow(
      expect.objectContaining({ code: 'FAMILY_IMPOSSIBLE', message: expect.stringMatching(message) }),
    );
  });

  it('leave out names without tags, and say so of an anchor', async () => {
    const lines = readFileSync(`${CASES}/category-only/tags.csv`, 'utf8').trimEnd().split(/\r?\n/);
    const folder = folderWith({ 'tags.csv': `${lines.slice(0, 53).join('\n')}\n` });
    const environment = await open(`${CASES}/category-only`, join(folder, 'tags.csv'));
    const named = new Set(lines.slice(1, 53).map((line) => line.split(',')[0]));
    const { tasks } = compiled(environment);
    expect(tasks).toHaveLength(8);
    for (const { choices } of tasks) expect(Object.values(choices).every((name) => named.has(name))).toBe(true);
  });

  it('say why no name is eligible', async () => {
    const tags = tagTable('name,category', (name) => `${name},Thing`);
    const environment = await open(`${CASES}/category-only`, tags);
    expect(() => compiled(environment)).toThrow(
      expect.objectContaining({
        code: 'POOL_EMPTY',
        hint: expect.stringContaining('No ingredient is eligible: of 60 category Thing is not of the design.'),
      }),
    );
  });
});

describe('maps of tasks whose names are partly there', () => {
  let rows: readonly MapRow[];
  let whole: Environment;
  let part: Environment;
  let gone: string;
  beforeAll(async () => {
    whole = await open(`${CASES}/category-only`);
    const path = join(freshFolder(), 'panel.json');
    writeFileSync(path, storedTaskSet(compiled(whole)));
    rows = readMapFile(path).rows;
    gone = rows[0]!.task!.choices[0]!;
    const vectors = readFileSync(`${CASES}/category-only/vectors.csv`, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith(`${gone},`))
      .join('\n');
    part = await open(folderWith({ 'vectors.csv': vectors }));
  });

  it('are refused with the number that would be covered', () => {
    expect(() => rescoreMaps({ environment: part, kernels, rows })).toThrow(
      expect.objectContaining({
        code: 'INGREDIENT_UNKNOWN',
        message: expect.stringContaining(
          `1 of ${new Set(rows.flatMap(({ task }) => [task!.anchor, ...task!.choices])).size} ingredients are not in the environment: ${gone}`,
        ),
        hint: expect.stringMatching(/--covered recomputes the \d of 8 tasks/),
      }),
    );
  });

  it('are made again for the tasks that have all of their names, and the others say what they lack', () => {
    const holds = ({ task }: MapRow) => [task!.anchor, ...task!.choices].includes(gone);
    const { rows: made, skipped } = rescoreMaps({ environment: part, kernels, rows, covered: true });
    expect(skipped).toEqual(
      rows.filter(holds).map(({ id, family }) => ({ id, family, reason: expect.any(String), missing: [gone] })),
    );
    expect(made.map(({ id }) => id)).toEqual(rows.filter((row) => !holds(row)).map(({ id }) => id));
    const all = rescoreMaps({ environment: whole, kernels, rows }).rows;
    for (const { id, scores } of made) expect(scores).toEqual(all.find((row) => row.id === id)!.scores);
    expect(made.length).toBeGreaterThan(0);
  });

  it('are refused where no task is covered', async () => {
    const none = await open(folderWith({ 'vectors.txt': 'salt 1 2\npepper 3 4\n' }));
    expect(() => rescoreMaps({ environment: none, kernels, rows, covered: true })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('no task has all of its names') }),
    );
  });
});
