// What the engine is wherever it runs; index.ts opens it in Node, browser.ts in a page.
export * from './design.js';
export * from './engine.js';
export { BLOCK_DRAWS, blockedSum, standardError } from './moments.js';
export { countMultisets } from './multisets.js';
export {
  binomial,
  boundedInteger,
  choice,
  conditionalProbabilities,
  integers,
  multinomial,
  signBits,
  type WordSource,
} from './numpy.js';
export { type Pcg64, pcg64 } from './pcg64.js';
export {
  mulHigh,
  PHILOX_ID,
  type PhiloxDraw,
  type PhiloxDrawOptions,
  philoxBlock,
  philoxDraw,
  philoxKey,
} from './philox.js';
export { interpolate, type QuantilePlace, quantilePlace, sortedQuantile } from './quantile.js';
export { MAX_ENUMERATED_CLUSTERS } from './request.js';
export { pcgWordSource } from './wasm/numpy.js';
