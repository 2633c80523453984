import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { KEYS, madeAnswer, NAMES } from '../made-answer.js';

const FAMILIES = ['substitution', 'pairing', 'constraint'];
const LABELS = 'ABCDEFGH';
const PADDING = 'The dish wants acid and a soft crumb, so a grain with body suits it well here. '.repeat(3);
/** Forms and selections of answers come again after as many rows: ten forms, 56 selections, eight names. */
const ROUND = 560;

const taskIds = (tasks) =>
  Array.from({ length: tasks }, (_, i) => `scale-${FAMILIES[i % 3]}-${String(i).padStart(3, '0')}`);

/** Writes answers of 200 bytes in ten forms, model by model, as lines. */
export function writeAnswers({ path, rows, models, tasks }) {
  const ids = taskIds(tasks);
  const said = Array.from({ length: ROUND }, (_, i) => JSON.stringify(madeAnswer(i)).slice(1));
  const handle = openSync(path, 'w');
  const lines = [];
  for (let i = 0; i < rows; i++) {
    const head = `{"model":"scale/model-${Math.floor(i / tasks) % models}","task_id":"${ids[i % tasks]}","status":"completed","response":"`;
    const tail = said[i % ROUND];
    lines.push(`${head}${PADDING.slice(0, Math.max(0, 198 - head.length - tail.length))}${tail}}\n`);
    if (lines.length === 50_000) writeSync(handle, lines.splice(0).join(''));
  }
  writeSync(handle, lines.join(''));
  closeSync(handle);
}

/** Writes the tasks of such answers. */
export function writeTasks({ path, tasks }) {
  const scores = Object.fromEntries(KEYS.map((key, i) => [key, i === 55 ? 10_000 : i * 100]));
  const total = Object.values(scores).reduce((sum, score) => sum + score, 0);
  const task = (task_id, i) => ({
    task_id,
    family: FAMILIES[i % 3],
    anchor_ingredient: `anchor_${i}`,
    choices: Object.fromEntries(NAMES.map((name, k) => [LABELS[k], name])),
    prompt: 'Pick three.',
    selection_scores_bps: scores,
    optimal_selection: 'FGH',
    chance_score_bps: Math.round(total / 56),
  });
  writeFileSync(
    path,
    taskIds(tasks)
      .map((id, i) => JSON.stringify(task(id, i)))
      .join('\n'),
  );
}

/** Writes a wide table of whole points, a row a model: better models come first. */
export function writeTable({ path, models, tasks }) {
  const handle = openSync(path, 'w');
  writeSync(handle, `model,${taskIds(tasks).join()}\n`);
  for (let m = 0; m < models; m++) {
    const scores = Array.from({ length: tasks }, (_, t) => {
      const word = Math.imul(m * 40_503 + t * 10_007 + 1, 0x9e3779b1) >>> 8;
      return (word % 61) + Math.round((40 * (models - m)) / models);
    });
    writeSync(handle, `scale/model-${m},${scores.join()}\n`);
  }
  closeSync(handle);
}

const [made, options] = process.argv.slice(2);
const KINDS = { answers: writeAnswers, tasks: writeTasks, table: writeTable };
if (process.argv[1] === import.meta.filename && made in KINDS) KINDS[made](JSON.parse(options));
