import { isCulinary } from '../tasks/task.js';
import type { BoardModel } from './board.js';
import type { ReleaseView } from './release.js';

/** Names of the published roster as its tables print them (collection 1.2). */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
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

const FAMILY: Readonly<Record<string, string>> = {
  substitution: 'Substitution',
  pairing: 'Pairing',
  constraint: 'Constraints',
  cultural_composition: 'Regional composition',
};

/** A family as a reader sees it. */
export function familyName(family: string): string {
  return FAMILY[family] ?? family.replaceAll('_', ' ');
}

/** A name without the provider that stands before its first colon. */
export function withoutProvider(name: string): string {
  const [provider, ...rest] = name.split(':');
  const own = rest.join(':').trim();
  return own === '' ? provider! : own;
}

/** What a model is called in tables and figures: the published roster by its printed names, any other as its release says. */
export function modelName(view: Pick<ReleaseView, 'kind'>, model: BoardModel): string {
  const printed = view.kind === 'published' ? PUBLISHED.get(model.id) : undefined;
  return printed ?? (model.name.trim() === '' ? model.id : model.name);
}

/** Models by rank, equal ranks by id. */
export function byRank(models: readonly BoardModel[]): BoardModel[] {
  return [...models].sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
}

/** Whether a release is about food; of another world it is worded without it. */
export function isFood({ board }: ReleaseView): boolean {
  return isCulinary(board.families);
}
