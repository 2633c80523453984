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
  ])('%s: columns that are no tasks are named, with a command that leaves just those out', async (_, text, tasks) => {
    const { matrix, warnings } = await readScoreText(text);
    expect(matrix.tasks.length).toBeGreaterThan(tasks.length);
    const drop = warnings.filter((warning) => warning.includes('no task, --drop')).flatMap(dropped);
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
