import { cpSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { sha256 } from '../../src/io/digest.js';
import { DATASET_FILES } from '../../src/published/dataset.js';
import { verifyAny } from '../../src/published/verify-any.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { writeDataset, writeManifest } from '../support/published-dataset.js';
import { noShared } from '../support/shared.js';

let engine: Engine;
let root: string;
let good: string;
beforeAll(async () => {
  engine = await createEngine({ backend: 'wasm' });
  root = mkdtempSync(join(tmpdir(), 'dataset-'));
  good = join(root, 'good');
  if (!noShared) writeDataset(good);
});
afterAll(async () => {
  await engine.close();
  rmSync(root, { recursive: true, force: true });
});

const NAMES = Object.values(DATASET_FILES).filter((name) => name !== DATASET_FILES.manifest);

async function foundIn(change: (copy: string) => void, remanifest: boolean): Promise<string> {
  const copy = join(root, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(good, copy, { recursive: true });
  change(copy);
  if (remanifest) writeManifest(copy, NAMES);
  const result = await verifyAny({ dir: copy, engine });
  expect(result.status).toBe('FAIL');
  return result.differences.map(differenceText).join('\n');
}

const replace = (name: string, from: RegExp, to: string) => (copy: string) => {
  const before = readFileSync(join(copy, name), 'utf8');
  const text = before.replace(from, to);
  expect(text).not.toBe(before);
  writeFileSync(join(copy, name), text);
};

describe.skipIf(noShared)('a data set in the published layout, made of synthetic answers', () => {
  it('has the task file of the published one, byte for byte', () => {
    expect(sha256(readFileSync(join(good, DATASET_FILES.tasks)))).toBe(
      '97d58de483b6a4949b0a185c424c541f6fb1810f0eb774d04e27b11c100f9451',
    );
  });

  it('reproduces the published analysis, number by number, with its own generator', async () => {
    const result = await verifyAny({ dir: good, engine });
    expect(result.differences.map(differenceText)).toEqual([]);
    expect(result).toMatchObject({ status: 'PASS', kind: 'published_dataset' });
    const checked = Object.fromEntries(result.checked.map(({ what, count }) => [what, count]));
    expect(checked).toMatchObject({
      'answers: digest, prompt, selection and score read again': 14418,
      'published models, intervals and tests run again': 27,
      'published pairs run again': 351,
      'tasks: map, optimum, chance, order of the plan': 534,
    });
  });

  it('is found wrong for every one of several changes under a new manifest', async () => {
    const { observations, leaderboard, pairs, models } = DATASET_FILES;
    const found = await foundIn((copy) => {
      replace(observations, /all eight\./, 'all eight!')(copy);
      replace(observations, /"score_bps":\d+/, '"score_bps":77')(copy);
      replace(observations, /"source_path":"benchmark\//, '"source_path":"benchmark/../')(copy);
      replace(leaderboard, /"score_standard_error":1\.\d/, '"score_standard_error":1.7')(copy);
      replace(pairs, /^.*\n/, '')(copy);
      replace(models, /"point_estimate_rank":\d+/, '"point_estimate_rank":99')(copy);
    }, true);
    for (const name of [
      /primary_observations\.jsonl: line \d+ \(synthetic\/model-\d+, fb-.*\), response\.artifact_sha256/,
      /release_scoring\.score_bps: expected \d+, found 77/,
      /source_path: expected a path of a response/,
      /leaderboard\.jsonl: line 1 \(synthetic\/model-\d+\)\.score_standard_error/,
      /pairwise_comparisons\.jsonl: rows: expected 351, found 350/,
      /models\.jsonl: line 1 \(synthetic\/model-01\)\.point_estimate_rank/,
    ])
      expect(found).toMatch(name);
  });

  it('is found wrong for rows and files that are gone, and for one too many', async () => {
    const found = await foundIn((copy) => {
      replace(DATASET_FILES.observations, /^.*\n/, '')(copy);
      replace(DATASET_FILES.tasks, /"chance_score_bps":\d+/, '"chance_score_bps":1')(copy);
      unlinkSync(join(copy, DATASET_FILES.pairs));
      writeFileSync(join(copy, 'notes.txt'), 'x');
    }, false);
    expect(found).toContain(`${DATASET_FILES.pairs}: the file`);
    expect(found).toContain('notes.txt: the file: expected no such file');
    expect(found).toContain(`${DATASET_FILES.observations}: sha256`);
    expect(found).toMatch(/tasks\.jsonl.*chance_score_bps/);
  });
});
