// Everything here runs in a browser too: documents and files are made elsewhere.
export { binomialMass, clopperPearson } from './binomial.js';
export { clusterDesign } from './cluster-design.js';
export { groups, uniqueTop } from './groups.js';
export { type InferenceOptions, runInference } from './infer.js';
export { holm, pValue, type TestFamily, testFamily } from './p-values.js';
export { cohenDz } from './pairs.js';
export * from './plan.js';
export type { Replication } from './replication.js';
export * from './result.js';
export { familyOrder, panelOrder, type Strata, type StrataMode, strataOf } from './strata.js';
export { direction, type ExactTotals, exactTotals, meanDifference } from './totals.js';
