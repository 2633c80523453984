import { describe, expect, it } from 'vitest';
import type { Asked } from '../../src/collect/asked.js';
import { askedProblem, protocolWords } from '../../src/collect/asked.js';
import { protocolOf } from '../../src/collect/protocol.js';
import { assertComparable, assertOneEnvironment } from '../../src/core/comparable.js';
import { canonicalDigest } from '../../src/io/canonical.js';

const asked = (name: 'leaderboard' | 'bare', effort = 'minimal'): Asked => ({
  protocol: protocolOf(name),
  effort,
  extra_body: {},
});

const cells = (rows: Record<string, readonly (readonly [Asked | null, string])[]>) =>
  new Map(
    Object.entries(rows).map(([model, row]) => [
      model,
      new Map(row.map(([how, prompt], t) => [`task-${t}`, { asked: how, prompt }])),
    ]),
  );

describe('cells of several models', () => {
  it('are compared under one protocol whatever the effort of each route', () => {
    const found = assertComparable(
      cells({ a: [[asked('leaderboard', 'none'), 'p']], b: [[asked('leaderboard', 'high'), 'p']] }),
    );
    expect(found).toEqual(protocolOf('leaderboard'));
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
    expect(assertComparable(cells({ a: [[null, 'p']], b: [[null, 'p']] }))).toBeNull();
  });

  it('are refused where two models answered two wordings of a task', () => {
    const how = asked('bare');
    const worded = cells({ a: [[how, 'one']], b: [[how, 'two']] });
    expect(() => assertComparable(worded)).toThrow('task task-0: a answered prompt one, b prompt two');
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
