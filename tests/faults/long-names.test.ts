import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertJsonFits } from '../../src/io/held/json-bound.js';
import { boundedCli } from '../support/bounded.js';
import { refusal } from '../support/refusal.js';
import { readScoreText } from '../support/score-text.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'names-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('names and keys have a bound', () => {
  it('the keys of one JSON object, wherever it stands; those of many objects together are no matter', () => {
    const text = (keys: number, before: string, after: string) =>
      `${before}{${Array.from({ length: keys }, (_, k) => `"k,:{}${k}":[1]`).join()}}${after}`;
    const held = (json: string) => assertJsonFits(json.length, (place) => json.charCodeAt(place), 'x');
    for (const [before, after] of [
      ['', ''],
      ['{"a":[[', ']],"b":{"c":1}}'],
    ] as const) {
      expect(() => held(text(2 ** 18, before, after))).not.toThrow();
      expect(() => held(text(2 ** 18 + 1, before, after))).toThrow(
        'x: JSON in which one object has 262145 keys; at most 262144 are read',
      );
    }
    expect(() => held(text(2 ** 17, '[', `,${text(2 ** 17, '', ',')}${text(2 ** 17, '', ']')}`))).not.toThrow();
  });

  it('the length of a name of a model, a task, a column or what a task belongs to, with file and line', async () => {
    const long = 'n'.repeat(2 ** 14);
    const tables = (name: string): Readonly<Record<string, string>> => ({
      'a model, line 3': `model,q1\na,1\n${name},0\n`,
      'column 2, line 1': `model,${name}\na,1\nb,0\n`,
      'column 1, line 4': `\n\n\n${'\r'.repeat(name.length - 5)}model,q1\na,1\nb,0\n`,
      'a task, line 3': `model,task,value\na,t,1\nb,${name},0\n`,
      'a family, line 2': `model,task,value,family\na,t,1,${name}\nb,t,0,${name}\n`,
      'a cluster, line 2': `model,task,value,cluster\na,t,1,${name}\nb,t,0,${name}\n`,
    });
    for (const [where, table] of Object.entries(tables(`${long}n`))) {
      const [what, line] = where.split(', ');
      expect(await refusal(() => readScoreText(table)), where).toMatch(
        new RegExp(
          `^BOUND_EXCEEDED: x\\.csv, ${line}: the name of ${what} has 16385 characters, .*; at most 16384 are read$`,
        ),
      );
    }
    for (const [where, table] of Object.entries(tables(long)))
      expect(await refusal(() => readScoreText(table)), where).not.toContain('characters');
    const json = `[{"model":"a","${long}n":1},{"model":"b","${long}n":0}]`;
    expect(await refusal(() => readScoreText(json))).toMatch(/^BOUND_EXCEEDED: x\.csv: the name of column 2 has 16385/);
  });

  it('the length of the name of a model in a file of answers', () => {
    const { tasks } = JSON.parse(readFileSync('fixtures/tasks-small.json', 'utf8')) as { tasks: { task_id: string }[] };
    const answer = (model: string) =>
      `${JSON.stringify({ model_id: model, task_id: tasks[0]!.task_id, response: 'FINAL_SELECTION: A,B,C' })}\n`;
    const path = written('long-model.jsonl', answer('a') + answer('n'.repeat(200_000)));
    for (const command of [
      ['infer', '--responses', path],
      ['rescore', path],
    ]) {
      const run = boundedCli([...command, '--tasks', 'fixtures/tasks-small.json']);
      expect(run).toMatchObject({ code: 2, hung: false });
      expect(run.output).toContain('long-model.jsonl, line 2: the name of a model has 200000 characters');
    }
  });
});
