import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisInputs } from '../../src/analyses/inputs.js';
import { type AuditRun, runAudit } from '../../src/analyses/rank-audit/rank-audit.js';
import { auditTable, auditText } from '../../src/cli/audit-text.js';
import { columnsOf } from '../../src/cli/table-text.js';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { PAIR_DECISIONS } from '../../src/inference/result.js';
import { smallMatrix } from '../support/small-matrix.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ backend: 'wasm' });
});
afterAll(() => engine.close());

const audit = (matrix: ScoreMatrix): Promise<AuditRun> =>
  runAudit(
    {
      audited: async () => ({ matrix, dropped: 0, warnings: [], readings: [], kind: 'matrix' }),
      engine: async () => engine,
    } as unknown as AnalysisInputs,
    { draws: 30, flips: 200, alpha: 0.05 },
  );

const answer = (outcome: AuditRun, read: string) =>
  auditText({ outcome, read, paths: ['scores.csv'], width: 80, tabled: false }).split('\n');

/** Rows of scores as people have them and as nobody should: constant, equal, negative, huge, tiny, all different. */
const row = (tasks: number) =>
  fc.oneof(
    fc.array(fc.integer({ min: 0, max: 1 }), { minLength: tasks, maxLength: tasks }),
    fc.constantFrom(0, 1, -3, 2 ** 30).map((value) => Array.from({ length: tasks }, () => value)),
    fc.array(fc.integer({ min: -50, max: 50 }), { minLength: tasks, maxLength: tasks }),
    fc.array(fc.integer({ min: -(2 ** 30), max: 2 ** 30 }), { minLength: tasks, maxLength: tasks }),
  );

const grid = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 30 }))
  .chain(([models, tasks]) =>
    fc.tuple(
      fc.array(row(tasks), { minLength: models, maxLength: models }),
      fc.constantFrom(1, 100, 1_000_000_000),
      fc.boolean(),
    ),
  )
  .map(([rows, scale, twins]) => ({ rows: twins ? [...rows, rows[0]!] : rows, scale }));

const unit = fc.constantFrom(
  ...'abz09-_. /',
  '模',
  '型',
  '😀',
  'é',
  '\u0301',
  '\u200b',
  '\u202e',
  '\t',
  '\n',
  '"',
  ',',
  '>',
  'ﷺ',
);
const name = fc.oneof(
  fc.string({ unit, minLength: 1, maxLength: 12 }),
  fc.string({ unit, minLength: 1, maxLength: 200 }),
  fc.constantFrom('模'.repeat(200), '😀'.repeat(120), `${'x'.repeat(199)}1`, `${'x'.repeat(199)}2`, 'and', 'best'),
);

