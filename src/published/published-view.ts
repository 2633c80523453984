import { z } from 'zod';
import { replayPlan } from '../inference/plan.js';
import { analysisSchema, leaderboardOf } from '../inference/read-leaderboard.js';
import type { JsonObject } from '../io/json.js';
import { AS_BUILT } from '../release/release-files.js';
import { assertOwnAnalyses } from '../release/subject.js';
import type { ReleaseView } from '../release/view.js';
import type { Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';

export const PUBLISHED_SCHEMA = 'flavourbench-complete-common-core-release-v1';

/** The procedure of the published analysis; sizes, seed and alpha stand in its document. */
export const PUBLISHED_PROCEDURE = { rng: 'numpy', strata: 'family', scheme: 'joint' } as const;

/** Names of the published roster as its tables print them (collection 1.2). */
const PUBLISHED_NAMES: ReadonlyMap<string, string> = new Map([
  ['openai/gpt-5.6-sol-pro', 'GPT-5.6 Sol Pro'],
  ['openai/gpt-5.6-terra-pro', 'GPT-5.6 Terra Pro'],
  ['openai/gpt-5.6-luna-pro', 'GPT-5.6 Luna Pro'],
  ['meta-llama/llama-4-maverick', 'Llama 4 Maverick'],
  ['anthropic/claude-opus-5', 'Claude Opus 5'],
  ['anthropic/claude-sonnet-5', 'Claude Sonnet 5'],
  ['google/gemini-3.1-pro-preview', 'Gemini 3.1 Pro'],
  ['google/gemini-3.6-flash', 'Gemini 3.6 Flash'],
  ['x-ai/grok-4.6', 'Grok 4.6'],
  ['moonshotai/kimi-k3', 'Kimi K3'],
  ['qwen/qwen3.8-max', 'Qwen 3.8 Max'],
  ['z-ai/glm-5.2', 'GLM 5.2'],
  ['deepseek/deepseek-v4-pro-0813', 'DeepSeek V4 Pro 0813'],
  ['deepseek/deepseek-v4-flash-0731', 'DeepSeek V4 Flash'],
  ['minimax/minimax-m3', 'MiniMax M3'],
  ['nvidia/nemotron-3.5-lightning', 'Nemotron 3.5 Lightning'],
  ['mistralai/mistral-large-2512', 'Mistral Large 3'],
  ['tencent/hy3', 'Tencent HY 3'],
  ['cohere/command-a', 'Command A'],
  ['cohere/command-r-plus-08-2024', 'Command R+'],
  ['meta/muse-spark-1.2', 'Muse Spark 1.2'],
  ['meta/muse-glimmer-30b', 'Muse Glimmer 30B'],
  ['anthropic/claude-fable-5', 'Claude Fable 5'],
  ['qwen/qwen3.8-2.4t-a95b', 'Qwen3.8 A95B'],
  ['bytedance-seed/seed-2-1-turbo', 'Seed 2.1 Turbo'],
  ['thinkingmachines/inkling', 'Inkling'],
  ['z-ai/glm-5.3', 'GLM 5.3'],
] as const);

/** The published release document (collection 3.1), as far as a view shows it. */
const documentSchema = z.looseObject({
  artifact_sha256: z.string(),
  benchmark: z.string(),
  track: z.string(),
  claim_boundary: z.string(),
  analysis: analysisSchema,
});

/** What stands beside the published document, read. */
export interface PublishedParts {
  readonly corePlan?: JsonObject | null;
  readonly tasks?: readonly Task[] | null;
  readonly analyses?: ReadonlyMap<string, JsonObject>;
}

/**
 * Makes the view of the published release document (collection 3.1) with what stands beside it. Nothing is proved here. Errors: SCHEMA_INVALID with
 * the field; ANALYSIS_FOREIGN.
 */
export function publishedView(value: JsonObject, file: string, parts: PublishedParts = {}): ReleaseView {
  const { corePlan = null, tasks = null, analyses = new Map() } = parts;
  if (value.schema_version !== PUBLISHED_SCHEMA) {
    fail(
      'SCHEMA_INVALID',
      { file, path: 'schema_version' },
      `${PUBLISHED_SCHEMA} expected, found ${shown(value.schema_version)}`,
      `Give a release folder, or a document of schema ${PUBLISHED_SCHEMA}.`,
    );
  }
  const document = checked(documentSchema, value, { file }, AS_BUILT);
  const leaderboard = leaderboardOf(document.analysis, { file, path: 'analysis' }, AS_BUILT);
  const subject = {
    models: leaderboard.models.map(({ modelId }) => modelId),
    ...(corePlan === null ? {} : { core_sha256: () => dataText(corePlan.artifact_sha256) }),
  };
  assertOwnAnalyses(analyses, subject, { unbound: false });
  return {
    kind: 'published',
    digest: document.artifact_sha256,
    address: null,
    benchmark: document.benchmark,
    track: document.track,
    claim: document.claim_boundary,
    leaderboard,
    printedNames: PUBLISHED_NAMES,
    plan: replayPlan({ ...leaderboard.plan, ...PUBLISHED_PROCEDURE }),
    corePlan,
    tasks,
    matrix: null,
    routes: [],
    analyses,
    cases: null,
  };
}
