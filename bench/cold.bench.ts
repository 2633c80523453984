import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { philoxDraw } from '../src/engine/index.js';
import { PORTFOLIOS } from '../src/tasks/task.js';
import { simulatedMatrix } from './simulated.js';

const RUNS = 5;

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** The program of an older build to run in turn with this one: `VERSION_1=/path/to/a/built/0.1.0 npm run bench -- cold`. */
const older = process.env.VERSION_1 && join(process.env.VERSION_1, 'dist/cli/main.js');

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Milliseconds of a cold `infer` that writes its files, Node's start included. */
function coldInfer(program: string, folder: string, args: readonly string[]): number {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const start = performance.now();
  const call = [program, 'infer', ...args, '--quiet', '--out', out];
  const { status, stderr } = spawnSync(process.execPath, call, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

/** Median of cold runs, and of their ratios to those of the older build, each after one of ours; the first of either warms the disk. */
function coldRows(name: string, folder: string, args: readonly string[]): Row[] {
  const times: number[] = [];
  const ratios: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const ours = coldInfer('dist/bundle/run.cjs', folder, args);
    const theirs = older ? coldInfer(older, folder, args) : 0;
    if (run === 0) continue;
    times.push(ours);
    ratios.push(ours / theirs);
  }
  const took = { name, value: median(times), unit: 'ms' };
  return older ? [took, { name: `${name}, over version 0.1.0`, value: median(ratios), unit: 'x' }] : [took];
}

const labels = [...'ABCDEFGH'];
const matrix = simulatedMatrix();
const { models, tasks, panels, families, clusters, values } = matrix;

/** The scores as CSV of 27 x 534 lines, and chance beside them. */
function scoreFiles(folder: string): readonly string[] {
  const rows = models.flatMap((model, m) =>
    tasks.map((task, t) => [model, task, panels[t], families[t], clusters[t], values[m * tasks.length + t]].join(',')),
  );
  const scores = join(folder, 'scores.csv');
  const chances = join(folder, 'chance.csv');
  writeFileSync(scores, `model,task,panel,family,cluster,value\n${rows.join('\n')}\n`);
  writeFileSync(chances, `task,value\n${tasks.map((task, t) => `${task},${matrix.chance![t]}`).join('\n')}\n`);
  return ['--scores', scores, '--chance', chances, '--scale', '100'];
}

/** Answers of 27 models to 534 tasks as JSON lines with a selection each, and the tasks with their maps. */
function answerFiles(folder: string): readonly string[] {
  const words = philoxDraw({ seed: 2n, stream: 0xbe7c, draw: 0 });
  const rows = tasks.map((task, t) => {
    const best = words.word() % PORTFOLIOS.length;
    const scores = PORTFOLIOS.map((_, k) => (k === best ? 10_000 : words.word() % 9000));
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return {
      task_id: task,
      family: families[t],
      panel: panels[t],
      anchor_ingredient: clusters[t],
      choices: Object.fromEntries(labels.map((label) => [label, `ingredient ${label} of ${task}`])),
      prompt: `Choose three for ${clusters[t]}.`,
      selection_scores_bps: Object.fromEntries(PORTFOLIOS.map((key, k) => [key, scores[k]])),
      optimal_selection: PORTFOLIOS[best],
      chance_score_bps: mean % 1 === 0.5 ? 2 * Math.round(mean / 2) : Math.round(mean),
    };
  });
  const answers = models.flatMap((model_id) =>
    tasks.map((task_id, t) => {
      const selection = PORTFOLIOS[words.word() % PORTFOLIOS.length];
      return JSON.stringify({ model_id, panel: panels[t], task_id, selection });
    }),
  );
  const taskFile = join(folder, 'tasks.jsonl');
  const answerFile = join(folder, 'answers.jsonl');
  writeFileSync(taskFile, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  writeFileSync(answerFile, `${answers.join('\n')}\n`);
  return ['--responses', answerFile, '--tasks', taskFile];
}

/** `flavourbench infer` from a cold shell over 27 x 534: from scores in CSV, and from answers as the released ones stand. */
export function measure(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-cold-'));
  try {
    return [
      ...coldRows('flavourbench infer from a cold shell, files written', folder, scoreFiles(folder)),
      ...coldRows('the same from 14,418 answers', folder, answerFiles(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
