import type { OnProgress } from '../../engine/engine.js';
import { type Anchor, type Candidate, type Family, type Rejection, similaritiesTo, type TaskSource } from './family.js';
import { keepScoreable } from './score.js';

/** Anchors whose similarities are held at once: 3 MB a block at 1,335 ingredients. */
const BLOCK = 256;

/** Candidates and rejections of one family, anchors in order. */
export interface FamilyCandidates {
  readonly family: Family;
  readonly candidates: readonly Candidate[];
  readonly rejections: readonly Rejection[];
}

const NONE = new Float64Array(0);

/** Makes the candidates of every family, of one anchor or of all, before any map is scored (compiler b.3). */
export function generate(source: TaskSource, only?: string, onProgress?: OnProgress): FamilyCandidates[] {
  const all = source.families.map((family) => ({
    family,
    candidates: [] as Candidate[],
    rejections: [] as Rejection[],
  }));
  const width = source.ranked.length;
  for (const anchors of new Set(source.families.map((family) => family.anchors))) {
    const group = all.filter(({ family }) => family.anchors === anchors);
    const looks = group.some(({ family }) => family.looksAtSimilarity);
    const wanted = only === undefined ? anchors : anchors.filter(({ name }) => name === only);
    for (let from = 0; from < wanted.length; from += BLOCK) {
      onProgress?.('anchors', from, wanted.length);
      const block: readonly Anchor[] = wanted.slice(from, from + BLOCK);
      const table = looks ? similaritiesTo(source, block) : NONE;
      block.forEach((anchor, i) => {
        const similarity = table.subarray(i * width, (i + 1) * width);
        for (const { family, candidates, rejections } of group) {
          const made = family.candidates(anchor, similarity);
          candidates.push(...made.candidates);
          rejections.push(...made.rejections);
        }
      });
    }
  }
  return all;
}

/** Makes the candidates of every family that have an acceptable map; the others stand among the rejections (compiler b.8). */
export function generateScoreable(source: TaskSource, only?: string, onProgress?: OnProgress): FamilyCandidates[] {
  return generate(source, only, onProgress).map((made, f, all) => {
    onProgress?.('families scored', f, all.length);
    return { family: made.family, ...keepScoreable(source, made.family, made) };
  });
}
