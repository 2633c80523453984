import type { ClusterDesign } from './design.js';
import type { BootstrapRequest, FlipRequest } from './engine.js';

/**
 * Milliseconds that one thread needs, fitted to measurements of bench/ (bench/README.md, "cost curves"). They choose a
 * backend and never a number.
 */
export function bootstrapMilliseconds(design: ClusterDesign, request: BootstrapRequest): number {
  const { rows, ranked, clusters, partCluster, strata } = design;
  const { draws, random, ranks, pairs } = request;
  const words = clusters * (random.kind === 'numpy' ? 15 : 1.7);
  const sums = partCluster.length * (rows + 1) * 0.02;
  const ratios = rows * (strata * 0.8 + 8);
  const ranking = ranks ? ranked * Math.min(ranked, 128) * 0.2 : 0;
  const differences = pairs ? rows * rows * 0.5 : 0;
  return (draws * (words + sums + ratios + ranking + differences)) / 1e6;
}

export function flipMilliseconds(design: ClusterDesign, request: FlipRequest): number {
  const { rows, ranked, clusters } = design;
  const additions = clusters * rows * 0.012;
  const comparisons = rows * rows * 0.12 + (request.maxT ? ranked * ranked * 0.15 : 0);
  return (request.draws * (60 + additions + comparisons)) / 1e6;
}
