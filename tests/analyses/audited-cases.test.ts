import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { RankAuditResults } from '../../src/analyses/rank-audit/rank-audit.js';
import type { Reading } from '../../src/scores/scores-reading.js';
import { cliInline } from '../support/cli-inline.js';

const CASES = fileURLToPath(new URL('../../fixtures/cases/', import.meta.url));

interface AuditDocument {
  readonly results: RankAuditResults;
  readonly results_sha256: string;
  readonly run: { readonly warnings: string[]; readonly read: Reading };
  readonly plan: object;
}

/** Audits a table of fixtures/cases, and gives its results with the words beside them. */
async function audited(file: string, ...options: string[]) {
  const few = ['--draws', '2000', '--flips', '5000'];
  const files = options.map((text) => (text.endsWith('.csv') ? join(CASES, text) : text));
  const { code, stdout, stderr } = await cliInline(['rank-audit', join(CASES, file), ...few, ...files, '--json']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const document = JSON.parse(stdout) as AuditDocument;
  return { ...document, words: [...(document.results.sentences ?? []), ...document.run.warnings].join(' ') };
}

/** What is said of each model, wherever its row stood. */
const byName = ({ models }: RankAuditResults) => Object.fromEntries(models.map(({ model, ...said }) => [model, said]));

/** Each table is one of which version 0.1.0 said what its data cannot carry. */
describe('the audit of a table', () => {
  it('gives identical models one shared rank, and allows each of them every rank', async () => {
    const { results, words } = await audited('ranks/same.csv');
    for (const model of results.models)
      expect(model).toMatchObject({
        rank: 1,
        rank_tied: true,
        rank_set_simultaneous: [1, 3],
        rank_low: 1,
        rank_high: 3,
      });
    expect(results.design?.decisions.identical).toBe(3);
    expect(words).toContain('share the highest score');
  });

  it.each([
    ['a1', 'a2'],
    ['q1', 'q2'],
  ])('says the same of each model of %s and of %s, which has other order of rows', async (one, other) => {
    const [first, second] = [await audited(`ranks/${one}.csv`), await audited(`ranks/${other}.csv`)];
    expect(byName(second.results)).toEqual(byName(first.results));
    expect(second.words).toBe(first.words);
  });

  it('names what four won tasks cannot show, and how many it would take', async () => {
    const { results, words } = await audited('clusters/four.csv');
    expect(results.design?.decisions).toMatchObject({ untestable: 1, told_apart: 0 });
    expect(results.design?.clusters_needed).toBe(6);
    expect(words).toContain('2 / 2^4 = 0.125');
    expect(results.models.map((model) => model.rank_set_simultaneous)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('tells nothing apart in one cluster', async () => {
    const { results, words } = await audited('clusters/four.csv', '--clusters', 'clusters/one-cluster.csv');
    expect(results.design?.decisions.untestable).toBe(1);
    expect(words).toContain('With 1 cluster this design cannot tell any two models apart');
  });

  it('names a stratum of one cluster, whose intervals are too narrow', async () => {
    const { words, results } = await audited('clusters/m30.csv', '--families', 'clusters/fam.csv');
    expect(words).toMatch(/small.*one cluster/);
    expect(words).toContain('too narrow');
    expect(results.models[0]?.model).toBe('B');
  });

  it('says of three tasks and forty models that nothing can be told apart', async () => {
    const { results, words } = await audited('clusters/transposed.csv');
    expect(results.separable_pairs).toBe(0);
    expect(words).toContain('2 / 2^');
    expect(words).toContain('it lies on its side: --transpose');
  });

  it('gives one result for one table in five kinds of file, and says how each was read', async () => {
    const kinds = [
      'long-capital-names.csv',
      'long-semicolon.csv',
      'long.tsv',
      'long-lz4.feather',
      'wide-pandas-index.parquet',
    ];
    const documents: Awaited<ReturnType<typeof audited>>[] = [];
    for (const name of kinds) documents.push(await audited(`tables/${name}`));
    expect(new Set(documents.map(({ results_sha256 }) => results_sha256)).size).toBe(1);
    expect(documents.map(({ run }) => run.read.kind)).toEqual([
      'CSV',
      'CSV, semicolons',
      'TSV',
      'Arrow file',
      'Parquet',
    ]);
    expect(documents[0]!.results.models.map(({ model, score }) => [model, score])).toEqual([
      ['d', 0.4925],
      ['c', 0.435],
      ['b', 0.38875],
      ['a', 0.3425],
    ]);
    for (const { run } of documents) {
      expect(run.read).toMatchObject({
        models: 4,
        tasks: 8,
        left_out: [],
        values: { least: 0.3, greatest: 0.53, scale: 100 },
      });
      expect(run.read.text).toMatch(/^4 models x 8 tasks, 0\.3 to 0\.53 \(scale 100\), from /);
    }
  });

  it('says in its first line what it read, and infer the same', async () => {
    const file = join(CASES, 'tables/params.csv');
    const line = '2 models x 2 tasks, 0 and 1, from model / t1, t2; left out: params';
    for (const call of [
      ['rank-audit', file],
      ['infer', '--scores', file],
      ['coverage', '--scores', file, '--datasets', '2'],
    ]) {
      const { stdout } = await cliInline([...call, '--draws', '50', '--flips', '50']);
      expect(stdout.split('\n')[0]!.replace(/\.$/, '')).toBe(line);
    }
  });

  it('decides by the exact p where the sampled one would not', async () => {
    const call = ['infer', '--scores', join(CASES, 'clusters/flip.csv'), '--scale', '1', '--json'];
    const { results } = JSON.parse((await cliInline(call)).stdout);
    const [pair] = results.pairwise_comparisons;
    expect(pair).toMatchObject({ p_kind: 'exact', sign_flip_p: 50 / 1024, significant: true, decision: 'higher' });
  });

  it('keeps two strata apart whose joined labels are one', async () => {
    const { results } = await audited('clusters/coll.csv');
    expect(results.strata).toBe(2);
  });

  it('says of comparisons with the leader that all pairs were tested, and of those with one model that no other was', async () => {
    const best = await audited('clusters/m30.csv', '--against', 'best');
    expect(best.results.design?.decisions.untested).toBe(0);
    expect(best.words).toContain('chosen from these data');
    expect(best.words).not.toContain('told apart from best');
    const one = await audited('clusters/m30.csv', '--against', 'B');
    expect(one.results.design?.decisions.untested).toBe(1);
    expect(one.words).toMatch(/of 2 models are told apart from B; no other pair was tested/);
    expect(one.results.models.map((model) => model.rank_set_simultaneous)).toEqual([null, null, null]);
  });

  it('blames the design, not the control, where no control could reject anything', async () => {
    const { stdout } = await cliInline(['infer', '--scores', join(CASES, 'clusters/four.csv'), '--scale', '1']);
    expect(stdout).toContain('this design cannot tell any two models apart');
    expect(stdout).not.toContain('Holm could reject nothing');
    expect(stdout).not.toContain('do not vary between draws');
    expect(stdout).not.toContain('100,000 sign flips');
  });
});
