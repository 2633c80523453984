import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import { taskRow } from '../tasks/support.js';
import { cliInline } from './cli-inline.js';
import { startWorker, type TestWorker } from './queue-process.js';
import { startRedis, type TestRedis } from './redis-server.js';

const LETTERS = 'ABCDEFGH';

/** A batch of six files of answers, what one process writes of it, a Redis, and a worker at it. */
export interface QueuedBatch {
  readonly server: TestRedis;
  readonly url: string;
  /** A client of it. */
  readonly redis: Redis;
  /** A worker for all tests of a file. */
  readonly steady: TestWorker;
  /** What one process without a queue writes, as `contentOf` gives it. */
  readonly plain: string;
  /** A path in the folder of the batch. */
  at(name: string): string;
  /** Words of the call that scores it into a folder. */
  scoring(out: string): string[];
  /** Files of a result, under their paths; the summary without the lines that say how and when it was made. */
  contentOf(out: string): string;
  /** Keys of calls that Redis holds. */
  callKeys(): Promise<string[]>;
  close(): Promise<void>;
}

/** Writes the batch, starts Redis and the worker, and scores the batch without them. */
export async function openQueuedBatch(): Promise<QueuedBatch> {
  const folder = mkdtempSync(join(tmpdir(), 'queue-'));
  const at = (name: string) => join(folder, name);
  const scoring = (out: string) => ['rescore', at('answers'), '--tasks', at('tasks.jsonl'), '--out', at(out)];
  const contentOf = (out: string): string => {
    const parts = readdirSync(at(out), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .sort()
      .map((path) => {
        const text = readFileSync(path, 'latin1');
        const { run: _, artifact_sha256: __, ...document } = path.endsWith('summary.json') ? JSON.parse(text) : {};
        return [path.slice(at(out).length), path.endsWith('summary.json') ? JSON.stringify(document) : text];
      });
    return JSON.stringify(parts);
  };
  const ids = ['pairing-1', 'pairing-2', 'pairing-3'];
  writeFileSync(at('tasks.jsonl'), ids.map((id) => JSON.stringify(taskRow(id, { family: 'pairing' }))).join('\n'));
  mkdirSync(at('answers'));
  for (let file = 0; file < 6; file += 1) {
    const rows = Array.from({ length: 2000 + 600 * file }, (_, k) => {
      const picked = [k, k * 3 + file, k * 5 + 1].map((n) => LETTERS[n % 8]).join(',');
      return JSON.stringify({
        model_id: `m${(k + file) % 4}`,
        task_id: ids[k % 3],
        response: `FINAL_SELECTION: ${picked}`,
      });
    });
    writeFileSync(at(`answers/part-${file}.jsonl`), `${rows.join('\n')}\n`);
  }
  mkdirSync(at('redis'));
  const server = await startRedis(at('redis'));
  const url = `redis://127.0.0.1:${server.port}`;
  expect((await cliInline(scoring('plain'))).code).toBe(0);
  const redis = new Redis(server.port, '127.0.0.1', { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const steady = await startWorker(['--redis', url]);
  return {
    ...{ server, url, redis, steady, plain: contentOf('plain'), at, scoring, contentOf },
    callKeys: async () => (await redis.keys('flavourbench:*')).filter((key) => /:call:|:calls$/.test(key)),
    async close() {
      steady.thaw();
      await steady.stop();
      redis.disconnect();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a worker said of a part, in order. */
export const said = ({ events }: TestWorker, part: string | undefined) =>
  events.filter((event) => event.part === part).map(({ event }) => event);
