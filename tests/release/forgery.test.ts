import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { pyDigest } from '../../src/io/pyjson.js';
import { illustrationData } from '../../src/release/illustration-data.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { verifyFiles } from '../../src/release/proofs/verify-files.js';
import { verifyRelease } from '../../src/release/verify.js';
import { type MutationBench, mutationBench } from '../support/release-bench.js';
import { edit, line, MUTATIONS, ROW } from '../support/release-mutations.js';
import { filesOf, readDocument, reseal, writeDocument } from '../support/release-world.js';

let bench: MutationBench;
let good: string;
let dir: string;
beforeAll(async () => {
  bench = await mutationBench();
  good = bench.good;
  dir = bench.dir;
});
afterAll(() => bench.close());

const foundIn: MutationBench['foundIn'] = (change) => bench.foundIn(change);

/** Every file below a folder, by its name there. */
const filesIn = (folder: string) =>
  new Map(filesOf(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));

describe('a release in memory, as a page has it', () => {
  it('is found as `release verify` finds its folder: proved, not proved, notes, digests', async () => {
    const steps: string[] = [];
    const { engine } = bench;
    const found = await verifyFiles({ files: filesIn(good), engine, onProgress: (what) => steps.push(what) });
    expect(found).toEqual(await verifyRelease({ dir: good, engine, illustrate: illustrationData }));
    expect(found.status).toBe('PASS');
    expect(steps).toContain('steps of the verification');
  });

  it('differs from one without the same digests, an expected address, and the name of its folder', async () => {
    const files = new Map([...filesIn(good), ['leaderboard.csv', new TextEncoder().encode('rank\n')]]);
    const { engine } = bench;
    const found = await verifyFiles({ files, engine, expect: '0'.repeat(64), folder: `r-${'1'.repeat(64)}` });
    const text = found.differences.map(differenceText).join('\n');
    expect(found.status).toBe('FAIL');
    for (const place of [/leaderboard\.csv: line 1/, /the expected digest/, /digest in the name of the folder/])
      expect(text).toMatch(place);
  });
});

describe('one change in a release, and every digest put right that a forger can', () => {
  const forged = (change: (copy: string) => void | Promise<void>) => async (copy: string) => {
    await change(copy);
    reseal(copy);
  };

  it('is no change when an honest release is sealed again', async () => {
    expect(await foundIn((copy) => reseal(copy))).toEqual([]);
  });

  it.each(MUTATIONS)('is still found: %s', async (_, change, name) => {
    const found = await foundIn(forged(change));
    expect(found.join('\n')).toMatch(name);
  });

  it('is found by journal, core and matrix when it is an answer with a new digest of its own', async () => {
    const found = await foundIn(
      forged(
        edit(
          'observations.jsonl',
          line(ROW, (row) => {
            const at = row.indexOf(',"response":') + 12;
            const record = JSON.parse(row.slice(at, -1));
            record.generation.answer = 'FINAL_SELECTION: A, B, C';
            record.generation.finish_reason = 'stop';
            return `${row.slice(0, at)}${canonicalJson(sealed(record))}}`;
          }),
        ),
      ),
    );
    expect(found.join('\n')).toMatch(/core\.json: .*response_artifact_set_sha256/);
    expect(found.join('\n')).toMatch(/attempts\.jsonl: /);
  });

  it('is found by the hash order when it swaps a task into the core', async () => {
    const found = await foundIn(
      forged((copy) => {
        const plan = readDocument(copy, 'core.json') as never as {
          common_core: {
            panels: Record<
              string,
              {
                selected_task_ids_by_family: Record<string, string[]>;
                selected_task_ids_sha256: string;
              }
            >;
          };
        };
        const panel = plan.common_core.panels.panel_1!;
        const lists = panel.selected_task_ids_by_family;
        const all = ['001', '002', '003', '004', '005', '006'].map((n) => `fb-executable-pairing-${n}`);
        const unused = all.find((id) => !lists.pairing!.includes(id))!;
        lists.pairing = [...lists.pairing!.slice(0, 3), unused];
        panel.selected_task_ids_sha256 = pyDigest(['substitution', 'pairing', 'constraint'].flatMap((f) => lists[f]!));
        writeDocument(copy, 'core.json', sealed(plan));
      }),
    );
    expect(found.join('\n')).toMatch(/core\.json: common_core\.panels\.panel_1\.selected_task_ids_by_family\.pairing/);
  });

  it('is found by the scores when it is in a map', async () => {
    const name = filesOf(good).find((file) => file.startsWith('tasks/'))!;
    const found = await foundIn(
      forged(
        edit(name, (text) =>
          text.replace(/"(BCD)": ?(\d+)/, (_, key, value) => `"${key}":${(Number(value) + 7) % 9999}`),
        ),
      ),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toContain('tasks/');
  });

  it('is found by the chain when it is in a line of a journal', async () => {
    const dropped = await foundIn(
      forged(
        edit('attempts.jsonl', (text) =>
          text
            .split('\n')
            .filter((_, i) => i !== 9)
            .join('\n'),
        ),
      ),
    );
    expect(dropped.join('\n')).toMatch(/attempts\.jsonl, line 10: does not follow/);
    const changed = await foundIn(
      forged(
        edit(
          'attempts.jsonl',
          line(9, (row) => row.replace('"status":"completed"', '"status":"failed"')),
        ),
      ),
    );
    expect(changed.join('\n')).toMatch(/attempts\.jsonl, line 10: differs from its digest/);
  });

  it('is found when it is an added file', async () => {
    const found = await foundIn(forged((copy) => appendFileSync(join(copy, 'tables/extra.csv'), 'x\n')));
    expect(found.join('\n')).toContain('tables/extra.csv: the file: expected no such file in a release');
  });

  it('is found only by the digest that one trusts when everything was made anew', async () => {
    const copy = join(dir, 'release');
    rmSync(copy, { recursive: true, force: true });
    cpSync(good, copy, { recursive: true });
    const { sha256, release_sha256 } = await verifyRelease({ dir: copy, engine: bench.engine });
    for (const expect_ of [sha256, release_sha256] as string[])
      expect((await verifyRelease({ dir: copy, engine: bench.engine, expect: expect_ })).status).toBe('PASS');
    const wrong = await verifyRelease({ dir: copy, engine: bench.engine, expect: '0'.repeat(64) });
    expect(wrong.differences.map(differenceText)[0]).toContain('the expected digest');
  });
});
