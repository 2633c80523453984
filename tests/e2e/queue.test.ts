import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { started, startWorker } from '../support/queue-process.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis-server.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
let server: TestRedis;
let url: string;
let plain: string;
const at = (name: string) => join(folder, name);

/** Files of a batch, under their paths; the summary without the lines that say how and when it was made. */
function contentOf(out: string): Record<string, string> {
  const files = readdirSync(at(out), { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return Object.fromEntries(
    files
      .map((file) => join(file.parentPath, file.name))
      .sort()
      .map((path) => {
        const text = readFileSync(path, 'latin1');
        const { run: _, artifact_sha256: __, ...document } = path.endsWith('summary.json') ? JSON.parse(text) : {};
        return [path.slice(at(out).length), path.endsWith('summary.json') ? JSON.stringify(document) : text];
      }),
  );
}

const scoring = (out: string) => ['rescore', at('answers'), '--tasks', at('tasks.jsonl'), '--out', at(out)];

const LETTERS = 'ABCDEFGH';

beforeAll(async () => {
  if (!hasRedis) return;
  folder = mkdtempSync(join(tmpdir(), 'queue-'));
  const ids = ['pairing-1', 'pairing-2', 'pairing-3'];
  writeFileSync(at('tasks.jsonl'), ids.map((id) => JSON.stringify(taskRow(id, { family: 'pairing' }))).join('\n'));
  mkdirSync(at('answers'));
  for (let file = 0; file < 6; file += 1) {
    const rows = Array.from({ length: 3000 }, (_, k) => {
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
  server = await startRedis(at('redis'));
  url = `redis://127.0.0.1:${server.port}`;
  expect((await cliInline(scoring('plain'))).code).toBe(0);
  plain = JSON.stringify(contentOf('plain'));
});
afterAll(async () => {
  if (!hasRedis) return;
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!hasRedis)('a batch whose parts workers do over Redis', () => {
  it('is byte for byte what one process writes, when one of two workers is killed in the middle of a part', async () => {
    const killed = await startWorker(['--redis', url]);
    const other = await startWorker(['--redis', url]);
    const seen: string[] = [];
    killed.onEvent(({ event, part }) => {
      if (event !== 'begun' || seen.length > 0) return;
      seen.push(part!);
      const [hand] = killed.hands();
      // The process that scores stands still, so that the part is under way for certain when its worker dies.
      process.kill(hand!, 'SIGSTOP');
      killed.child.kill('SIGKILL');
      process.kill(hand!, 'SIGKILL');
    });
    const run = await started([...scoring('killed'), '--redis', url]).ended;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const [part] = seen;
    expect(killed.events.filter((event) => event.part === part).map(({ event }) => event)).toEqual(['begun']);
    expect(other.events.filter((event) => event.part === part).map(({ event }) => event)).toEqual(['begun', 'done']);
    expect(JSON.stringify(contentOf('killed'))).toBe(plain);
    await other.stop();
  });
});
