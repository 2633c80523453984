import { describe, expect, it } from 'vitest';
import type { Asked } from '../../src/collect/asked.js';
import { askedProblem, protocolWords } from '../../src/collect/asked.js';
import { protocolOf } from '../../src/collect/protocol.js';
import { assertComparable, assertOneEnvironment } from '../../src/core/comparable.js';
import { agrees, type Decoding, decodingOf, namedDecoding } from '../../src/core/decoding.js';
import { canonicalDigest } from '../../src/io/canonical.js';

const asked = (name: 'leaderboard' | 'bare', effort = 'minimal'): Asked => ({
  protocol: protocolOf(name),
  effort,
  extra_body: {},
});

const cells = (rows: Record<string, readonly (readonly [Asked | null, string, Decoding?])[]>) =>
  new Map(
    Object.entries(rows).map(([model, row]) => [
      model,
      new Map(row.map(([how, prompt, decoding = {}], t) => [`task-${t}`, { asked: how, prompt, decoding }])),
    ]),
  );

describe('cells of several models', () => {
  it('are compared under one protocol whatever the effort of each route', () => {
    const found = assertComparable(
      cells({ a: [[asked('leaderboard', 'none'), 'p']], b: [[asked('leaderboard', 'high'), 'p']] }),
    );
    expect(found).toEqual({ protocol: protocolOf('leaderboard'), decoding: {} });
  });

  it('are refused under two, with both digests and who was asked how', () => {
    const mixed = cells({ a: [[asked('leaderboard'), 'p']], b: [[asked('bare'), 'p']] });
    const [first, second] = [protocolOf('leaderboard').sha256, protocolOf('bare').sha256];
    expect(() => assertComparable(mixed)).toThrow(`leaderboard ${first} (a); bare ${second} (b)`);
  });

  it('are refused where one row alone mixes protocols', () => {
    const mixed = cells({
      a: [
        [asked('leaderboard'), 'p'],
        [asked('bare'), 'q'],
      ],
    });
    expect(() => assertComparable(mixed)).toThrow(/leaderboard \w{64} \(a\); bare \w{64} \(a\)/);
  });

  it('are never taken for one another where some state their protocol and some do not', () => {
    expect(() => assertComparable(cells({ a: [[asked('bare'), 'p']], b: [[null, 'p']] }))).toThrow(/unstated \(b\)/);
    expect(assertComparable(cells({ a: [[null, 'p']], b: [[null, 'p']] }))).toEqual({ protocol: null, decoding: {} });
  });

  it('are refused where two models answered two wordings of a task', () => {
    const how = asked('bare');
    const worded = cells({ a: [[how, 'one']], b: [[how, 'two']] });
    expect(() => assertComparable(worded)).toThrow('task task-0: a answered prompt one, b prompt two');
  });
});

describe('what answers were drawn with', () => {
  const how = asked('leaderboard');
  const drawn = (...decodings: readonly Decoding[]) =>
    cells(Object.fromEntries(decodings.map((decoding, m) => [`m${m}`, [[how, 'p', decoding] as const]])));

  it('is one where no two routes state a value otherwise, whatever each leaves to its endpoint', () => {
    const found = assertComparable(drawn({ temperature: 0, seed: 7 }, { temperature: 0, top_p: 1 }, {}));
    expect(found.decoding).toEqual({ temperature: 0, seed: 7, top_p: 1 });
  });

  it.each([
    ['temperature', 0, 1],
    ['top_p', 1, 0.5],
    ['seed', 7, 8],
    ['top_k', 40, 1],
    ['logit_bias', { a: 1 }, { a: 2 }],
  ] as const)('is refused with both values and digests where %s differs', (name, one, other) => {
    const [first, second] = [canonicalDigest({ [name]: one }), canonicalDigest({ [name]: other })];
    const mixed = drawn({ [name]: one }, {}, { [name]: other });
    const [here, there] = [JSON.stringify(one), JSON.stringify(other)];
    expect(() => assertComparable(mixed)).toThrow(
      `different values of ${name} are never compared: ${name} ${here} ${first} (m0); ${name} ${there} ${second} (m2)`,
    );
    expect(assertComparable(drawn({ [name]: one }, { [name]: one })).decoding).toEqual({ [name]: one });
  });

  it('is read from key and extra body, without limits of length and what an endpoint does not take', () => {
    const key = { temperature: 0, top_p: null, seed: 'provider_fixed_unsupported', max_tokens: 64 };
    const body = { top_k: 1, random_seed: 5, thinking: { type: 'disabled' }, verbosity: 'low' };
    expect(decodingOf(key, body)).toEqual({ temperature: 0, top_k: 1, seed: 5 });
    expect(agrees(decodingOf(key), decodingOf({ ...key, max_tokens: 2048 }))).toBe(true);
  });

  it('is named by values that a call gives', () => {
    expect(namedDecoding(['temperature=0,seed=7', 'top_p=1'])).toEqual({ temperature: 0, seed: 7, top_p: 1 });
    for (const wrong of ['temperature', '=1', 'max_tokens=3'])
      expect(() => namedDecoding([wrong])).toThrow(/a name and a value expected/);
  });
});

describe('what a file says of how a model was asked', () => {
  const good = asked('leaderboard', 'low');
  const key = canonicalDigest({ protocol: good.protocol.sha256, effort: 'low', extra_body: {} });

  it('agrees with the digest that the keys of its records bind', () => {
    expect(askedProblem(good, key)).toBeUndefined();
  });

  it('is contradicted by another protocol, effort, body or text', () => {
    expect(askedProblem({ ...good, protocol: protocolOf('bare') }, key)).toMatch(/the records are bound to/);
    expect(askedProblem({ ...good, effort: 'high' }, key)).toMatch(/the records are bound to/);
    expect(askedProblem({ ...good, extra_body: { n: 1 } }, key)).toMatch(/the records are bound to/);
    const texts = { ...protocolOf('leaderboard'), system_sha256: 'a'.repeat(64) };
    expect(askedProblem({ ...good, protocol: texts }, key)).toMatch(/its fields give/);
    const { sha256: _, ...fields } = texts;
    const sealed = { ...texts, sha256: canonicalDigest(fields) };
    expect(askedProblem({ ...good, protocol: sealed }, key)).toMatch(/^protocol leaderboard is /);
  });

  it('is put in words', () => {
    expect(protocolWords(protocolOf('bare'))).toBe(
      'Every model was asked under protocol bare, version 1: the task alone, without a system turn or a final turn.',
    );
    expect(protocolWords(null)).toMatch(/do not state the protocol/);
  });
});

describe('task sets', () => {
  const set = (environmentSha256: string | undefined, panel: string) => ({
    environmentSha256,
    panel,
    physicalSha256: 'f'.repeat(64),
  });

  it('of one environment, or of none that is stated, are scored together', () => {
    expect(() => assertOneEnvironment([set('e1', 'p1'), set('e1', 'p2'), set(undefined, 'p3')])).not.toThrow();
  });

  it('of two environments are refused with both digests', () => {
    expect(() => assertOneEnvironment([set('e1', 'p1'), set('e2', 'p2')])).toThrow(/e1 \(p1.*; e2 \(p2/);
  });
});
