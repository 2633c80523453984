import { appendFileSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { philoxBlock } from '../../src/engine/philox.js';
import { type MutationBench, mutationBench } from '../support/release-bench.js';
import { edit, field, line, MUTATIONS } from '../support/release-mutations.js';
import { filesOf } from '../support/release-world.js';

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

describe('one change in a release, and no digest put right', () => {
  it('is not there to begin with', async () => {
    expect(await foundIn(() => undefined)).toEqual([]);
  });

  it.each(MUTATIONS)('is found and named first: %s', async (_, change, name) => {
    const [first] = await foundIn(change);
    expect(first).toMatch(name);
  });

  it('is found in every column of the two released tables, cell by cell', async () => {
    for (const table of ['leaderboard.csv', 'pairwise.csv']) {
      const rows = readFileSync(join(good, table), 'utf8').trimEnd().split('\n');
      const columns = rows[0]!.split(',');
      const place = (c: number) => 1 + (c % (rows.length - 1));
      const found = await foundIn(
        edit(table, (text) =>
          columns.reduce(
            (changed, _, c) =>
              line(place(c), (row) =>
                row
                  .split(',')
                  .map((cell, i) => (i === c ? `${cell}7` : cell))
                  .join(','),
              )(changed),
            text,
          ),
        ),
      );
      columns.forEach((column, c) => {
        const start = `${table}: line ${place(c) + 1} (`;
        expect(
          found.some((text) => text.startsWith(start) && text.includes(`), ${column}: expected`)),
          `${table} ${column}`,
        ).toBe(true);
      });
    }
  });

  it('is found when any file is dropped', async () => {
    const drawing = /^(?:figures|tables)\//;
    const names = filesOf(good);
    for (const name of names.filter((file) => !drawing.test(file))) {
      const found = await foundIn((copy) => unlinkSync(join(copy, name)));
      expect(found.join('\n'), name).toContain(name);
    }
    const drawings = names.filter((file) => drawing.test(file)).slice(1);
    const found = await foundIn((copy) => {
      for (const name of drawings) unlinkSync(join(copy, name));
    });
    for (const name of drawings) expect(found, name).toContain(`${name}: the file: expected a file, found none`);
  });

  it('is found in its file when any bit is flipped', async () => {
    const names = filesOf(good);
    const words = new Uint32Array(4);
    for (let k = 0; k < 24; k += 1) {
      philoxBlock([k, 0, 0, 0], [7, 0], words);
      const [which, place, bit] = words as unknown as [number, number, number];
      const name = names[which % names.length]!;
      const found = await foundIn((copy) => {
        const bytes = readFileSync(join(copy, name));
        const at = place % bytes.length;
        bytes[at] = bytes[at]! ^ (1 << (bit % 8));
        writeFileSync(join(copy, name), bytes);
      });
      expect(
        found.some((text) => text.startsWith(`${name}: `)),
        `${name}: ${found[0]}`,
      ).toBe(true);
    }
  });

  it('is found when files are added, linked or renamed', async () => {
    const added = await foundIn((copy) => appendFileSync(join(copy, 'extra.txt'), 'x'));
    expect(added[0]).toMatch(/^extra\.txt: /);
    const linked = await foundIn((copy) => {
      renameSync(join(copy, 'cases.json'), join(dir, 'cases.json'));
      symlinkSync(join(dir, 'cases.json'), join(copy, 'cases.json'));
    });
    expect(linked[0]).toBe('cases.json: the file: expected a regular file, found a symbolic link');
    const moved = await foundIn((copy) => renameSync(join(copy, 'pairs.arrow'), join(copy, 'pair.arrow')));
    expect(moved.join('\n')).toMatch(/pairs\.arrow: .*no|none/);
  });

  it('is found in a wrong entry of the manifest', async () => {
    const entry = await foundIn(field('MANIFEST.json', ['files', 4, 'sha256'], '0'.repeat(64)));
    expect(entry.join('\n')).toContain(`${filesOf(good).filter((n) => n !== 'MANIFEST.json')[4]}: sha256`);
    const seal = await foundIn(field('MANIFEST.json', ['artifact_sha256'], '0'.repeat(64)));
    expect(seal).toHaveLength(1);
    expect(seal[0]).toContain('MANIFEST.json: artifact_sha256');
  });
});
