import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StudyResults } from '../../src/analyses/contrast/study.js';
import { readCorePlan, readTaskFiles } from '../../src/tasks/task-files.js';
import { cliInline } from '../support/cli-inline.js';
import { goldenSubstitutionFiles } from '../support/golden-substitutions.js';
import { CORE_PLAN, RELEASE_JSON, TASK_SETS } from '../support/released-files.js';
import { shared } from '../support/shared.js';

export const CHECKPOINTS = ['cooc', 'core', 'chem'];

/** A model of the released leaderboard document. */
export interface ReleasedModel {
  readonly model_id: string;
  readonly flavourbench_score: number;
  readonly family_scores: Readonly<Record<string, number>>;
  readonly point_estimate_rank: number;
}

/** The released board, task sets and core. */
export function publicInputs() {
  const { analysis } = JSON.parse(readFileSync(RELEASE_JSON(), 'utf8'));
  const models = analysis.models as ReleasedModel[];
  return {
    /** In roster order. */
    models,
    ids: models.map(({ model_id }) => model_id),
    scores: models.map(({ flavourbench_score }) => flavourbench_score),
    leader: models.find(({ point_estimate_rank }) => point_estimate_rank === 1)!.model_id,
    panels: analysis.panel_replication.models as Readonly<Record<string, number>>[],
    files: readTaskFiles(TASK_SETS()),
    core: readCorePlan(CORE_PLAN()),
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
    ...['--responses', shared('golden/a/responses.jsonl'), '--tasks', ...TASK_SETS()],
    ...['--core', CORE_PLAN(), '--pool', shared('golden/analyses/pool.csv')],
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
  readonly results: StudyResults;
}

const PROTOCOL = '9256abd79a522898da08406d780a7bf1c06fa50cd156ba1381df42d15bc9e7ec';
export const primaryCompletions = () => shared('published/transfer-primary-responses.jsonl');

/** The primary transfer analysis of the published completions, with every setting left as it is. */
export async function primaryTransfer(folder: string): Promise<TransferDocument> {
  const { code, stdout, stderr } = await cliInline([
    ...['transfer', 'contrast', '--rng', 'numpy', '--protocol-sha256', PROTOCOL, '--json'],
    ...['--completions', primaryCompletions(), '--tasks', ...TASK_SETS(), '--out', folder],
  ]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
