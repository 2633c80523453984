import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPartThreads } from '../../src/responses/batch/part-threads.js';
import type { LineCounts, PartWork } from '../../src/responses/batch/part-work.js';
import type { PartDone } from '../../src/responses/batch/score-part.js';
import { scoreParts } from '../../src/responses/batch/score-parts.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { taskRow } from '../tasks/support.js';

const PARTS = 9;
const tasks = [taskFromRow(taskRow('pairing-1', { family: 'pairing' }), { file: 'test' })];
const row = `${JSON.stringify({ model_id: 'm', task_id: 'pairing-1', response: 'FINAL_SELECTION: A,B,C' })}\n`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unread-part-'));
  writeFileSync(join(folder, 'answers.jsonl'), row.repeat(PARTS));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Parts of one line each, of which one stands in a file that went away. */
async function* partsWithout(gone: number): AsyncGenerator<PartWork, void, undefined> {
  const feeds = new Int32Array(new SharedArrayBuffer(4 * PARTS)).fill(-1) as LineCounts;
  for (let place = 0; place < PARTS; place += 1) {
    const path = join(folder, place === gone ? 'gone.jsonl' : 'answers.jsonl');
    const from = place * row.length;
    yield { id: String(place), name: path, form: 'range', path, from, to: from + row.length, place, feeds };
  }
}

async function scored(gone: number, threads: number): Promise<{ ids: string[]; error: unknown }> {
  const pool = threads === 1 ? null : openPartThreads(threads);
  const done: PartDone[] = [];
  let error: unknown;
  try {
    const plan = { parser: 'v4', ignoreUnknown: false, strict: false, compare: [], near: false } as const;
    for await (const part of scoreParts(partsWithout(gone), { tasks, known: [], plan }, pool)) done.push(part);
  } catch (caught) {
    error = caught;
  } finally {
    await pool?.close();
  }
  return { ids: done.map(({ id }) => id), error };
}

describe('a part that cannot be read', () => {
  it.each([1, 2, 3])('ends a batch of %i threads with its error, behind the parts before it', async (threads) => {
    for (const gone of [0, 4, PARTS - 1]) {
      const { ids, error } = await scored(gone, threads);
      expect(ids).toEqual(Array.from({ length: gone }, (_, k) => String(k)));
      expect(error).toMatchObject({ code: 'INPUT_NOT_FOUND', message: expect.stringContaining('gone.jsonl') });
    }
  });

  it.each([1, 3])('because its file was cut ends it too, and is not counted as empty: %i threads', async (threads) => {
    const path = join(folder, 'cut.jsonl');
    writeFileSync(path, row.repeat(PARTS));
    const pool = threads === 1 ? null : openPartThreads(threads);
    const plan = { parser: 'v4', ignoreUnknown: false, strict: false, compare: [], near: false } as const;
    const feeds = new Int32Array(new SharedArrayBuffer(4 * PARTS)).fill(-1) as LineCounts;
    async function* parts(): AsyncGenerator<PartWork, void, undefined> {
      for (let place = 0; place < PARTS; place += 1) {
        if (place === 4) truncateSync(path, 3 * row.length);
        const from = place * row.length;
        yield { id: String(place), name: path, form: 'range', path, from, to: from + row.length, place, feeds };
      }
    }
    const read = async () => {
      for await (const _ of scoreParts(parts(), { tasks, known: [], plan }, pool));
    };
    await expect(read()).rejects.toMatchObject({ code: 'INPUT_CHANGED', exit: 5 });
    await pool?.close();
  });

  it.each([1, 2, 3, 5])('is none where all are there: %i threads', async (threads) => {
    const { ids, error } = await scored(-1, threads);
    expect(error).toBeUndefined();
    expect(ids).toEqual(Array.from({ length: PARTS }, (_, k) => String(k)));
  });
});
