export { type StudyResults, type StudySettings, transferStudy } from './analyses/contrast/study.js';
export { coverage, power, rankAudit } from './analyses/index.js';
export type { MapKernels } from './engine/maps.js';
export { referenceMapKernels } from './engine/reference/maps.js';
export { openWasmMapKernels } from './engine/wasm/maps.js';
export type { Environment } from './environment/environment.js';
export { importEnvironment } from './environment/import-environment.js';
export { openEnvironment } from './environment/store.js';
export { readWorld } from './environment/world.js';
export * from './inference/index.js';
export { openAny as openRelease } from './published/open-published.js';
export { verifyAny } from './published/verify-any.js';
export { buildRelease, writeRelease } from './release/build.js';
export { type ReleaseDiff, releaseDiff } from './release/diff.js';
export { gatherSources } from './release/gather.js';
export type { Verification } from './release/proofs/verification.js';
export type { ReleaseView } from './release/view.js';
export * from './responses/index.js';
export * from './scores/index.js';
export { RELEASED_DESIGN } from './tasks/compile/compile-design.js';
export { designFrom } from './tasks/compile/design-file.js';
export { compileTaskSet, explainAnchor } from './tasks/compile/released-source.js';
export { storedTaskSet } from './tasks/compile/taskset-document.js';

export { type CorePlan, coreTasks } from './tasks/coreplan.js';
export { type CoreGuard, coreGuard } from './tasks/leaderboard.js';
export { mapStatistics } from './tasks/map-statistics.js';
export { compareMaps } from './tasks/maps-compare.js';
export { readMapFile } from './tasks/maps-read.js';
export { rescoreMaps } from './tasks/maps-rescore.js';
export { scoreMaps } from './tasks/score-maps.js';
export { PORTFOLIOS, rankedFamilies, rankedTasks, type Task, type TaskSet } from './tasks/task.js';
export {
  readCorePlan,
  readTaskFiles,
  readTaskSet,
  verifyCorePlan,
  verifyTaskFile,
  verifyTaskFiles,
} from './tasks/task-files.js';
export { completionGrid, readCompletions } from './transfer/completion.js';
export { leakageProof } from './transfer/leakage.js';
export { readSeal, sealPrimary } from './transfer/primary-seal.js';
export { runProbe } from './transfer/probe.js';
export { assertOwnTasks, openSecondary, primaryTasks } from './transfer/secondary-stage.js';
export { LAB_V1, LAB_V3, splitPool } from './transfer/split.js';
export { freezeStudy, readStudyPlan } from './transfer/study-plan.js';
export { buildDataset, datasetManifest } from './transfer/training-dataset.js';
export { verifyTrainingRun } from './transfer/training-manifest.js';
export { readRowTasks, trainingPool } from './transfer/training-pool.js';
export { trainingRecipe } from './transfer/training-recipe.js';
export { FlavourError } from './util/error.js';
