import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { substitutionCheck } from '../../src/analyses/substitutions/check.js';
import { readSubstitutions } from '../../src/cli/substitution-events.js';
import { readPickle } from '../../src/io/pickle.js';
import { expectedAnalyses } from '../support/golden-analyses.js';
import { noShared, shared } from '../support/shared.js';

describe.skipIf(noShared)('observed substitutions (released data needed)', () => {
  it('replays the published protocol on the synthetic vocabulary', () => {
    const input = JSON.parse(readFileSync(shared('golden/analyses/recipe1msubs_synthetic.json'), 'utf8'));
    const names = (input.groups as string[]).map((_, i) => `v${String(i).padStart(2, '0')}`);
    const units = (input.vectors as number[][]).map((vector) => {
      const norm = Math.sqrt(vector.reduce((s, x) => s + x * x, 0));
      return vector.map((x) => x / norm);
    });
    const similarity = (a: number, b: number) =>
      Math.round(units[a]!.reduce((s, x, i) => s + x * units[b]![i]!, 0) * 1e12) / 1e12;
    const events = (list: [number, number][]) => list.map(([a, b]) => [names[a]!, names[b]!] as const);
    const { coverage, results } = substitutionCheck({
      spaces: [{ name: 'synthetic', names, groups: input.groups, similarity }],
      test: events(input.events),
      train: events(input.train_events),
      minGroup: 2,
      draws: 50_000,
      alpha: 0.05,
      random: { kind: 'numpy', seed: 20260826n },
    });
    const wanted = expectedAnalyses().substitution;
    const near = (x: number, y: number, label: string) => expect(Math.abs(x - y), label).toBeLessThan(1e-9);
    const [found] = results;
    for (const [mine, theirs] of [
      [found!.all, wanted.all],
      [found!.novel!, wanted.novel],
    ] as const) {
      expect(mine.pairs).toBe(theirs.pairs);
      expect(mine.sources).toBe(theirs.sources);
      near(mine.percentile, theirs.estimate, 'percentile');
      near(mine.interval[0], theirs.ci[0], 'low');
      near(mine.interval[1], theirs.ci[1], 'high');
      expect(mine.exceedances).toBe(theirs.exceed);
      expect(mine.p).toBe(theirs.p);
    }
    near(found!.vocabulary.mean_reciprocal_rank, wanted.mrr, 'mrr');
    near(found!.vocabulary.hit_at_1, wanted.hit['1'], 'hit 1');
    near(found!.vocabulary.hit_at_3, wanted.hit['3'], 'hit 3');
    near(found!.vocabulary.hit_at_10, wanted.hit['10'], 'hit 10');
    near(found!.vocabulary.mean_rank, wanted.mean_rank, 'mean rank');
    near(found!.vocabulary.median_rank, wanted.median_rank, 'median rank');
    expect(coverage.novel_pairs).toBe(wanted.novel.pairs);
  });
});

describe('the analytic baseline of substitutions', () => {
  it('has the published value for a vocabulary of 1,790', () => {
    const names = Array.from({ length: 1790 }, (_, i) => `n${i}`);
    const { results } = substitutionCheck({
      spaces: [{ name: 's', names, groups: names.map(() => 'g'), similarity: (a, b) => -Math.abs(a - b) }],
      test: [['n0', 'n5']],
      train: [],
      minGroup: 20,
      draws: 10,
      alpha: 0.05,
      random: { kind: 'philox', seed: 1n },
    });
    expect(results[0]!.vocabulary.chance.mean_reciprocal_rank).toBeCloseTo(0.004509171161609309, 14);
    expect(results[0]!.vocabulary.chance.hit_at_1).toBeCloseTo(0.000558971492453885, 14);
    expect(results[0]!.vocabulary.chance.hit_at_3).toBeCloseTo(0.0016769144773616548, 14);
    expect(results[0]!.vocabulary.chance.hit_at_10).toBeCloseTo(0.005589714924538849, 14);
    expect(results[0]!.novel!.pairs).toBe(1);
  });

  it('is refused for spaces of different vocabularies', () => {
    const space = (name: string, names: string[]) => ({
      ...{ name, names, groups: names.map(() => 'g') },
      similarity: () => 0,
    });
    expect(() =>
      substitutionCheck({
        spaces: [space('s', ['a', 'b', 'c']), space('t', ['b', 'a', 'c'])],
        test: [['a', 'b']],
        train: [],
        minGroup: 1,
        draws: 10,
        alpha: 0.05,
        random: { kind: 'philox', seed: 1n },
      }),
    ).toThrow('environments s and t have different vocabularies');
  });

  it('is refused for a food group that offers too few alternatives', () => {
    expect(() =>
      substitutionCheck({
        spaces: [{ name: 's', names: ['a', 'b', 'c'], groups: ['g', 'g', 'g'], similarity: () => 0 }],
        test: [['a', 'b']],
        train: [],
        minGroup: 20,
        draws: 10,
        alpha: 0.05,
        random: { kind: 'philox', seed: 1n },
      }),
    ).toThrow(/food group g offers 2 candidates for a; 20 are needed/);
  });
});