describe('the answer over any scores and names', () => {
  it('is at most ten lines of at most 80 places, without control characters; so is the table in its width', async () => {
    await fc.assert(
      fc.asyncProperty(
        grid,
        fc.uniqueArray(name, { minLength: 7, maxLength: 7 }),
        fc.string({ unit, maxLength: 400 }),
        async (given, names, read) => {
          const made = smallMatrix(given);
          const outcome = await audit({ ...made, models: made.models.map((_, m) => names[m]!) });
          const lines = answer(outcome, read);
          expect(lines.length).toBeLessThanOrEqual(10);
          const table = auditTable(outcome.results, { alpha: 0.05, width: 80 }).split('\n');
          for (const line of [...lines, ...table]) {
            expect(columnsOf(line), line).toBeLessThanOrEqual(80);
            expect(line).not.toMatch(/\p{Cc}/u);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says nothing that the scores contradict', async () => {
    await fc.assert(
      fc.asyncProperty(grid, async (given) => {
        const matrix = smallMatrix(given);
        const outcome = await audit(matrix);
        assertTrue(answer(outcome, 'what was read').join(' ').replace(/ {2,}/g, ' '), matrix, outcome);
      }),
      { numRuns: 150 },
    );
  });
});

/** Holds every sentence of an answer against the scores and the decisions on pairs. */
function assertTrue(text: string, { models, tasks, values, scale }: ScoreMatrix, { inference }: AuditRun): void {
  const sums = models.map((_, m) => tasks.reduce((sum, __, t) => sum + BigInt(values[m * tasks.length + t]!), 0n));
  const most = [...sums].sort((a, b) => (a < b ? 1 : -1))[0]!;
  const first = models.filter((_, m) => sums[m] === most);
  const apart = (one: number, other: number): boolean => {
    const { left, right, decision } = inference.pairTable!;
    const at = [...left.keys()].find((k) => [left[k], right[k]].sort().join() === [one, other].sort().join())!;
    return ['higher', 'lower'].includes(PAIR_DECISIONS[decision[at]!]!);
  };
  const range = (Math.max(...values) - Math.min(...values)) / scale;
  if (models.length === 1) {
    expect(text).toContain('One model: there is nothing to compare.');
    expect(text).not.toMatch(/apart|open|power|leads|best/);
    return;
  }
  const pairs = models.flatMap((_, i) => models.slice(i + 1).map((__, k) => [i, i + 1 + k] as const));
  const some = pairs.some(([i, j]) => apart(i, j));
  const best = /(m\d+) is best: told apart from every other model/.exec(text)?.[1];
  if (best !== undefined) {
    expect(first).toEqual([best]);
    const m = models.indexOf(best);
    for (const [k] of models.entries()) if (k !== m) expect(apart(m, k)).toBe(true);
  }
  expect(text.includes('No two models are told apart')).toBe(!some);
  const highest = /(?:established\. |doubt: )(.+?) (?:has|share) the highest score/.exec(text);
  if (highest) {
    const named = highest[1]!.match(/m\d+/g)!;
    const more = Number(/and (\d+) more$/.exec(highest[1]!)?.[1] ?? 0);
    expect(first).toEqual(expect.arrayContaining(named));
    expect(named.length + more).toBe(first.length);
  }
  const order = models.map((_, m) => m).sort((a, b) => (sums[a]! < sums[b]! ? 1 : sums[a]! > sums[b]! ? -1 : 0));
  const ranked = (a: string, b: string) => sums[models.indexOf(a)]! >= sums[models.indexOf(b)]!;
  const steps = models.length - 1;
  const said =
    /(?:(\d+) of the (\d+)|(Both)|All (\d+)) steps of this order (?:is|are) (open|told apart)|The one step of this order is open/.exec(
      text,
    );
  if (said) {
    const open = said[0].startsWith('The one')
      ? 1
      : said[5] === 'told apart'
        ? 0
        : said[3]
          ? 2
          : Number(said[1] ?? said[4]);
    // Models of one score may stand in either order, and steps among them are open in any.
    const least = order.slice(1).filter((lower, k) => sums[lower] === sums[order[k]!]).length;
    expect(open).toBeGreaterThanOrEqual(least);
    expect(open).toBeLessThanOrEqual(steps);
    if (!some) expect(open).toBe(steps);
  }
  for (const [, one, other, rest] of text.matchAll(
    /(m\d+) and (m\d+): ([^:]*?)(?= m\d+ and m\d+:| No scores| Too few| These| Next:)/g,
  )) {
    const [a, b] = [models.indexOf(one!), models.indexOf(other!)];
    expect(ranked(one!, other!)).toBe(true);
    expect(apart(a, b)).toBe(false);
    const difference = Number(sums[a]! - sums[b]!) / scale / tasks.length;
    if (difference === 0) expect(rest).toBe('equal scores, no number is known');
    else {
      const number = Number(/^([\d,.]+) apart/.exec(rest!)![1]!.replaceAll(',', ''));
      expect(number).toBeGreaterThan(0);
      expect(Math.abs(number - difference)).toBeLessThanOrEqual(0.06 * difference);
    }
  }
  const could =
    /No scores on (\d+) tasks? could tell (any two models|these two models) apart: it takes at least (\d+)/.exec(text);
  if (could) {
    expect(Number(could[1])).toBe(tasks.length);
    expect(Number(could[3])).toBeGreaterThan(tasks.length);
    expect(some).toBe(false);
  }
  const missed = /would miss a true difference below about ([\d,.]+) /.exec(text);
  if (missed) {
    const number = Number(missed[1]!.replaceAll(',', ''));
    expect(number).toBeGreaterThan(0);
    expect(number).toBeLessThanOrEqual(range * 1.001);
  }
  if (text.includes('If the observed difference')) expect(text).toMatch(/ apart, about [\d,]+ more tasks?/);
}
