import type { MapKernels } from '../maps.js';
import { gram, taskSimilarities } from './gram.js';
import { portfolioMaps } from './portfolio.js';

/** The map kernels in plain TypeScript: what every other backend is held against. */
export const referenceMapKernels: MapKernels = {
  backend: 'reference',
  gram,
  taskSimilarities,
  portfolioMaps,
};