describe('reading observed substitutions', () => {
  it.each([
    ['JSON records', '[{"id":"x","subs":["olive oil","lard"]},{"subs":["mint","basil"]}]'],
    ['a JSON list of pairs', '[["olive oil","lard"],["mint","basil"]]'],
    ['pairs, one a line', '["olive oil","lard"]\n\n["mint","basil"]\n'],
    ['records, one a line', '{"subs":["olive oil","lard"]}\n{"subs":["mint","basil"]}\n'],
    ['a table with a header', 'source,target\r\nolive oil,lard\r\nmint,basil\r\n'],
    ['a table without one', '"olive oil",lard\nmint, basil\n'],
    ['tabs', 'Source\tTarget\nolive oil\tlard\nmint\tbasil'],
    ['semicolons', 'olive oil;lard\nmint;basil'],
  ])('gives two pairs of %s', (_, text) => {
    const file = join(tmpdir(), `substitutions-${process.pid}.txt`);
    writeFileSync(file, text);
    expect(readSubstitutions(file)).toEqual([
      ['olive_oil', 'lard'],
      ['mint', 'basil'],
    ]);
    rmSync(file);
  });

  it.each([
    ['[["a","b","c"]]', /row 1: subs: two names expected, found a list of 3/],
    ['a,b\nc\n', /row 2: subs: two names expected, found a list of 1/],
    ['{"pair":["a","b"]}', /row 1: subs: two names expected, found nothing/],
  ])('refuses %j', (text, message) => {
    const file = join(tmpdir(), `substitutions-${process.pid}.txt`);
    writeFileSync(file, text);
    expect(() => readSubstitutions(file)).toThrow(message);
    rmSync(file);
  });
});

describe('reading a data-only pickle', () => {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

  it.each([
    ['protocol 2', 'gAJdcQB9cQEoWAIAAABpZHECWAEAAAB4cQNYBAAAAHN1YnNxBFgBAAAAYXEFWAEAAABicQaGcQdYAQAAAG5xCEplkf//dWEu'],
    ['protocol 4', 'gASVLwAAAAAAAABdlH2UKIwCaWSUjAF4lIwEc3Vic5SMAWGUjAFilIaUjAFulEplkf//dWEu'],
  ])('gives the records of %s', (_, data) => {
    const [record] = readPickle(bytes(data), 'x.pkl') as [Map<string, unknown>];
    expect(record.get('id')).toBe('x');
    expect(record.get('subs')).toEqual(['a', 'b']);
    expect(record.get('n')).toBe(-28315);
  });

  it('fails where the pickle names a class', () => {
    const evil = new TextEncoder().encode("cos\nsystem\n(S'true'\ntR.");
    expect(() => readPickle(evil, 'x.pkl')).toThrow(/x.pkl: byte 0: opcode 0x63 is refused/);
  });

  it.each([['contains itself', 'gASVEwAAAAAAAABdlH2UjARzdWJzlF2UaANhc2Eu', 'found a list of 1']])(
    'names a pair that %s without writing it out',
    (_, data, message) => {
      const file = join(tmpdir(), 'substitutions-self.pkl');
      writeFileSync(file, bytes(data));
      expect(() => readSubstitutions(file)).toThrow(message);
      rmSync(file);
    },
  );

  it('describes a pair whose parts repeat without end', () => {
    const nested = (x: unknown): unknown => Array.from({ length: 10 }, () => x);
    const file = join(tmpdir(), 'substitutions-nested.json');
    writeFileSync(file, JSON.stringify([{ subs: [nested('a'), 'b'] }]));
    expect(() => readSubstitutions(file)).toThrow('row 1: subs: two names expected, found a list of 10');
    rmSync(file);
  });

  it('says where a cut file ends', () => {
    expect(() => readPickle(bytes('gASVLwAAAAAAAABdlH2U'), 'x.pkl')).toThrow(/ends too early/);
  });
});
