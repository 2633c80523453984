import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readAuditSource } from '../../src/cli/audit-source.js';
import { importEnvironment } from '../../src/environment/import-environment.js';

const CASES = 'fixtures/cases';
const home = mkdtempSync(join(tmpdir(), 'cases-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Models, tasks and the sum of all points, or the code of the refusal; digits by hand or with the standard library of Python. */
type Right = readonly [models: number, tasks: number, sum: number] | string;
const fails = async (what: Promise<unknown>): Promise<string> =>
  what.then(
    () => 'nothing was refused',
    (error: { code: string }) => error.code,
  );

const SAME = [4, 8, 13.27] as const;
const LOOK_ALIKE = [2, 2, 2] as const;
const TABLES: Readonly<Record<string, Right>> = {
  '1000-models.csv': [1000, 5, 2500],
  '120-models.csv': [120, 50, 2997],
  'answers.arrow': 'USAGE',
  'long-NA.csv': 'INCOMPLETE',
  'long-boolean.csv': [4, 8, 18],
  'long-capital-names.csv': SAME,
  'long-lz4.feather': SAME,
  'long-semicolon.csv': SAME,
  'long.tsv': SAME,
  'model-last.csv': [3, 3, 659],
  'na.csv': 'INCOMPLETE',
  'nfc.csv': LOOK_ALIKE,
  'params.csv': LOOK_ALIKE,
  'pl_newest.arrow': [3, 2, 4],
  'pl_oldest.arrow': [3, 2, 4],
  'steps.parquet': [3, 3, 659],
  'wide-datasets-in-rows.csv': SAME,
  'wide-pandas-index.parquet': SAME,
  'wsrow.csv': LOOK_ALIKE,
  'zw.csv': LOOK_ALIKE,
};
const LOGS: Readonly<Record<string, Right>> = {
  'a.eval': [1, 6, 6],
  'inspect-message-ids': [2, 6, 8],
  'promptfoo-errors.json': 'INCOMPLETE',
  'promptfoo-pinned.json': [2, 4, 8],
  'unlabelled-filters': 'SCHEMA_INVALID',
};
/** Rows and columns of a space. The others are no spaces: a design for `compile`, and names that are asked for. */
const EMBEDDINGS: Readonly<Record<string, readonly [names: number, dims: number] | 'design' | 'names' | string>> = {
  'bf16-embeddings': [6, 5],
  'category-only': [60, 6],
  'design.json': 'design',
  'dummy-region': [60, 6],
  'model.vec': [60, 6],
  'names-asked.txt': 'names',
  'no-header.txt': [6, 5],
  'part-vocabulary': [40, 6],
  'vectors.txt': [6, 5],
  'zero-vector': 'MATRIX_INVALID',
};

describe('every file that failed before has a right answer here', () => {
  it.each([
    ['tables', TABLES],
    ['logs', LOGS],
    ['embeddings', EMBEDDINGS],
  ])('%s', (folder, right) => {
    expect(readdirSync(join(CASES, folder)).sort()).toEqual(Object.keys(right).sort());
  });

  it.each([
    ...Object.entries(TABLES).map(([name, right]) => [`tables/${name}`, right] as const),
    ...Object.entries(LOGS).map(([name, right]) => [`logs/${name}`, right] as const),
  ])('%s', async (name, right) => {
    const read = readAuditSource({ paths: [join(CASES, name)] });
    if (typeof right === 'string') return expect(await fails(read)).toBe(right);
    const { matrix } = await read;
    const sum = matrix.values.reduce((a, b) => a + b, 0) / matrix.scale;
    expect([matrix.models.length, matrix.tasks.length, sum]).toEqual(right);
  });

  it.each(Object.entries(EMBEDDINGS))('embeddings/%s', async (name, right) => {
    const folder = join(CASES, 'embeddings', name);
    if (right === 'design') return expect(JSON.parse(readFileSync(folder, 'utf8'))).toHaveProperty('tasks_per_stratum');
    if (right === 'names') return expect(readFileSync(folder, 'utf8').trim().split('\n').length).toBe(7);
    const made = importEnvironment({ home, name: name.replace(/\W/g, '-'), folder });
    if (typeof right === 'string') return expect(await fails(made)).toBe(right);
    const { environment } = await made;
    expect([environment.names.length, environment.dims]).toEqual(right);
  });
});
