export { philox } from './philox';
export { gram, gramScratch, taskSimilarities } from './gram';
export { heapBase } from './heap';
export { portfolioMaps } from './portfolio';
