import { sameBytes } from '../../src/io/platform-node.js';
import { checkManifest } from '../../src/release/manifest.js';
import type { Difference } from '../../src/release/proofs/differences.js';
import { Findings } from '../../src/release/proofs/findings.js';
import { isBeside, isExempt } from './exemptions.js';
import type { ForgedWorld } from './forged-world.js';
import { documentOf, type Files, resealed } from './forger.js';
import type { Leaf } from './release-leaves.js';

/** Tells whether differences name a leaf, or what it stands in. */
function names({ file, at, owns }: Leaf, differences: readonly Difference[]): boolean {
  return differences.some((difference) => {
    if (owns?.(difference)) return true;
    if (difference.file !== file) return false;
    const place = difference.at.replace(/ \([^)]*\)/g, '');
    return (
      place === at ||
      at.startsWith(`${place}.`) ||
      at.startsWith(`${place}[`) ||
      place.startsWith(`${at}.`) ||
      place.startsWith(`${at}[`)
    );
  });
}

/** What became of the forgeries of a walk, in values: a leaf is forged with at least two. */
export interface Walk {
  /** Found by a verification. */
  caught: number;
  /** Exempt, and passed: statements of the makers, each with its reason. */
  exempt: number;
  /** Digests and sizes that follow from the rest, so that nothing is forged by changing them. */
  sealed: number;
  /** Passed without being exempt, each as `file name`. */
  readonly passed: string[];
  /** Exempt and found all the same: the exemption says what is not so. */
  readonly stale: string[];
  verifications: number;
}

export const newWalk = (): Walk => ({ caught: 0, exempt: 0, sealed: 0, passed: [], stale: [], verifications: 0 });

/** What verifications find in files whose digests are right. */
export interface Verifier {
  /** All that a verification without options finds. */
  readonly whole: (files: Files) => Promise<readonly Difference[]>;
  /** Part of that, in less time. */
  readonly quick: (files: Files) => Promise<readonly Difference[]>;
}

const title = ({ file, name }: Leaf): string => `${file} ${name}`;

/**
 * Forges leaves, as many at a time as differences can tell apart, with each of their values. Exempt ones must pass together; of the others each must
 * be named, and what is not is forged by itself, as what hides others is.
 */
export async function walk(honest: Files, leaves: readonly Leaf[], verifier: Verifier, into: Walk): Promise<void> {
  const most = Math.max(0, ...leaves.map(({ values }) => values.length));
  for (let k = 0; k < most; k += 1) {
    const rest = leaves.filter(({ values }) => k < values.length);
    for (const round of rounds(rest.filter((leaf) => isExempt(leaf, leaf.values[k]))))
      await walkExempt(honest, round, k, verifier, into);
    const open: Leaf[] = [];
    for (const leaf of rest)
      if (!isExempt(leaf, leaf.values[k])) {
        // By itself, whoever verifies: beside other forgeries it is another digest or size, and named for what they are.
        if (isStated(leaf, leaf.values[k]) && same(honest, await forgedWith(honest, [leaf], k))) into.sealed += 1;
        else open.push(leaf);
      }
    for (const round of rounds(open)) await walkRound(honest, round, k, verifier, into);
  }
}

/** Tells whether a leaf states a digest or the size of a file. */
const isStated = ({ name }: Leaf, value: unknown): boolean =>
  /(^|\.)bytes$/.test(name) || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));

/** Parts leaves so that no two of a part are in one line or answer. */
function rounds(leaves: readonly Leaf[]): Leaf[][] {
  const found: Leaf[][] = [];
  const used: Set<string>[] = [];
  for (const leaf of leaves) {
    const unit = leaf.unit ?? title(leaf);
    const at = used.findIndex((units) => !units.has(unit));
    if (at < 0) {
      found.push([leaf]);
      used.push(new Set([unit]));
    } else {
      found[at]!.push(leaf);
      used[at]!.add(unit);
    }
  }
  return found;
}

async function forgedWith(honest: Files, leaves: readonly Leaf[], k: number): Promise<Files> {
  let forged = honest;
  for (const { values, set } of leaves) forged = await set(forged, values[k]);
  return resealed(honest, forged);
}

const same = (a: Files, b: Files): boolean =>
  a.size === b.size && [...a].every(([name, bytes]) => b.has(name) && sameBytes(bytes, b.get(name)!));

async function walkExempt(
  honest: Files,
  leaves: readonly Leaf[],
  k: number,
  verifier: Verifier,
  into: Walk,
): Promise<void> {
  if (leaves.length === 0) return;
  into.verifications += 1;
  if ((await verifier.whole(await forgedWith(honest, leaves, k))).length === 0) into.exempt += leaves.length;
  else if (leaves.length === 1) {
    const [leaf] = leaves as [Leaf];
    if (isBeside(leaf, leaf.values[k])) into.exempt += 1;
    else into.stale.push(title(leaf));
  } else for (const half of halves(leaves)) await walkExempt(honest, half, k, verifier, into);
}

async function walkRound(
  honest: Files,
  leaves: readonly Leaf[],
  k: number,
  verifier: Verifier,
  into: Walk,
): Promise<void> {
  if (leaves.length === 0) return;
  const forged = await forgedWith(honest, leaves, k);
  into.verifications += 1;
  const found = await verifier.quick(forged);
  if (leaves.length === 1) {
    if (found.length > 0 || (await verifier.whole(forged)).length > 0) into.caught += 1;
    else if (same(honest, forged)) into.sealed += 1;
    else into.passed.push(title(leaves[0]!));
    return;
  }
  const rest = leaves.filter((leaf) => !names(leaf, found));
  into.caught += leaves.length - rest.length;
  if (rest.length < leaves.length / 2) for (const leaf of rest) await walkRound(honest, [leaf], k, verifier, into);
  else for (const half of halves(rest)) await walkRound(honest, half, k, verifier, into);
}

const halves = <T>(items: readonly T[]): T[][] => {
  const half = Math.ceil(items.length / 2);
  return [items.slice(0, half), items.slice(half)];
};

/** A change of the manifest alone leaves every other proof as it is. */
async function manifestFound(files: Files): Promise<readonly Difference[]> {
  const findings = new Findings();
  const release = documentOf(files, 'release.json').artifact_sha256 as string;
  checkManifest({ files, release, digests: new Map(), findings });
  return findings.differences;
}

/** What verifies forgeries of a file of a release. */
export function verifierOf(world: Pick<ForgedWorld, 'found'>, file: string): Verifier {
  if (file === 'MANIFEST.json') return { whole: manifestFound, quick: manifestFound };
  const whole = async (files: Files) => (await world.found(files)).differences;
  const quick = async (files: Files) => (await world.found(files, { quick: true })).differences;
  return { whole, quick: file.startsWith('analyses/') ? whole : quick };
}
