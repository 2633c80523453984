import { mkdirSync, writeFileSync } from 'node:fs';

/*
 * The tables that the bars of wide ones are measured on: models of graded skill, made from a seed, in CSV with a column a task. Of 1,000
 * models x 5 tasks and of 139 x 56 each cell is 0 or 1; of 1,024 x 534 a score from 0 to 100 with two decimals. `node bench/run.js --tables
 * FOLDER` writes them.
 */

/** Numbers from 0 to 1 by a seed (mulberry32). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Right with a chance that grows with skill: from .2 to .9. */
const right = (skill: number, next: () => number): number => (next() < 0.2 + 0.7 * skill ? 1 : 0);

const scored = (skill: number, next: () => number): string => (20 + 30 * skill + 50 * next()).toFixed(2);

/** Models, tasks and cells of each table, by its file's name. */
const WIDE_TABLES = {
  '1000x5.csv': { models: 1000, tasks: 5, cell: right },
  '139x56.csv': { models: 139, tasks: 56, cell: right },
  '1024x534.csv': { models: 1024, tasks: 534, cell: scored },
};

/** Writes the tables into a folder. */
export function writeWideTables(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, { models, tasks, cell }] of Object.entries(WIDE_TABLES)) {
    const next = uniforms(models);
    const header = ['model', ...Array.from({ length: tasks }, (_, t) => `task-${t + 1}`)];
    const rows = Array.from({ length: models }, (_, m) => {
      // Neighbours in the table are none in skill.
      const skill = ((m * 389) % models) / models;
      return [`model-${m + 1}`, ...Array.from({ length: tasks }, () => cell(skill, next))];
    });
    writeFileSync(`${folder}/${name}`, `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`);
  }
}
