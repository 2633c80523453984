import { createEngine } from '../src/engine/node.js';
import { foundBy } from '../tests/support/forged-world.js';
import type { Files } from '../tests/support/forger.js';
import { newWalk, type Verifier, verifierOf, walk } from '../tests/support/leaf-walk.js';
import { ALONE, type Leaf, releaseLeaves } from '../tests/support/release-leaves.js';
import { openPageVerifier } from './page.js';
import { readWorld, WORLDS } from './worlds.js';

/*
 * A process of the walk: takes the numbers of jobs from whoever started it, and says of each what became of its forgeries. FOLDER holds the
 * releases; TEXT is what release and name of a file must hold; `page` verifies in the page of the explorer, in a browser.
 */
const [, , folder = '', text = '', where = ''] = process.argv;

interface Job {
  readonly files: Files;
  readonly leaves: readonly Leaf[];
}

/** Leaves of a job: of those that are forged one by one, and of those that differences tell apart. */
const SINGLES = 20;
const TOGETHER = 120;
async function jobsOf(): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const world of WORLDS) {
    const files = readWorld(folder, world);
    const leaves = await releaseLeaves(files, world);
    for (const file of new Set(leaves.map((leaf) => leaf.file))) {
      if (!`${world} ${file}`.includes(text)) continue;
      const own = leaves.filter((leaf) => leaf.file === file);
      const together = own.filter(({ unit }) => unit !== ALONE);
      const singles = own.filter(({ unit }) => unit === ALONE);
      const part = (of: readonly Leaf[], size: number) => {
        for (let i = 0; i < of.length; i += size) jobs.push({ files, leaves: of.slice(i, i + size) });
      };
      part(together, TOGETHER);
      part(singles, SINGLES);
    }
  }
  return jobs;
}

/** A verification that breaks off with what is no error of ours finds nothing: its forgery is listed, and why stands on standard error. */
function unbroken(verify: Verifier['whole']): Verifier['whole'] {
  return async (files) => {
    try {
      return await verify(files);
    } catch (error) {
      process.stderr.write(`broke off: ${error instanceof Error ? error.stack : String(error)}\n`);
      return [];
    }
  };
}

const engine = await createEngine({ backend: 'wasm' });
const page = where === 'page' ? await openPageVerifier() : null;
const jobs = await jobsOf();
process.on('message', async (number: number) => {
  const { files, leaves } = jobs[number]!;
  const into = newWalk();
  const { file } = leaves[0]!;
  const { whole, quick } = (await page?.of(files, file)) ?? verifierOf({ found: foundBy(engine) }, file);
  await walk(files, leaves, { whole: unbroken(whole), quick: unbroken(quick) }, into);
  const values = leaves.reduce((sum, leaf) => sum + leaf.values.length, 0);
  process.send!({ jobs: jobs.length, done: { ...into, values, leaves: leaves.length } });
});
process.on('disconnect', () => void Promise.all([engine.close(), page?.close()]));
process.send!({ jobs: jobs.length });
