import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'compare-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const TASKS = 40;
const row = (right: number, shift = 0) =>
  Array.from({ length: TASKS }, (_, t) => Number((t * 7 + shift) % TASKS < right));

/** Writes a wide table of noughts and ones. */
function table(name: string, rows: Readonly<Record<string, readonly number[]>>, tasks = TASKS, first = 0): string {
  const path = join(dir, name);
  const head = `model,${Array.from({ length: tasks }, (_, t) => `t${first + t}`).join()}`;
  writeFileSync(
    path,
    `${[head, ...Object.entries(rows).map(([model, values]) => [model, ...values.slice(0, tasks)].join())].join('\n')}\n`,
  );
  return path;
}

const before = table('before.csv', { good: row(36), fair: row(20), poor: row(4) });
const small = ['--draws', '200', '--flips', '5000'];
const compare = (first: string, second: string, ...more: string[]) =>
  cliInline([first, '--compare', second, ...small, ...more]);
const results = async (first: string, second: string, ...more: string[]) =>
  JSON.parse((await compare(first, second, '--json', ...more)).stdout).results;

describe('rank-audit A --compare B', () => {
  it('finds nothing changed where nothing did', async () => {
    const { code, stdout } = await compare(before, before);
    expect(code).toBe(0);
    const text = stdout.replaceAll('\n', ' ');
    expect(text).toMatch(
      /^First: 3 models x 40 tasks, 0 and 1, from model \/ 40 columns t0 to t39\. Second: likewise\. The second table has the same/,
    );
    const { run } = JSON.parse((await compare(before, before, '--json')).stdout);
    expect([run.read.before.text, run.read.after.form]).toEqual([
      '3 models x 40 tasks, 0 and 1, from model / 40 columns t0 to t39',
      'wide',
    ]);
    expect((await compare(before, before, '--fail-unless', 'good > poor')).stdout).toMatch(/^good > poor holds: 0\.8/m);
    expect(text).toContain('All 120 cells that both have are equal. No score changed.');
    expect(text).toContain('3 of 3 claims of the first table still stand.');
  });

  it('asks whether a table is in another unit, and finds no change in two scales of the same numbers', async () => {
    const percent = table('percent.csv', {
      good: row(36).map((x) => 100 * x),
      fair: row(20).map((x) => 100 * x),
      poor: row(4).map((x) => 100 * x),
    });
    const { stdout } = await compare(before, percent);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'Every value that both have is 100 times what it was: is it in another unit?',
    );
    const thirds = (digits: number) =>
      ['a', 'b'].map((_, m) => row(20, m).map((x, t) => Number((x * 0.1 + (t % 3) * 0.3).toFixed(1)).toFixed(digits)));
    const write = (name: string, digits: number, extra: string) => {
      const path = join(dir, name);
      const [a, b] = thirds(digits);
      writeFileSync(
        path,
        `model,${a!.map((_, t) => `t${t}`).join()}\na,${a!.join()}\nb,${b!.join()}\nc,${extra},${a!.slice(1).join()}\n`,
      );
      return path;
    };
    const same = await results(write('one.csv', 1, '0.1'), write('two.csv', 2, '0.137'));
    expect(
      same.scores.filter(({ change }: { change: number }) => change !== 0).map(({ model }: { model: string }) => model),
    ).toEqual(['c']);
    const shown = await compare(write('one.csv', 1, '0.1'), write('three.csv', 2, '0.10001'));
    expect(shown.stdout).not.toMatch(/from ([\d.]+) to \1[ ,.]/);
  });

  it('says that models which came in, not scores, made a claim fall', async () => {
    const won = (from: number, to: number) => Array.from({ length: TASKS }, (_, t) => Number(t >= from && t < to));
    const two = { x: won(0, 10), y: won(10, 12) };
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`n${k}`, won(12 + k, 16 + k)]));
    const [first, second] = [table('few.csv', two), table('many.csv', { ...two, ...many })];
    const found = await results(first, second);
    expect(found.claims.fallen).toHaveLength(1);
    const text = (await compare(first, second)).stdout.replaceAll('\n', ' ');
    expect(text).toContain(
      'No cell of these models changed: other models came in, and the control holds over all pairs of a table.',
    );
  });

  it('names scores that changed, claims that fell and claims that turned round', async () => {
    const after = table('after.csv', { poor: row(4), fair: row(33, 2), good: row(30, 1) });
    const found = await results(before, after);
    expect(found.models).toEqual({ common: 3, added: [], removed: [] });
    const counted = (model: string) => found.scores.find((each: { model: string }) => each.model === model);
    expect(counted('fair')).toMatchObject({ before: 0.5, after: 0.825, rank_before: 2, rank_after: 1 });
    expect(counted('good').change).toBeCloseTo(-0.15, 12);
    expect(found.claims.standing).toBe(2);
    expect(found.claims.fallen).toEqual([expect.objectContaining({ higher: 'good', lower: 'fair' })]);
    expect(found.claims.fallen[0].p_before).toBeLessThan(0.05);
    expect(found.claims.fallen[0].p_after).toBeGreaterThan(0.05);
    const changed = row(36).reduce((n, value, t) => n + Number(value !== row(30, 1)[t]), 0);
    const others = row(20).reduce((n, value, t) => n + Number(value !== row(33, 2)[t]), 0);
    expect(found.cells).toEqual({ common: 120, changed: changed + others });

    const turned = await results(before, table('turned.csv', { good: row(4), fair: row(20), poor: row(36) }));
    expect(turned.claims.standing).toBe(0);
    expect(turned.claims.reversed).toHaveLength(3);
    const back = await results(after, before);
    expect(back.claims.added).toEqual([expect.objectContaining({ higher: 'good', lower: 'fair' })]);
  });

  it('says what a model more brings, and what one less takes away', async () => {
    const more = table('more.csv', { good: row(36), fair: row(20), poor: row(4), fresh: row(39) });
    const found = await results(before, more);
    expect(found.models).toEqual({ common: 3, added: ['fresh'], removed: [] });
    expect(found.claims.of_added_models.map(({ lower }: { lower: string }) => lower)).toEqual(
      expect.arrayContaining(['fair', 'poor']),
    );
    const { stdout } = await compare(more, before);
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /The second table has 1 model less \(fresh\)\..*named a model that is gone/,
    );
  });

  it('says that scores over other tasks are other scores, and refuses tables without a task in common', async () => {
    const fewer = table('fewer.csv', { good: row(36), fair: row(20), poor: row(4) }, 30);
    const { stdout } = await compare(before, fewer);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      '10 tasks less (t30, t31, t32, ...). Scores over other tasks are other scores.',
    );
    const other = table('other.csv', { good: row(36), fair: row(20), poor: row(4) }, 40, 100);
    const refused = await compare(before, other);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/TABLES_DISJOINT: .*share no task.*"t0".*"t100"/),
    ]);
  });

  it('writes what --out names, and checks claims on the second table', async () => {
    const after = table('later.csv', { good: row(30, 1), fair: row(33, 2), poor: row(4) });
    const { code, stderr } = await compare(before, after, '--out', join(dir, 'all'), '--fail-unless', 'good > fair');
    expect([code, stderr]).toEqual([6, expect.stringContaining('good > fair does not hold')]);
    expect(readdirSync(join(dir, 'all')).sort()).toEqual(['rank-audit-comparison.csv', 'rank-audit-comparison.json']);
    expect(readFileSync(join(dir, 'all', 'rank-audit-comparison.csv'), 'utf8')).toMatch(
      /^model,before,after,change,rank_before,rank_after\n/,
    );
    const picture = await compare(before, after, '--out', join(dir, 'x.png'));
    expect([picture.code, picture.stderr]).toEqual([2, expect.stringContaining('json or csv')]);
    expect((await compare(before, after, '--fail-unless', 'fair > poor')).code).toBe(0);
  });
});
