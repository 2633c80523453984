import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { checkManifest } from '../../src/release/manifest.js';
import { Findings } from '../../src/release/proofs/findings.js';
import { type ForgedWorld, forgedWorld } from '../support/forged-world.js';
import { documentOf, type Files } from '../support/forger.js';
import { type Leaf, releaseLeaves, type Walk, walkSingly, walkTogether } from '../support/leaf-walk.js';

/** FLAVOURBENCH_WALK=full forges every leaf; the suite those of files whose differences name each leaf, and a sample of the others. */
const FULL = process.env.FLAVOURBENCH_WALK === 'full';
const ONE_OF = 40;

/** Files that follow wholly from others: all their leaves are forged at once, and each must be named. */
const DERIVED = /^(?:cases|inference)\.json$|^analyses\/|\.(?:csv|arrow|parquet)$/;

let world: ForgedWorld;
let leaves: Leaf[];
beforeAll(async () => {
  world = await forgedWorld();
  leaves = await releaseLeaves(world.files);
}, 300_000);
afterAll(() => world.close());

const verify = async (files: Files) => (await world.found(files)).differences;

/** A change of the manifest alone leaves every other proof as it is. */
async function verifyManifest(files: Files) {
  const findings = new Findings();
  const release = documentOf(files, 'release.json').artifact_sha256 as string;
  checkManifest({ files, release, digests: new Map(), findings });
  return findings.differences;
}

const sampled = (leaf: Leaf): boolean =>
  FULL || Number.parseInt(sha256(`${leaf.file} ${leaf.at}`).slice(0, 8), 16) % ONE_OF === 0;

/** Answers, journals and tasks hold statements of their makers, which nothing in a release bears out. */
const STATED = /\.jsonl$|^tasks\//;

describe('every leaf of documents, tables and manifest, forged by somebody who puts every digest right', () => {
  it('is found', async () => {
    const walk: Walk = { caught: 0, passed: new Map(), sealed: 0 };
    const files = [...new Set(leaves.map(({ file }) => file))].filter((file) => !STATED.test(file));
    for (const file of files) {
      const own = leaves.filter((leaf) => leaf.file === file);
      const check = file === 'MANIFEST.json' ? verifyManifest : verify;
      const call = own.filter(({ at }) => /^(?:plan|rng|seed|schema)\b/.test(at));
      const rest = DERIVED.test(file)
        ? [
            ...call,
            ...(await walkTogether(
              world.files,
              own.filter((leaf) => !call.includes(leaf)),
              check,
              walk,
            )),
          ]
        : own;
      await walkSingly(
        world.files,
        file === 'MANIFEST.json' ? rest.filter((_, i) => FULL || i % 9 === 0) : rest.filter(sampled),
        check,
        walk,
      );
    }
    process.stdout.write(`leaf walk: ${walk.caught} values caught, ${walk.passed.size} leaves passed\n`);
    expect([...walk.passed.keys()]).toEqual([]);
    expect(walk.caught).toBeGreaterThan(FULL ? 2500 : 1500);
  }, 3_600_000);
});
