import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cliInline } from '../support/cli-inline.js';

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-annotate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of 30 tasks each solves so many: the first is far ahead, the others are near one another. */
const SOLVED = { 'a | [b](c) <script>': 30, plain: 15, 'q"uote: #1': 14 };
const tasks = Array.from({ length: 30 }, (_, t) => t);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const rows = Object.entries(SOLVED).map(
  ([name, most]) => `${quoted(name)},${tasks.map((t) => Number((t * 7) % 30 < most)).join()}`,
);
const table = join(folder, 'scores.csv');
writeFileSync(table, `model,${tasks.map((t) => `t${t}`).join()}\n${rows.join('\n')}\n`);

describe('rank-audit --annotate', () => {
  it('writes a badge, a table and a model-index block that name the result and hold no markup of names', async () => {
    const out = join(folder, 'told');
    const run = await cliInline([
      'rank-audit',
      table,
      '--draws',
      '200',
      '--flips',
      '2000',
      '--annotate',
      out,
      '--json',
    ]);
    const { results_sha256, results } = JSON.parse(run.stdout);
    const read = (name: string) => readFileSync(join(out, name), 'utf8');
    const badge = read('badge.svg');
    expect(badge).toMatch(/^<svg [\s\S]*>1 of 2 steps supported<[\s\S]*<\/svg>\n$/);
    const table3 = read('ranks.markdown').split('\n');
    expect(table3[2]).toMatch(/^\| 1 \| a \\\| \\\[b\\\]\\\(c\\\) \\<script\\> \| 1\.000 \| /);
    expect(table3.filter((line) => line.startsWith('|'))).toHaveLength(5);
    const index = parse(read('model-index.yaml'))['model-index'];
    expect(index.map(({ name }: { name: string }) => name)).toEqual(Object.keys(SOLVED));
    expect(
      index.map((entry: { results: { metrics: { value: number }[] }[] }) => entry.results[0]!.metrics[0]!.value),
    ).toEqual(results.models.map(({ score }: { score: number }) => Number(score.toPrecision(12))));
    expect(index[0].results[0].dataset).toEqual({ name: 'scores.csv', type: 'scores.csv' });
    for (const text of [badge, read('ranks.markdown'), index[2].results[0].source.name])
      expect(text).toContain(results_sha256);
  });

  it.each([
    ['inspect_ai', 'inspect-json', (model: string) => `${model}.json`],
    [
      'lm-evaluation-harness',
      'lm-evaluation-harness',
      (model: string) => `${model}/results_2026-05-01T10-00-00.000000.json`,
    ],
  ])('writes back into logs of %s, which stay what they are and are read as before', async (_, kind, nameOf) => {
    const logs = join('fixtures/logs', kind);
    const audit = async (input: string, ...more: readonly string[]) => {
      const run = await cliInline([
        'rank-audit',
        input,
        '--missing',
        'common-tasks',
        '--draws',
        '200',
        '--flips',
        '2000',
        ...more,
        '--json',
      ]);
      return JSON.parse(run.stdout);
    };
    const out = join(folder, kind);
    const told = await audit(logs, '--annotate', out);
    const { run, results, results_sha256 } = told;
    expect(run.citation).toBe(`flavourbench ${run.version}, results ${results_sha256}`);
    for (const name of ['lab__one', 'lab__two']) {
      const copy = readFileSync(join(out, 'logs', kind, nameOf(name)), 'utf8');
      const { flavourbench: member, ...rest } = JSON.parse(copy);
      const before = readFileSync(join(logs, nameOf(name)), 'utf8');
      expect(rest).toEqual(JSON.parse(before));
      expect(copy.replace(/^\{\n"flavourbench": .*,/m, '{')).toBe(before);
      const model = results.models.find((each: { model: string }) => each.model === name.replace('__', '/'));
      expect(member).toMatchObject({ citation: run.citation, models: 2, tasks: results.tasks, score: model.score });
      expect(member.ranks_allowed).toEqual(model.rank_set_simultaneous);
    }
    if (kind !== 'inspect-json') return;
    // A copy that is annotated again holds one annotation, of the later result, and is read as the log is.
    const again = join(folder, `${kind}-again`);
    const second = await audit(join(out, 'logs', kind), '--annotate', again);
    expect(second.results).toEqual(results);
    expect(readFileSync(join(again, 'logs', kind, nameOf('lab__one')), 'utf8')).toBe(
      readFileSync(join(out, 'logs', kind, nameOf('lab__one')), 'utf8'),
    );
  });

  it('keeps copies of logs inside its folder, wherever the logs lie', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const before = process.cwd();
    const logs = relative(inner, resolve('fixtures/logs/inspect-json'));
    process.chdir(inner);
    const call = ['rank-audit', join(logs, '..', 'inspect-json', '..', 'inspect-json'), '--missing', 'common-tasks'];
    const run = await cliInline([...call, '--draws', '200', '--flips', '2000', '--annotate', 'out', '--json']).finally(
      () => process.chdir(before),
    );
    expect(run.code).toBe(0);
    expect(readdirSync(join(inner, 'out', 'logs'))).toEqual(['inspect-json']);
    process.chdir(resolve('fixtures/logs/inspect-json'));
    const here = await cliInline([
      'rank-audit',
      '.',
      '--missing',
      'common-tasks',
      '--flips',
      '2000',
      '--annotate',
      join(inner, 'here'),
      '--json',
    ]).finally(() => process.chdir(before));
    expect(here.code).toBe(0);
    expect(readdirSync(join(inner, 'here', 'logs'))).toEqual(['inspect-json']);
  });

  it('refuses a log that has an entry of the name from elsewhere', async () => {
    const log = JSON.parse(readFileSync('fixtures/logs/inspect-json/lab__one.json', 'utf8'));
    const logs = join(folder, 'elsewhere');
    mkdirSync(logs);
    writeFileSync(join(logs, 'one.json'), JSON.stringify({ ...log, flavourbench: 1 }));
    writeFileSync(join(logs, 'two.json'), readFileSync('fixtures/logs/inspect-json/lab__two.json'));
    const run = await cliInline([
      'rank-audit',
      logs,
      '--draws',
      '200',
      '--flips',
      '2000',
      '--missing',
      'common-tasks',
      '--annotate',
      join(folder, 'e'),
    ]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(/one\.json: flavourbench: stands there already/)]);
  });

  it('is refused beside --compare, before anything is read', async () => {
    const run = await cliInline(['rank-audit', table, '--compare', table, '--annotate', join(folder, 'none')]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('USAGE: --annotate with --compare')]);
  });
});
