import { copyFileSync, mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { startWorker, type TestWorker } from '../support/queue-process.js';
import { openQueuedBatch, type QueuedBatch, said } from '../support/queued-batch.js';
import { hasRedis } from '../support/redis-server.js';

let batch: QueuedBatch;
const started: TestWorker[] = [];
beforeAll(async () => {
  if (!hasRedis) return;
  batch = await openQueuedBatch();
  for (const [name, files] of [
    ['one', [0]],
    ['two', [0, 1]],
  ] as const) {
    mkdirSync(batch.at(name));
    for (const file of files)
      copyFileSync(batch.at(`answers/part-${file}.jsonl`), batch.at(`${name}/part-${file}.jsonl`));
    expect((await cliInline(scoring(name, `${name}-alone`))).code).toBe(0);
  }
});
afterEach(async () => {
  if (!hasRedis) return;
  for (const worker of started.splice(0)) {
    worker.child.kill('SIGCONT');
    worker.thaw();
    await worker.stop();
  }
  batch.steady.thaw();
});
afterAll(async () => {
  if (hasRedis) await batch.close();
});

const scoring = (name: string, out: string) => [
  ...['rescore', batch.at(name), '--tasks', batch.at('tasks.jsonl'), '--out', batch.at(out)],
];

async function open(): Promise<TestWorker> {
  const worker = await startWorker(['--redis', batch.url]);
  started.push(worker);
  return worker;
}

/** Waits until a worker has nothing in hand any more. */
const answered = ({ child }: TestWorker) =>
  expect
    .poll(
      async () => {
        const states = (await batch.redis.hvals('flavourbench:workers')).map((text) => JSON.parse(text));
        return states.find(({ pid }) => pid === child.pid)?.doing;
      },
      { timeout: 15_000 },
    )
    .toEqual([]);

/** Has one worker stand still past the time of its lock with the only part of a call, and another one, whose hands stand still, begin the same part. */
async function heldTwice(out: string) {
  const first = await open();
  await Promise.all([first.freeze(), batch.steady.freeze()]);
  batch.steady.child.kill('SIGSTOP');
  const call = cliInline([...scoring('one', out), '--redis', batch.url]);
  const { part } = await first.heard('begun');
  await first.handed();
  first.child.kill('SIGSTOP');
  batch.steady.child.kill('SIGCONT');
  await batch.steady.heard('begun', { part }, batch.steady.events.length);
  return { first, part: part!, call };
}

describe.skipIf(!hasRedis)('a part that two workers hold at once', () => {
  it('counts once when the worker that lost it answers first', async () => {
    const { first, part, call } = await heldTwice('early');
    first.child.kill('SIGCONT');
    first.thaw();
    await first.heard('late', { part });
    await answered(first);
    expect(said(batch.steady, part).at(-1)).toBe('begun');
    batch.steady.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('early')).toBe(batch.contentOf('one-alone'));
    expect(await batch.callKeys()).toEqual([]);
  });

  it('counts once when the worker that lost it answers after the call', async () => {
    const { first, part, call } = await heldTwice('after');
    batch.steady.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    first.child.kill('SIGCONT');
    first.thaw();
    await first.heard('late', { part });
    await answered(first);
    expect(batch.contentOf('after')).toBe(batch.contentOf('one-alone'));
    expect(await batch.callKeys()).toEqual([]);
  });

  it('counts once when the worker that lost it answers between the other and the end of the call', async () => {
    const first = await open();
    await Promise.all([first.freeze(), batch.steady.freeze()]);
    const call = cliInline([...scoring('two', 'between'), '--redis', batch.url]);
    const { part } = await first.heard('begun');
    await first.handed();
    first.child.kill('SIGSTOP');
    const third = await open();
    await third.heard('done', { part });
    first.child.kill('SIGCONT');
    first.thaw();
    await first.heard('late', { part });
    await answered(first);
    expect(said(first, part)).toEqual(['begun', 'late']);
    batch.steady.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('between')).toBe(batch.contentOf('two-alone'));
    expect(await batch.callKeys()).toEqual([]);
  });
});
