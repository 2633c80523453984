import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('is refused beside --compare, before anything is read', async () => {
    const run = await cliInline(['rank-audit', table, '--compare', table, '--annotate', join(folder, 'none')]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('USAGE: --annotate with --compare')]);
  });
});
