import type { Candidate, Rejection } from './candidate.js';
import { constraintCandidates } from './constraint.js';
import type { CompileDesign, Family } from './design.js';
import { rankCuisines, regionalCandidates } from './regional.js';
import { type Eligible, type Space, similaritiesTo } from './space.js';
import { spreadCandidates } from './spread.js';

/** Anchors whose similarities are held at once: 3 MB a block at 1,335 ingredients. */
const BLOCK = 256;

/** Candidates and rejections of one family, anchors in row order. */
export interface FamilyPool {
  readonly family: Family;
  readonly candidates: readonly Candidate[];
  readonly rejections: readonly Rejection[];
}

export interface GenerateRequest {
  readonly space: Space;
  readonly design: CompileDesign;
  /** All eligible ingredients unless given. */
  readonly anchors?: readonly Eligible[];
}

/** What every family makes of every anchor, before any map is scored (compiler b.3). */
export function generate(request: GenerateRequest): FamilyPool[] {
  const { space, design, anchors = space.eligible } = request;
  const pools = new Map(
    design.families.map((family) => [family, { family, candidates: [] as Candidate[], rejections: [] as Rejection[] }]),
  );
  const cuisines = pools.has('cultural_composition') ? rankCuisines(space) : new Map();
  const wide = space.eligible.length;
  for (let from = 0; from < anchors.length; from += BLOCK) {
    const block = anchors.slice(from, from + BLOCK);
    const table = similaritiesTo(
      space,
      Uint32Array.from(block, ({ row }) => row),
    );
    block.forEach((anchor, i) => {
      const similarity = table.subarray(i * wide, (i + 1) * wide);
      for (const [family, pool] of pools) {
        const made = ofFamily(family);
        pool.candidates.push(...made.candidates);
        pool.rejections.push(...made.rejections);
      }
      function ofFamily(family: Family) {
        const { choices } = design;
        const spread = { space, choices, anchor, similarity };
        switch (family) {
          case 'substitution':
            return spreadCandidates({
              ...spread,
              family,
              rule: design.substitution,
              categories: [anchor.category],
            });
          case 'pairing':
            return spreadCandidates({
              ...spread,
              family,
              rule: design.pairing,
              categories: design.complements[anchor.category] ?? [],
            });
          case 'constraint':
            return constraintCandidates({ space, design, anchor, similarity });
          case 'cultural_composition':
            return regionalCandidates({ space, design, anchor, cuisines });
        }
      }
    });
  }
  return [...pools.values()];
}
