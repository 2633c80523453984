import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { type PyValue, parsePyJson, pyCanonical, pyDigest } from '../../src/io/pyjson.js';
import { verifyAny } from '../../src/published/verify-any.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { CORE_PLAN, RELEASE_JSON, TASK_SETS } from '../support/released-files.js';
import { noShared, shared } from '../support/shared.js';

const DIGEST = '0a20655c97aa1363c2266e247f3dd03b759d0f80bca9154c6619c5549b2fac99';

let engine: Engine;
let dir: string;
beforeAll(async () => {
  engine = await createEngine({ backend: 'wasm' });
  dir = mkdtempSync(join(tmpdir(), 'published-'));
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

type Tree = { [key: string]: Tree | PyValue };

/** A copy of the published document and its tables. */
function copied(): { folder: string; json: string } {
  const folder = mkdtempSync(join(dir, 'copy-'));
  for (const name of readdirSync(shared('data/release')))
    if (!name.endsWith('.tex')) copyFileSync(shared(`data/release/${name}`), join(folder, name));
  return { folder, json: join(folder, basename(RELEASE_JSON())) };
}

/** The texts of all differences after one field was changed, under the stated digest or under a new one. */
async function changed(path: readonly (string | number)[], value: PyValue, resealed: boolean): Promise<string> {
  const { json } = copied();
  const tree = parsePyJson(readFileSync(json, 'utf8')) as Tree;
  const parent = path.slice(0, -1).reduce<Tree>((at, key) => at[key] as Tree, tree);
  expect(parent[path.at(-1) as string]).toBeDefined();
  parent[path.at(-1) as string] = value;
  let target = json;
  if (resealed) {
    const { artifact_sha256: _, ...body } = tree;
    tree.artifact_sha256 = pyDigest(body as PyValue);
    target = json.replace(DIGEST, tree.artifact_sha256);
  }
  writeFileSync(target, pyCanonical(tree as PyValue));
  const result = await verifyAny({ dir: target, engine });
  expect(result.status).toBe('FAIL');
  return result.differences.map(differenceText).join('\n');
}

const MODEL = ['analysis', 'models', 4] as const;
const PAIR = ['analysis', 'pairwise_comparisons', 7] as const;
const MUTATIONS: readonly (readonly [string, readonly (string | number)[], PyValue, RegExp])[] = [
  ['a score', [...MODEL, 'flavourbench_score'], 70.5, /models \(anthropic\/claude-opus-5\)/],
  ['a family score', [...MODEL, 'family_scores', 'pairing'], 70.5, /claude-opus-5\)\.flavourbench_score/],
  ['a rank', [...MODEL, 'point_estimate_rank'], 26, /point_estimate_rank/],
  ['a group', [...MODEL, 'statistical_rank_group'], 3, /statistical_rank_group/],
  ['an end of a band', [...MODEL, 'score_simultaneous_95_ci', 1], 99.5, /score_simultaneous_95_ci\[1\]/],
  ['an interval', [...MODEL, 'score_pointwise_95_ci', 0], 1.5, /pointwise_ci_low/],
  ['a standard error', [...MODEL, 'score_standard_error'], 1.5, /score_simultaneous_95_ci/],
  [
    'a chance p',
    [...MODEL, 'chance_comparison', 'sign_flip_p'],
    0.5,
    /chance_comparison\.sign_flip_p|chance_comparison\.holm_p/,
  ],
  ['a chance Holm p', [...MODEL, 'chance_comparison', 'holm_p'], 0.5, /chance_comparison\.holm_p/],
  [
    'a chance flag',
    [...MODEL, 'chance_comparison', 'holm_significant_above_chance'],
    false,
    /holm_significant_above_chance/,
  ],
  [
    'a chance score',
    [...MODEL, 'chance_comparison', 'exact_chance_score'],
    31.5,
    /exact_chance_score|chance_comparison/,
  ],
  ['a p-value', [...PAIR, 'sign_flip_p'], 0.25, /\(openai\/gpt-5\.6-sol-pro : .*\)\.(?:sign_flip_p|holm_p)/],
  ['a Holm p', [...PAIR, 'holm_p'], 0.25, /\.holm_p/],
  ['a significance flag', [...PAIR, 'holm_significant'], true, /\.holm_significant/],
  ['a direction', [...PAIR, 'direction'], 'tie', /\.direction/],
  ['a difference', [...PAIR, 'mean_difference'], 12.5, /\.mean_difference/],
  ['an effect', [...PAIR, 'cohen_dz'], 0.5, /cohen_dz/],
  ['the count of resolved pairs', ['analysis', 'resolved_pair_count'], 102, /resolved_pair_count/],
  ['the unique top', ['analysis', 'definitive_top_model_id'], 'x-ai/grok-4.6', /definitive_top_model_id/],
  ['the critical value', ['analysis', 'inference', 'max_t_critical_value'], 3.5, /score_simultaneous_95_ci/],
  ['a panel score', ['analysis', 'panel_replication', 'models', 3, 'panel_1'], 50.5, /panel_replication/],
  ['a correlation', ['analysis', 'panel_replication', 'score_pearson'], 0.5, /score_pearson/],
  ['a rank correlation', ['analysis', 'panel_replication', 'rank_spearman'], 0.5, /rank_spearman/],
  ['a shared task count', [...PAIR, 'shared_valid_tasks'], 533, /shared_valid_tasks/],
  ['a coverage', [...MODEL, 'coverage', 'valid_scored'], 533, /coverage\.valid_scored/],
  ['a flag', ['failed_or_unparseable_cells_scored_as_zero'], true, /scored_as_zero/],
  ['a design count', ['design', 'ranked_models'], 28, /design\.ranked_models/],
  ['the digest of a table', ['tables', 'pairwise', 'sha256'], '0'.repeat(64), /pairwise.*sha256/],
];

describe.skipIf(noShared)('the published release document', () => {
  it('passes verification alone, and with plan and task sets', async () => {
    const alone = await verifyAny({ dir: RELEASE_JSON(), engine });
    expect(alone.differences).toEqual([]);
    expect(alone).toMatchObject({ status: 'PASS', kind: 'published_document', sha256: DIGEST });
    expect(alone.notes.join('\n')).toContain('taken as stated');
    const full = await verifyAny({
      dir: shared('data/release'),
      engine,
      expect: DIGEST,
      core: CORE_PLAN(),
      tasks: TASK_SETS(),
    });
    expect(full.differences).toEqual([]);
    expect(full.checked).toContainEqual({
      what: 'ranked tasks in the hash order of the core plan',
      count: 534,
    });
  });

  it.each(MUTATIONS)('is found wrong under its old digest: %s', async (_, path, value, name) => {
    const found = await changed(path, value, false);
    expect(found).toMatch(/artifact_sha256/);
    expect(found).toMatch(name);
  });

  it.each(MUTATIONS)('is found wrong under a new digest: %s', async (_, path, value, name) => {
    const found = await changed(path, value, true);
    expect(found).not.toMatch(/: artifact_sha256/);
    expect(found).toMatch(name);
  });

  it('is found wrong for any cell of a table, a table that is gone, and a link to one', async () => {
    for (const [table, columns] of [
      ['leaderboard', 15],
      ['pairwise', 11],
    ] as const) {
      for (let c = 0; c < columns; c += 1) {
        const { folder, json } = copied();
        const name = readdirSync(folder).find((file) => file.includes(table))!;
        const rows = readFileSync(join(folder, name), 'utf8').split('\n');
        rows[5] = rows[5]!
          .split(',')
          .map((cell, i) => (i === c ? `${cell}1` : cell))
          .join(',');
        writeFileSync(join(folder, name), rows.join('\n'));
        const { differences } = await verifyAny({ dir: json, engine });
        const text = differences.map(differenceText).join('\n');
        expect(text).toContain(`${name}: line 6 (`);
        expect(text).toContain(`), ${rows[0]!.split(',')[c]}: expected`);
        expect(text).toContain(`${name}: sha256`);
      }
      const { folder, json } = copied();
      const name = readdirSync(folder).find((file) => file.includes(table))!;
      unlinkSync(join(folder, name));
      const gone = await verifyAny({ dir: json, engine });
      expect(gone.differences.map(differenceText)).toEqual([
        `${name}: the file: expected a table beside the document, found none`,
      ]);
      symlinkSync(shared(`data/release/${name}`), join(folder, name));
      const linked = await verifyAny({ dir: json, engine });
      expect(linked.differences.map(differenceText).join()).toContain('symbolic link');
    }
  });

  it('is found wrong where it is not the document one expects, or has another plan', async () => {
    const other = await verifyAny({ dir: RELEASE_JSON(), engine, expect: 'f'.repeat(64) });
    expect(other.differences.map(differenceText)[0]).toContain('the expected digest');
    const { json } = copied();
    const plan = JSON.parse(readFileSync(CORE_PLAN(), 'utf8'));
    plan.frozen_date = '2000-01-01';
    const { artifact_sha256: _, ...body } = plan;
    const path = join(dir, 'plan.json');
    writeFileSync(path, JSON.stringify({ ...body, artifact_sha256: pyDigest(body) }));
    const { differences } = await verifyAny({ dir: json, engine, core: path });
    expect(differences.map(differenceText).join('\n')).toContain('inputs.complete_core_plan.semantic_sha256');
  });
});
