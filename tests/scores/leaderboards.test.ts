import { describe, expect, it } from 'vitest';
import { splitNames } from '../../src/scores/column-names.js';
import { isFactName, isLowerName } from '../../src/scores/fact-names.js';
import { readScoreText, refusal } from '../support/score-text.js';

/** The names under `--drop` in a sentence, as a shell hands them over. */
const dropped = (words: string): string[] =>
  [...words.matchAll(/--drop ('(?:[^']|'\\'')*'|\S+)/g)].map(([, list]) => list!.replace(/^'|'$/g, ''));

describe('public leaderboards', () => {
  it.each([
    [
      'Open LLM Leaderboard',
      'Model,Average ⬆️,IFEval,BBH,MATH Lvl 5,#Params (B),Hub License,Hub ❤️,Submission Date,CO₂ cost (kg),MoE\nx,44,50,40,42,7.2,mit,900,2024-06-01,1.5,False\ny,53,55,50,54,70.6,mit,12,2024-07-01,3.5,True\nz,31,30,33,30,200,mit,7,2024-08-01,9.5,False\n',
      ['IFEval', 'BBH', 'MATH Lvl 5'],
    ],
    [
      'HELM',
      'Model,Mean win rate,NarrativeQA - F1,OpenbookQA - EM,MMLU - EM\nx,.9,.44,.38,.51\ny,.8,.36,.54,.33\nz,.1,.31,.22,.65\n',
      ['NarrativeQA - F1', 'OpenbookQA - EM', 'MMLU - EM'],
    ],
    [
      'scores with their errors',
      'model,mmlu,mmlu_stderr,gsm8k,gsm8k_stderr\nx,44.1,.3,36.2,.4\ny,50.1,.3,33.2,.4\nz,41.7,.3,30.2,.4\n',
      ['mmlu', 'gsm8k'],
    ],
    [
      'a list of models with what they cost',
      'Model,Params (B),Release Date,Context Length,Avg. Score,"Price (in, $/M)",mmlu,arc\nx,7,2024-01,8192,44,2.5,40,48\ny,70,2024-02,4096,50,5,51,49\nz,8,2024-03,4096,40,.5,39,42\n',
      ['mmlu', 'arc'],
    ],
    [
      'vision models by year',
      'model,year,parameters (millions),cifar,imagenet,latency_ms\nx,2020,11,90,70,3\ny,2021,25,91,74,5\nz,2022,86,95,81,9\n',
      ['cifar', 'imagenet'],
    ],
    [
      'a hub with times and counts',
      'model,mmlu,arc,gsm8k,created,downloads_30d,followers\nx,.731,.642,.511,1700000000,91023,812\ny,.652,.701,.433,1712345678,1203,40\nz,.501,.555,.302,1688888888,88,7\n',
      ['mmlu', 'arc', 'gsm8k'],
    ],
    [
      'speeds beside scores',
      'model,mmlu,arc,tokens_per_second,ttft,RTFx,vram_gb\nx,.731,.642,143.2,.31,2020.5,24\ny,.652,.701,98.1,.52,812.25,80\nz,.501,.555,55.5,1.9,77.5,16\n',
      ['mmlu', 'arc'],
    ],
    [
      'columns under names that say nothing',
      'model,mmlu,arc,gsm8k,bbh,hella,wino,piqa,alpha,beta\nx,.73,.64,.51,.4,.61,.7,.6,4096,99000\ny,.65,.70,.43,.5,.55,.6,.7,32768,1200\nz,.50,.55,.30,.3,.6,.5,.8,8192,88\n',
      ['mmlu', 'arc', 'gsm8k', 'bbh', 'hella', 'wino', 'piqa'],
    ],
  ])('%s: columns that are no tasks are named, with a command that leaves just those out', async (_, text, tasks) => {
    const { matrix, warnings } = await readScoreText(text);
    expect(matrix.tasks.length).toBeGreaterThan(tasks.length);
    const drop = warnings
      .filter((warning) => /if (?:it is )?no task, --drop|if they are no tasks, --drop/.test(warning))
      .flatMap(dropped);
    const rest = await readScoreText(text, { drop });
    expect(rest.matrix.tasks).toEqual(tasks);
    expect(rest.warnings).toEqual([]);
    const asked = await readScoreText(text, { only: matrix.tasks });
    expect(asked.warnings.filter((warning) => warning.includes('called as facts'))).toEqual([]);
  });

  it('of ratings hold no scores on tasks, which is what is said', async () => {
    const text = 'model,elo,elo_lower,elo_upper,n_battles\nx,1316,1310,1322,900\ny,1301,1290,1312,800\n';
    const { code, message, hint } = await refusal(text);
    expect(code).toBe('SCHEMA_INVALID');
    expect(message).toContain(
      '"elo", "elo_lower", "elo_upper", "n_battles", are called as summaries or facts about models',
    );
    expect(hint).toContain('--only elo,elo_lower,elo_upper,n_battles takes them');
    const all = await readScoreText(text, { only: splitNames(['elo,elo_lower'], () => false) });
    expect(all.matrix.tasks).toEqual(['elo', 'elo_lower']);
  });

  it('whose one column is too great for a scale that keeps the others say which are blurred, and by what', async () => {
    const text = 'model,mmlu,arc,stamp\nx,.731,.642,1700000000\ny,.652,.701,1712345678\nz,.501,.555,1688888888\n';
    const { matrix, warnings } = await readScoreText(text);
    expect(matrix.scale).toBe(1);
    expect(warnings).toContain(
      'values of "mmlu", "arc" are rounded by up to 0.5, which blurs them: "stamp" reaches 1.712e+09, too far for a finer scale; if it is no task, --drop stamp',
    );
    const { matrix: without, warnings: none } = await readScoreText(text, { drop: ['stamp'] });
    expect([without.scale, none]).toEqual([1000, []]);
  });

  it('name no task without values, nor one that is the same for all, as blurred', async () => {
    const cells = ['x', 'y'].flatMap((model, m) => [
      ...[`${model},mmlu,${m ? '.652' : '.731'}`, `${model},same,.5`, `${model},none,`],
      `${model},stamp,${1_700_000_000 + 5_000_000 * m}`,
    ]);
    const text = `model,task,value\n${cells.join('\n')}\n`;
    const { warnings } = await readScoreText(text, { missing: 'common-tasks' });
    expect(warnings.filter((warning) => warning.includes('blurs'))).toEqual([
      'values of "mmlu" are rounded by up to 0.35, which blurs them: "stamp" reaches 1.705e+09, too far for a finer scale; if it is no task, --drop stamp',
    ]);
  });

  it('with a share in percent beside fractions past 1 name the columns to leave out', async () => {
    const { hint } = await refusal('model,mmlu,zero-shot\nx,73.1,99%\ny,65.2,40%\n');
    expect(hint).toContain('--drop zero-shot or --drop mmlu');
  });

  it('in long form are warned of by the names of their rows', async () => {
    const text = ['average', 'mmlu', 'arc']
      .flatMap((task, t) => ['x', 'y'].map((model, m) => `${model},${task},${t + 2 * m}`))
      .join('\n');
    const { warnings } = await readScoreText(`model,variable,value\n${text}\n`);
    expect(warnings.join()).toContain(
      '"average" counts as a task and is called as facts about models or summaries are',
    );
  });
});

