import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScoreMatrix } from '../../src/core/matrix.js';
import { matrixFromRows } from '../../src/core/matrix-rows.js';
import { createEngine } from '../../src/engine/node.js';
import { decisionWords, fewestWords } from '../../src/inference/decisions/decision-words.js';
import { runInference } from '../../src/inference/infer.js';
import type { Inference } from '../../src/inference/result.js';

/** Subjects: eight models, points to a tenth. Agents: twelve systems, 300 tasks of six repositories, 0 or 1. */
function table(name: 'subjects' | 'agents') {
  const text = readFileSync(`fixtures/cases/sentences/${name}.csv`, 'utf8').trim();
  const [head, ...rows] = text.split('\n').map((line) => line.split(','));
  const models = rows.map(([model]) => model!);
  return { models, tasks: head!.slice(1), values: rows.map((row) => row.slice(1).map(Number)) };
}

async function words(matrix: ScoreMatrix): Promise<string[]> {
  const engine = await createEngine({ backend: 'wasm' });
  const inference = await runInference({ matrix, plan: { strata: 'family' }, defaults: 'table', engine });
  return decisionWords(inference, ({ modelId }) => modelId);
}

describe('the first sentences of a comparison', () => {
  it('name the steps that are open and what would settle them', async () => {
    const said = await words(matrixFromRows({ ...table('subjects'), quantize: 10 }));
    expect(said[0]).toBe(
      'No model is best beyond doubt: qwen2-72b has the highest score and is not told apart from llama-3-70b.',
    );
    expect(said[1]).toMatch(
      /^2 of the 7 steps of this order are open after 57 tasks: qwen2-72b and llama-3-70b \(about 3\d0 more tasks if the observed 0\.97 is the true difference\)/,
    );
  });

  it('count what differs, not what is there, where a pair differs in few', async () => {
    const said = async (tasks: number, differing: number) => {
      const row = (value: number) => Array.from({ length: tasks }, (_, t) => (t < differing ? value : 0));
      const names = Array.from({ length: tasks }, (_, t) => `t${t}`);
      const matrix = matrixFromRows({ models: ['a', 'b'], tasks: names, values: [row(1), row(0)] });
      return (await words(matrix))[1];
    };
    expect(await said(6, 4)).toContain('a and b (about 3 more tasks');
    expect(await said(8, 5)).toContain('a and b (about 2 more tasks');
    expect(await said(20, 2)).toMatch(/a and b \(about [4-9]\d more tasks/);
  });

  it('say why neighbours that are told apart may both hold one rank', async () => {
    const said = await words(matrixFromRows({ ...table('subjects'), quantize: 10 }));
    expect(said[2]).toBe(
      'phi-3-medium and qwen2-7b are told apart though both may hold one rank: ranks are allowed for all models at once, which asks for more.',
    );
  });

  it('ask for clusters where tasks stand or fall together, and promise nothing else', async () => {
    const { tasks, ...rest } = table('agents');
    const clusters = tasks.map((task) => task.split('__')[0]!);
    const said = await words(matrixFromRows({ ...rest, tasks, clusters }));
    expect(said[0]).toBe(
      'No two models are told apart: nothing in this order is established. agent-10 and agent-11 share the highest score.',
    );
    expect(said[1]).toMatch(
      /agent-11 and agent-12 \(about 2,\d00 more tasks in 4\d more clusters if the observed 0\.0300/,
    );
    expect(said[2]).toMatch(/^57 of 66 pairs differ in too few clusters/);
    const alone = await words(matrixFromRows({ ...rest, tasks }));
    expect(alone.join(' ')).not.toMatch(/more clusters/);
  });
});

describe('in how many clusters two models have to differ', () => {
  it.each([
    ['max-t', 2, 'at least 6, and more beside many other pairs'],
    ['max-t', 1, 'at least 6'],
    ['holm', 2, 'at least 6'],
  ] as const)('by %s of %i pairs', (multiplicity, total, words) => {
    expect(fewestWords(6, { plan: { multiplicity } as Inference['plan'], total })).toBe(words);
  });
});
