export { readAnswers } from './answers';
export {
  gatherCounts,
  jointCounts,
  markEmpty,
  ratios,
  stratifiedCounts,
  stratumSums,
  wideRatios,
} from './bootstrap';
export { gram, gramScratch, taskSimilarities } from './gram';
export { heapBase } from './heap';
export { portfolioMaps } from './portfolio';
export {
  inverseRootSquares,
  inverseWideRootSquares,
  tallyMaxima,
  tallyWideMaxima,
} from './maxt';
export { listedTotals } from './listed';
export { findNames, insertName } from './names';
export { multinomialRows, multinomialStarts, packSigns, pcgWords } from './numpy';
export { philoxWords } from './philox';
export { scanAnswers } from './scan';
export { orderStatistics } from './select';
export {
  addFlips,
  countPairs,
  countRows,
  countWidePairs,
  countWideRows,
  enumeratedBits,
  joinPlanes,
  philoxBits,
  signTables,
} from './signflip';
export { blockedSum, raiseMaxima, rankByPairs, rankBySorting } from './summary';
export { subsetTotals } from './subset';
