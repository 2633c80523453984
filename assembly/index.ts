export { readAnswers } from './answers';
export {
  gatherCounts,
  jointCounts,
  markEmpty,
  ratios,
  rowValues,
  sumRows,
  stratifiedCounts,
  stratumSums,
  wideRatios,
} from './bootstrap';
export { countPairs, countRows, countWidePairs, countWideRows } from './exceedances';
export { gram, gramScratch, taskSimilarities } from './gram';
export { heapBase } from './heap';
export { pickSums, weighSums } from './kept';
export { portfolioMaps } from './portfolio';
export { narrowSums, tallyMaxima } from './maxt';
export { listedTotals } from './listed';
export { findNames, insertName } from './names';
export { multinomialRows, multinomialStarts, packSigns, pcgWords } from './numpy';
export { philoxWords } from './philox';
export { rankByPairs, rankBySorting } from './rank';
export { coarseLanes, listReaching, tallyPairFamily, tallyRowFamilies } from './reaching';
export { inverseRootSquares, inverseWideRootSquares } from './reciprocals';
export { lineFeeds, scanAnswers } from './scan';
export { orderStatistics } from './select';
export { addFlips, enumeratedBits, joinPlanes, philoxBits, signTables } from './signflip';
export { countSmallPairs, countSmallRows, plainSums, splitWords, tallySmallMaxima } from './small';
export { blockedSum, raiseMaxima } from './summary';
export {
  attainableSums,
  boundMaxima,
  centreRows,
  centreSums,
  closeBlock,
  pairSquares,
} from './stepdown';
export { doubleSums, drawnUnits, studentiseRows } from './studentised';
export { subsetTotals } from './subset';
export { tallyTinyPlaces, tallyTinyRest, tinyColumns, tinyPlaces } from './tiny';
export { listTinyReaching } from './tinyreach';
export { tallyWide } from './wide';