describe('a name of a fact about models', () => {
  it.each([
    ...['Params (B)', '#Params (B)', 'num_params', 'parameters (millions)', 'modelSize', 'Average ⬆️', 'Avg. Score'],
    ...['Mean win rate', 'Release Date', 'Submission Date', 'CO₂ cost (kg)', 'Rank* (UB)', 'Votes', 'mmlu_stderr'],
    ...['License', 'Context Length', 'latency_ms', 'Hub ❤️', 'elo_lower', 'Price ($/M)', 'total_tokens'],
    ...[
      'created',
      'last_updated',
      'downloads_30d',
      'tokens_per_second',
      'ttft',
      'vram_gb',
      'Context',
      'train_hours',
      'RTFx',
    ],
  ])('is known: %s', (name) => {
    expect(isFactName(name)).toBe(true);
  });

  it.each([
    ...['date_understanding', 'temporal_sequences', 'MMLU', 'GSM8K', 'object_counting', 'q1', 't0', 'MATH Lvl 5'],
    ...['truthfulqa_mc2', 'What is the average of 2 and 4?', 'rankings of teams', 'size comparison', '% Resolved'],
    ...['memory recall', 'version control', 'Arena Score', '1', ''],
  ])('is not read into tasks: %s', (name) => {
    expect(isFactName(name)).toBe(false);
  });
});

describe('a table that a harness prints', () => {
  it('of means is called so, with what gives scores on samples', async () => {
    const print =
      '|  Tasks   |Version|Filter|n-shot| Metric |   |Value |   |Stderr|\n|----------|------:|------|-----:|--------|---|-----:|---|-----:|\n|arc_easy  |      1|none  |     0|acc     |↑  |0.6014|±  |0.0100|\n|          |       |none  |     0|acc_norm|↑  |0.5392|±  |0.0102|\n';
    const { code, message, hint } = await refusal(print);
    expect([code, message]).toEqual([
      'SCHEMA_INVALID',
      'x.csv: is the table that lm-evaluation-harness prints: one mean an evaluation of one model, no scores on samples',
    ]);
    expect(hint).toContain('--log_samples');
  });
});

describe('names of measures', () => {
  it.each([
    'perplexity',
    'lambada_ppl',
    'val loss',
    'WER (%)',
    'BrierScore',
    'word-error rate'.replace('word-', 'Word '),
  ])('that are better when lower are known: %s', (name) => {
    expect(isLowerName(name)).toBe(true);
  });
  it.each(['glossary', 'accuracy', 'terror', 'MMLU', 'lossless compression', 'mae_govannen_quiz_of_five words here'])(
    'that are not are left alone: %s',
    (name) => {
      expect(isLowerName(name)).toBe(false);
    },
  );
});
