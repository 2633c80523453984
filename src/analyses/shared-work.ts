import type { ScoreMatrix } from '../core/matrix.js';
import {
  type ImmediateWork,
  isShared,
  type Piece,
  type RangedWork,
  type Shares,
  workKey,
} from '../shares/ranged-work.js';

/** Gives the pieces of a work: by the shares, or all of it, done here. */
export async function piecesOf(shares: Shares | undefined, work: RangedWork): Promise<readonly Piece[]> {
  return shares ? shares.pieces(work) : [await work.range(0, work.units)];
}

/** Gives the pieces of draws that are made at once: by the shares, or all of them, made here. Errors: USAGE for a share of a replayed stream. */
export function drawnPieces(
  shares: Shares | undefined,
  random: { readonly kind: 'philox' | 'numpy' },
  work: ImmediateWork,
): readonly Piece[] {
  return isShared(shares, random) ? shares.piecesNow(work) : [work.range(0, work.units)];
}

/** Forms the key of a work over a score matrix. */
export function matrixWorkKey(choices: object, matrix: ScoreMatrix): string {
  const { models, tasks, panels, families, clusters, scale, values } = matrix;
  return workKey({ ...choices, models, tasks, panels, families, clusters, scale }, [values]);
}
