import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import { cliInline } from '../support/cli-inline.js';
import { otherRelease } from '../support/other-release.js';
import { started, startWorker } from '../support/queue-process.js';
import { openQueuedBatch, type QueuedBatch } from '../support/queued-batch.js';
import { freePort, hasRedis, startRedis } from '../support/redis-server.js';
import { S3_KEYS, s3Server } from '../support/s3-server.js';

let batch: QueuedBatch;
beforeAll(async () => {
  if (hasRedis) batch = await openQueuedBatch();
});
afterAll(async () => {
  if (hasRedis) await batch.close();
});

describe.skipIf(!hasRedis)('a batch whose parts belong to one release and one store', () => {
  it.each([
    ['version', { version: '0.0.9' }, 'the worker is version 0.0.9 with kernels'],
    ['kernels', { kernels: 'f'.repeat(64) }, 'with kernels ffffffffffff'],
  ])('is done by no worker of another release: other %s', async (name, change, words) => {
    const release = otherRelease(batch.at(`release-${name}`), change);
    const early = await startWorker(['--redis', batch.url], {}, release);
    await batch.steady.freeze();
    const call = started([...batch.scoring(name), '--redis', batch.url]);
    expect((await early.heard('refused')).reason).toContain(words);
    const late = await started(['worker', '--redis', batch.url], {}, release).ended;
    expect(late).toMatchObject({ code: 2, stderr: expect.stringMatching(/WORKER_DIFFERS: call .* waits: /) });
    expect(late.stderr).toContain(words);
    batch.steady.thaw();
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf(name)).toBe(batch.plain);
    expect(early.events.map(({ event }) => event)).toEqual(['ready', 'refused']);
    await early.stop();
  });

  it('is done by no worker of another folder', async () => {
    mkdirSync(batch.at('store'));
    const before = batch.steady.events.length;
    const call = cliInline([...batch.scoring('stored'), '--redis', batch.url, '--store', batch.at('store')]);
    const { reason, call: id } = await batch.steady.heard('refused', {}, before);
    expect(reason).toContain('keeps its files in a folder that the worker was not given with --store');
    const stored = () => readdirSync(batch.at('store/flavourbench-queue'), { recursive: true });
    await expect.poll(stored).not.toEqual([]);
    const worker = await startWorker(['--redis', batch.url, '--store', batch.at('store')]);
    const run = await call;
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/worker \d+ on .* does no part of this call: .*not given with --store/);
    expect(batch.contentOf('stored')).toBe(batch.plain);
    expect(batch.steady.events.filter((event) => event.call === id).map(({ event }) => event)).toEqual(['refused']);
    expect(stored()).toEqual([]);
    await worker.stop();
  });
});

describe.skipIf(!hasRedis)('a batch whose parts are kept in a bucket', () => {
  it('is the same, and leaves nothing there', async () => {
    const service = await s3Server();
    const env = { ...S3_KEYS, AWS_ENDPOINT_URL: service.endpoint };
    const words = ['--redis', batch.url, '--store', 's3://bucket/queue'];
    const worker = await startWorker(words, env);
    expect(await started([...batch.scoring('in-bucket'), ...words], env).ended).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('in-bucket')).toBe(batch.plain);
    expect([...service.objects.keys()]).toEqual(['/bucket/queue/flavourbench-queue.id']);
    expect(worker.events.filter(({ event }) => event === 'done')).toHaveLength(6);
    await worker.stop();
    await service.close();
  });
});

describe.skipIf(!hasRedis)('a Redis with a password and a certificate of its own', () => {
  it('is used over TLS, and its password is in no output', async () => {
    mkdirSync(batch.at('tls'));
    const { cert, key } = selfSigned();
    writeFileSync(batch.at('tls/cert.pem'), cert);
    writeFileSync(batch.at('tls/key.pem'), key);
    const files = ['--tls-cert-file', 'cert.pem', '--tls-key-file', 'key.pem', '--tls-auth-clients', 'no'];
    const secret = 's3cret-word';
    const port = await freePort();
    const closed = await startRedis(batch.at('tls'), ['--tls-port', `${port}`, ...files, '--requirepass', secret]);
    const place = (word: string) => `rediss://:${word}@127.0.0.1:${port}`;
    const open = (word: string, at: number) => `redis://:${word}@127.0.0.1:${at}`;
    const trusted = { NODE_EXTRA_CA_CERTS: batch.at('tls/cert.pem') };
    const errors = [
      await cliInline(['jobs', '--redis', open('wrong-word', closed.port)]),
      await cliInline(['jobs', '--redis', place(secret)]),
      await cliInline(['jobs', '--redis', open(secret, port)]),
      await cliInline(['jobs', '--redis', open(secret, 1)]),
      await cliInline(['jobs', '--redis', open(secret, closed.port).replace('redis:', 'http:')]),
      await cliInline(['rescore', place(secret), '--tasks', batch.at('tasks.jsonl')]),
    ];
    expect(errors.map(({ code, stderr }) => [code, /: ([A-Z_]+): /.exec(stderr)?.[1]])).toEqual([
      [2, 'REDIS_REFUSED'],
      [2, 'REDIS_REFUSED'],
      [2, 'REDIS_UNREACHABLE'],
      [2, 'REDIS_UNREACHABLE'],
      [2, 'USAGE'],
      [2, 'INPUT_NOT_FOUND'],
    ]);
    const worker = await startWorker(['--redis', place(secret)], trusted);
    const call = started([...batch.scoring('over-tls'), '--redis', place('')], {
      ...trusted,
      FLAVOURBENCH_REDIS_PASSWORD: secret,
    });
    const run = await call.ended;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(batch.contentOf('over-tls')).toBe(batch.plain);
    const rows = Array.from({ length: 30 }, (_, k) => `t${k},${(k * 7) % 11},${(k * 5) % 13}`);
    writeFileSync(batch.at('few.csv'), `task,a,b\n${rows.join('\n')}\n`);
    const page = ['rank-audit', batch.at('few.csv'), '--out', batch.at('page.html'), '--redis', place(secret)];
    const audit = await started(page, trusted).ended;
    expect(audit).toMatchObject({ code: 0, stderr: '' });
    const everything = JSON.stringify([
      errors,
      worker.events,
      run,
      audit,
      batch.contentOf('over-tls'),
      readFileSync(batch.at('page.html'), 'latin1'),
    ]);
    expect(everything).not.toMatch(/s3cret-word|wrong-word/);
    await worker.stop();
    await closed.stop();
  });
});
