import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCorePlan } from '../../src/tasks/coreplan.js';
import { readTaskFiles } from '../../src/tasks/taskset.js';
import type { StudyResult } from '../../src/transfer/study.js';
import { cliInline } from '../support/cli-inline.js';
import { goldenSubstitutionFiles } from '../support/golden-substitutions.js';
import { shared } from '../support/shared.js';

const RELEASE = '0a20655c97aa1363c2266e247f3dd03b759d0f80bca9154c6619c5549b2fac99';
const PLAN = '2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507';
const SETS = [
  'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
  '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
];

export const FAMILIES = ['substitution', 'pairing', 'constraint'];
export const PANELS = ['panel_1', 'panel_2'];
export const CHECKPOINTS = ['cooc', 'core', 'chem'];

/** A model of the released leaderboard document. */
export interface ReleasedModel {
  readonly model_id: string;
  readonly flavourbench_score: number;
  readonly family_scores: Readonly<Record<string, number>>;
  readonly point_estimate_rank: number;
}

export const taskSetPaths = () =>
  SETS.map((id) => shared(`data/tasksets/epicure-selection-taskset-${id}.json`));
export const corePlanPath = () =>
  shared(`data/plan/epicure-selection-joint-analysis-plan-${PLAN}.json`);
export const releasePath = () =>
  shared(`data/release/flavourbench-complete-core-release-${RELEASE}.json`);

/** The released board, task sets and core. */
export function publicInputs() {
  const { analysis } = JSON.parse(readFileSync(releasePath(), 'utf8'));
  const models = analysis.models as ReleasedModel[];
  return {
    /** In roster order. */
    models,
    ids: models.map(({ model_id }) => model_id),
    scores: models.map(({ flavourbench_score }) => flavourbench_score),
    leader: models.find(({ point_estimate_rank }) => point_estimate_rank === 1)!.model_id,
    panels: analysis.panel_replication.models as Readonly<Record<string, number>>[],
    files: readTaskFiles(taskSetPaths()),
    core: readCorePlan(corePlanPath()),
  };
}
export type PublicInputs = ReturnType<typeof publicInputs>;

// biome-ignore lint/suspicious/noExplicitAny: result documents of every kind
export type Document = Readonly<Record<string, any>>;

/** Every analysis with its published numbers of draws, sizes and seeds, on the synthetic leaderboard. */
export async function syntheticAnalyses(folder: string): Promise<(name: string) => Document> {
  const substitutions = goldenSubstitutionFiles(folder);
  const { code, stderr } = await cliInline([
    ...['sensitivity', 'all', '--rng', 'numpy', '--quiet', '--out', folder],
    ...['--responses', shared('golden/a/responses.jsonl'), '--tasks', ...taskSetPaths()],
    ...['--core', corePlanPath(), '--pool', shared('golden/analyses/pool.csv')],
    ...['--maps', `replacement=${shared('golden/analyses/replacement_maps.jsonl')}`],
    ...['--env', substitutions.environment, '--min-group', '11'],
    ...['--substitutions', substitutions.test, '--substitutions-train', substitutions.train],
  ]);
  if (code !== 0) throw new Error(stderr);
  return (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}

/** A document of `transfer contrast`. */
export interface TransferDocument {
  readonly plan: Document;
  readonly results: StudyResult;
}

const PROTOCOL = '9256abd79a522898da08406d780a7bf1c06fa50cd156ba1381df42d15bc9e7ec';
export const primaryCompletions = () => shared('published/transfer-primary-responses.jsonl');

/** The primary transfer analysis of the published completions, with every setting left as it is. */
export async function primaryTransfer(folder: string): Promise<TransferDocument> {
  const { code, stdout, stderr } = await cliInline([
    ...['transfer', 'contrast', '--rng', 'numpy', '--protocol-sha256', PROTOCOL, '--json'],
    ...['--completions', primaryCompletions(), '--tasks', ...taskSetPaths(), '--out', folder],
  ]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
