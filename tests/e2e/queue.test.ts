import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { started, startWorker } from '../support/queue-process.js';
import { openQueuedBatch, type QueuedBatch, said } from '../support/queued-batch.js';
import { hasRedis, startRedis } from '../support/redis-server.js';

let batch: QueuedBatch;
beforeAll(async () => {
  if (hasRedis) batch = await openQueuedBatch();
});
afterEach(async () => {
  if (!hasRedis) return;
  batch.steady.thaw();
  await batch.redis.config('SET', 'maxmemory', '0');
  await batch.redis.config('SET', 'maxmemory-policy', 'noeviction');
});
afterAll(async () => {
  if (hasRedis) await batch.close();
});

/** Loaded into a worker and the processes that do its parts: one of them dies at a part as long as a file stands. */
const POISON = `
const { existsSync } = require('node:fs');
const on = process.on;
process.on = function (event, listener) {
  const heard = (asked) => {
    if (asked.packet?.facts.id === '000002' && existsSync(POISONED)) process.kill(process.pid, 'SIGKILL');
    else listener(asked);
  };
  return on.call(this, event, event === 'message' ? heard : listener);
};
`;

describe.skipIf(!hasRedis)('a batch whose parts workers do over Redis', () => {
  it('is byte for byte what one process writes when one of two workers is killed in the middle of a part', async () => {
    const killed = await startWorker(['--redis', batch.url]);
    await Promise.all([killed.freeze(), batch.steady.freeze()]);
    const call = started([...batch.scoring('killed'), '--redis', batch.url]);
    const { part } = await killed.heard('begun');
    await killed.kill();
    batch.steady.thaw();
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(said(killed, part)).toEqual(['begun']);
    expect(said(batch.steady, part)).toEqual(['begun', 'done']);
    expect(batch.contentOf('killed')).toBe(batch.plain);
    expect(await batch.callKeys()).toEqual([]);
  });

  it('is the same when a worker stands still, another does its part, and the first goes on with it', async () => {
    const still = await startWorker(['--redis', batch.url]);
    await Promise.all([still.freeze(), batch.steady.freeze()]);
    const call = cliInline([...batch.scoring('stalled'), '--redis', batch.url]);
    const { part } = await still.heard('begun');
    still.child.kill('SIGSTOP');
    batch.steady.thaw();
    await batch.steady.heard('begun', { part });
    still.child.kill('SIGCONT');
    still.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('stalled')).toBe(batch.plain);
    await still.stop();
    expect(said(still, part)[0]).toBe('begun');
  });

  it('names a part whose process dies each of three times, does the rest, and only that part when it is called again', async () => {
    const poison = batch.at('poison.cjs');
    writeFileSync(batch.at('poisoned'), '');
    writeFileSync(poison, POISON.replace('POISONED', JSON.stringify(batch.at('poisoned'))));
    const apart = `${batch.url}/1`;
    const worker = await startWorker(['--redis', apart], { NODE_OPTIONS: `--require ${poison}` });
    const run = await cliInline([...batch.scoring('out'), '--redis', apart]);
    expect(run).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /PARTS_FAILED: 1 part failed, 5 are done: part 000002 of .*part-2\.jsonl, tried 3 times: the process that did it ended \(SIGKILL\)/,
      ),
    });
    // A machine under load may lose a try to the clock, which is then made once more.
    const failures = worker.events.filter(({ event, part }) => event === 'failed' && part!.startsWith('000002'));
    expect(failures.length).toBeGreaterThanOrEqual(3);
    const shown = await cliInline(['jobs', '--redis', apart]);
    expect(shown.stdout).toMatch(/ failed +5\/6 +1 /);
    rmSync(batch.at('poisoned'));
    const again = await cliInline([...batch.scoring('out'), '--redis', apart]);
    expect(again.stdout).toContain('6 parts, 5 of them done before');
    expect(batch.contentOf('out')).toBe(batch.plain);
    await worker.stop();
  });

  it('goes on when Redis is restarted with what it appended to its file, and when connections are cut', async () => {
    await batch.steady.freeze();
    const before = batch.steady.events.length;
    const call = cliInline([...batch.scoring('restarted'), '--redis', batch.url]);
    await batch.steady.heard('begun', {}, before);
    await batch.server.stop();
    await batch.server.start();
    await batch.redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    batch.steady.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('restarted')).toBe(batch.plain);
  });

  it('ends when Redis stays away, and goes on where it stood when called again', async () => {
    await batch.steady.freeze();
    const before = batch.steady.events.length;
    const call = started([...batch.scoring('away'), '--redis', batch.url, '--lost-after', '1']);
    await batch.steady.heard('begun', {}, before);
    await batch.server.stop();
    expect(await call.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('REDIS_LOST') });
    await batch.server.start();
    batch.steady.thaw();
    expect((await cliInline([...batch.scoring('away'), '--redis', batch.url])).code).toBe(0);
    expect(batch.contentOf('away')).toBe(batch.plain);
  });

  it('keeps no worker from ending where its Redis is gone', async () => {
    mkdirSync(batch.at('gone'));
    const other = await startRedis(batch.at('gone'));
    const worker = await startWorker(['--redis', `redis://127.0.0.1:${other.port}`]);
    await other.stop();
    worker.child.kill('SIGTERM');
    await expect.poll(() => worker.child.exitCode ?? worker.child.signalCode, { timeout: 60_000 }).not.toBeNull();
  });

  it('is taken over by the same call when the one before was killed, and told when Redis was emptied', async () => {
    await batch.steady.freeze();
    const before = batch.steady.events.length;
    const killed = started([...batch.scoring('taken-over'), '--redis', batch.url]);
    const { part } = await batch.steady.heard('begun', {}, before);
    killed.child.kill('SIGKILL');
    await killed.ended;
    batch.steady.thaw();
    // What it had given out is done without it, and not once more.
    await batch.steady.heard('done', { part }, before);
    expect(await cliInline([...batch.scoring('taken-over'), '--redis', batch.url])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(batch.contentOf('taken-over')).toBe(batch.plain);
    expect(
      batch.steady.events.slice(before).filter((event) => event.event === 'begun' && event.part === part),
    ).toHaveLength(1);
    expect(await batch.callKeys()).toEqual([]);

    const apart = `${batch.url}/2`;
    const emptied = cliInline([...batch.scoring('emptied'), '--redis', apart]);
    await batch.redis.select(2);
    await expect.poll(() => batch.redis.dbsize()).toBeGreaterThan(8);
    await batch.redis.flushdb();
    await batch.redis.select(0);
    expect(await emptied).toMatchObject({ code: 5, stderr: expect.stringContaining('QUEUE_LOST') });
  });

  it('waits while Redis has no memory, and ends with what to do when it gets none', async () => {
    await batch.steady.freeze();
    const before = batch.steady.events.length;
    const call = cliInline([...batch.scoring('full'), '--redis', batch.url]);
    await batch.steady.heard('begun', {}, before);
    await batch.redis.config('SET', 'maxmemory', '1');
    batch.steady.thaw();
    const never = await cliInline([...batch.scoring('never'), '--redis', batch.url, '--lost-after', '1']);
    expect(never).toMatchObject({ code: 5, stderr: expect.stringMatching(/REDIS_FULL.*maxmemory.*--store/s) });
    await batch.redis.config('SET', 'maxmemory', '0');
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('full')).toBe(batch.plain);
    await batch.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const unfit = await cliInline([...batch.scoring('never'), '--redis', batch.url]);
    expect(unfit).toMatchObject({ code: 2, stderr: expect.stringContaining('REDIS_UNFIT') });
    await batch.redis.config('SET', 'maxmemory-policy', 'noeviction');
  });

  it('is shown with what each worker does, and cancelled', async () => {
    await batch.steady.freeze();
    const before = batch.steady.events.length;
    const call = cliInline([...batch.scoring('cancelled'), '--redis', batch.url]);
    const { call: id, part } = await batch.steady.heard('begun', {}, before);
    await expect
      .poll(async () => JSON.parse((await cliInline(['jobs', '--redis', batch.url, '--json'])).stdout), {
        timeout: 60_000,
      })
      .toMatchObject({
        calls: [{ id, name: 'rescore', state: 'running', attended: true, done: 0 }],
        workers: [{ pid: batch.steady.child.pid, hands: 1, doing: [{ call: id, part }] }],
      });
    const cancelled = await cliInline(['jobs', '--redis', batch.url, '--cancel', id!]);
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringMatching(/is cancelled; \d+ parts? that waited/) });
    expect(await call).toMatchObject({ code: 5, stderr: expect.stringContaining('CALL_CANCELLED') });
    await batch.steady.heard('cancelled', { part });
    expect(await batch.callKeys()).toEqual([]);
    const nowhere = await cliInline(['jobs', '--redis', `${batch.url}/99999`]);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('has no database of that number') });
    const unknown = await cliInline(['jobs', '--redis', batch.url, '--cancel', 'abc']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('CALL_UNKNOWN') });
  });
});
