import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { EXEMPTIONS, isExempt } from '../support/exemptions.js';
import { collectedWorld, type ForgedWorld, forgedWorld } from '../support/forged-world.js';
import { newWalk, verifierOf, walk } from '../support/leaf-walk.js';
import { ALONE, type Leaf, releaseLeaves, type World } from '../support/release-leaves.js';

/** Of the leaves that must be forged one by one, and of answers and journal lines, one of so many; `npm run walk` forges all. */
const ONE_OF = 120;

/** Leaves that a verification once let through: they are forged each time. */
const ONCE_PASSED =
  /^(?:core\.json schema|analyses\/filter\.json plan\.alpha|plan\.json core\.tasks|observations\.jsonl kind \d+, response\.(?:generation\.billing_status|parse\.parser_sha256|wall_time_ms))$/;

const isSampled = ({ world, file, name, unit }: Leaf): boolean =>
  ONCE_PASSED.test(`${file} ${name}`) ||
  (unit !== ALONE && !file.endsWith('.jsonl')) ||
  Number.parseInt(sha256(`${world} ${file} ${name}`).slice(0, 8), 16) % (file === 'MANIFEST.json' ? 9 : ONE_OF) === 0;

const worlds = new Map<World, ForgedWorld>();
const leaves: Leaf[] = [];
beforeAll(async () => {
  worlds.set('simulated', await forgedWorld());
  worlds.set('collected', await collectedWorld());
  for (const [name, { files }] of worlds) leaves.push(...(await releaseLeaves(files, name)));
}, 300_000);
afterAll(async () => {
  for (const world of worlds.values()) await world.close();
});

describe('every leaf of the files of a release, forged by somebody who puts every digest right', () => {
  it.each(['simulated', 'collected'] as const)(
    'is found, or exempt with its reason: %s answers',
    async (name) => {
      const world = worlds.get(name)!;
      const sample = leaves.filter((leaf) => leaf.world === name && isSampled(leaf));
      const found = newWalk();
      for (const file of new Set(sample.map((leaf) => leaf.file))) {
        const own = sample.filter((leaf) => leaf.file === file);
        await walk(world.files, own, verifierOf(world, file), found);
      }
      const { caught, exempt, sealed, verifications } = found;
      const total = sample.reduce((sum, { values }) => sum + values.length, 0);
      process.stdout.write(
        `${name}: ${caught} caught, ${exempt} exempt, ${total} in all, ${verifications} verifications\n`,
      );
      expect(found).toMatchObject({ passed: [], stale: [] });
      expect(caught + exempt + sealed).toBe(total);
      expect(caught).toBeGreaterThan(name === 'simulated' ? 1000 : 10);
    },
    600_000,
  );

  it('is counted in docs/release.md, where each exemption stands with its reason', () => {
    const page = readFileSync('docs/release.md', 'utf8');
    const line =
      /Of (\d+) values of (\d+) leaves (\d+) were caught, (\d+) are exempt and (\d+) are digests .*; 0 passed\./;
    const [values, count, caught, exempt, sealed] = line.exec(page)!.slice(1).map(Number);
    const all = leaves.flatMap((leaf) => leaf.values.map((value) => isExempt(leaf, value)));
    expect([values, count, exempt]).toEqual([all.length, leaves.length, all.filter(Boolean).length]);
    expect(caught! + exempt! + sealed!).toBe(values);
    const rows = [
      ...page
        .split('| what | why |')[1]!
        .split('\n\n')[0]!
        .matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm),
    ];
    expect(rows.map(([, what, why]) => [what, why])).toEqual(EXEMPTIONS.map(({ where, reason }) => [where, reason]));
  });

  it('has no exemption of nothing', () => {
    const used = EXEMPTIONS.filter((one) =>
      leaves.some(({ world, file, name }) => one.leaves.test(`${world} ${file} ${name}`)),
    );
    expect(used).toEqual(EXEMPTIONS);
  });
});
