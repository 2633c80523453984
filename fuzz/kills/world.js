import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const hash = (...words) => createHash('sha256').update(words.join('\0')).digest('hex');

/** A number in [0, 1) that follows from these words. */
export const draw = (...words) => Number.parseInt(hash(...words).slice(0, 8), 16) / 2 ** 32;

/** One of a list, by these words. */
export const pick = (list, ...words) => list[Math.floor(draw(...words) * list.length)];

/** The 56 choices of three of eight. */
const PORTFOLIOS = [...'ABCDEFGH'].flatMap((a, i, all) =>
  all.slice(i + 1).flatMap((b, j) => all.slice(i + j + 2).map((c) => `${a}${b}${c}`)),
);

/** Writes so many made-up tasks, one a line. */
function writeTasks(path, count) {
  const rows = Array.from({ length: count }, (_, i) => {
    const id = `task-${i}`;
    const scores = PORTFOLIOS.map((key, at) => (at === 0 ? 10_000 : Math.floor(draw(id, key) * 9000)));
    return {
      task_id: id,
      family: ['substitution', 'pairing', 'constraint'][i % 3],
      panel: 'panel_1',
      anchor_ingredient: `anchor ${i}`,
      choices: Object.fromEntries([...'ABCDEFGH'].map((label) => [label, `herb_${hash(id, label).slice(0, 6)}`])),
      prompt: `Task ${id}. Choose three of eight.`,
      selection_scores_bps: Object.fromEntries(PORTFOLIOS.map((key, at) => [key, scores[at]])),
      optimal_selection: PORTFOLIOS[0],
      chance_score_bps: Math.round(scores.reduce((a, b) => a + b, 0) / scores.length),
    };
  });
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** Tokens that a reply may have, and prices in micro-USD per token. */
export const CEILING = 64;
export const PRICES = { prompt: 2, completion: 6 };

const PATHS = { openrouter: '/or/v1', openai: '/oa/v1', anthropic: '/an' };

/** Writes tasks and a plan for the server at this address; returns the plan's path. */
export function writeWorld(folder, { url, tasks, transports, usd, tokens, free }) {
  writeTasks(join(folder, 'tasks.jsonl'), tasks);
  const models = transports.map((transport, i) => ({
    ...{ id: `test/model-${i}`, transport, base_url: `${url}${PATHS[transport]}`, api_key_env: 'TEST_KEY' },
    expected_model: `test/model-${i}`,
    ...(transport === 'openrouter' ? { provider_tag: 'test', expected_provider: 'Test Provider' } : {}),
    ...(transport === 'openai' ? { revision: 'r1' } : {}),
    decoding: { temperature: 0, max_tokens: CEILING },
    price: free ? { prompt: '0', completion: '0' } : { prompt: `${PRICES.prompt}`, completion: `${PRICES.completion}` },
    ...{ timeout_s: 1, concurrency: 4 },
  }));
  const plan = join(folder, 'plan.json');
  const more = {
    ...{ concurrency: { global: 12 }, max_attempts: 3, suspend_after: 1000, max_reply_bytes: 65_536 },
    accounting: { attempts: 3, delay_s: 0.02 },
  };
  const budget = { usd, ...(tokens === null ? {} : { tokens }) };
  const document = {
    schema: 'flavourbench-plan/1',
    name: 'kills',
    task_sets: [{ path: 'tasks.jsonl' }],
    budget,
    models,
  };
  writeFileSync(plan, JSON.stringify({ ...document, ...more }));
  return plan;
}
