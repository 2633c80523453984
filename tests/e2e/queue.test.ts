import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQueue, thisProcess, thisProgram } from '../../src/cli/queue/open-queue.js';
import { type Hand, openHand } from '../../src/queue/hand.js';
import { runWorker, type WorkerEvent, type WorkerOptions } from '../../src/queue/run-worker.js';
import { selfSigned } from '../support/certificate.js';
import { cliInline } from '../support/cli-inline.js';
import { started, startWorker } from '../support/queue-process.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis-server.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
let server: TestRedis;
let url: string;
let redis: Redis;
let plain: string;
const at = (name: string) => join(folder, name);

/** Files of a batch, under their paths; the summary without the lines that say how and when it was made. */
function contentOf(out: string): string {
  const files = readdirSync(at(out), { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const parts = files
    .map((file) => join(file.parentPath, file.name))
    .sort()
    .map((path) => {
      const text = readFileSync(path, 'latin1');
      const { run: _, artifact_sha256: __, ...document } = path.endsWith('summary.json') ? JSON.parse(text) : {};
      return [path.slice(at(out).length), path.endsWith('summary.json') ? JSON.stringify(document) : text];
    });
  return JSON.stringify(parts);
}

const scoring = (out: string) => ['rescore', at('answers'), '--tasks', at('tasks.jsonl'), '--out', at(out)];

/** A worker in this process. */
async function ownWorker(options: Partial<WorkerOptions> & Pick<WorkerOptions, 'signal'>): Promise<void> {
  const queue = await openQueue({ redis: url });
  await runWorker({
    ...queue,
    ...{ hands: 1, lostAfter: 2000, host: thisProcess(), scratch: folder, log: () => {} },
    openHand: () => ({ work: () => Promise.reject(new Error('nothing is done')), end: () => {} }),
    ...options,
  }).finally(() => queue.close());
}

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
  plain = contentOf('plain');
  redis = new Redis(server.port, '127.0.0.1', { maxRetriesPerRequest: null });
  redis.on('error', () => {});
});
afterAll(async () => {
  if (!hasRedis) return;
  redis.disconnect();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** What a worker said of a part, in order. */
const said = ({ events }: TestWorker, part: string | undefined) =>
  events.filter((event) => event.part === part).map(({ event }) => event);

const redisKeys = async () => (await redis.keys('flavourbench:*')).filter((key) => /:call:|:calls$/.test(key));

describe.skipIf(!hasRedis)('a batch whose parts workers do over Redis', () => {
  it('is byte for byte what one process writes when one of two workers is killed in the middle of a part', async () => {
    const [killed, other] = await Promise.all([startWorker(['--redis', url]), startWorker(['--redis', url])]);
    await killed.freeze();
    const call = started([...scoring('killed'), '--redis', url]);
    const { part } = await killed.heard('begun');
    await killed.kill();
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(said(killed, part)).toEqual(['begun']);
    expect(said(other, part)).toEqual(['begun', 'done']);
    expect(contentOf('killed')).toBe(plain);
    expect(await redisKeys()).toEqual([]);
    await other.stop();
  });

  it('is the same when a worker stands still, another does its part, and the first goes on with it', async () => {
    const [still, other] = await Promise.all([startWorker(['--redis', url]), startWorker(['--redis', url])]);
    await still.freeze();
    const call = started([...scoring('stalled'), '--redis', url]);
    const { part } = await still.heard('begun');
    still.child.kill('SIGSTOP');
    await other.heard('begun', { part });
    still.child.kill('SIGCONT');
    still.thaw();
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('stalled')).toBe(plain);
    expect(said(other, part)[0]).toBe('begun');
    // It is of use again.
    await other.stop();
    expect(await started([...scoring('after'), '--redis', url]).ended).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('after')).toBe(plain);
    await still.stop();
  });

  it('names a part that fails each of three times, does the rest, and only that part when it is called again', async () => {
    const stop = new AbortController();
    const tries: WorkerEvent[] = [];
    const real = openHand(resolve('dist/cli/main.js'), ['worker', '--redis', '-', '--hand', folder]);
    const poisoned: Hand = {
      ...real,
      async work(opening, part) {
        if ((part.packet!.facts as { id: string }).id === '000002') throw new Error('the process that did it ended');
        return real.work(opening, part);
      },
    };
    const worker = ownWorker({ signal: stop.signal, openHand: () => poisoned, log: (event) => tries.push(event) });
    const run = await started([...scoring('poisoned'), '--redis', url]).ended;
    expect(run).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /PARTS_FAILED: 1 part failed, 5 are done: part 000002 of .*part-2\.jsonl, tried 3 times: the process that did it/,
      ),
    });
    expect(tries.filter(({ event, part }) => event === 'begun' && part!.startsWith('000002'))).toHaveLength(3);
    const shown = await cliInline(['jobs', '--redis', url]);
    expect(shown.stdout).toMatch(/ failed +5\/6 +1 /);
    stop.abort();
    await worker;

    const whole = await startWorker(['--redis', url]);
    const again = await started([...scoring('poisoned'), '--redis', url]).ended;
    expect(again.stdout).toContain('6 parts, 5 of them done before');
    expect(contentOf('poisoned')).toBe(plain);
    await whole.stop();
  });

  it('goes on when Redis is restarted with what it appended to its file, and when connections are cut', async () => {
    const worker = await startWorker(['--redis', url]);
    await worker.freeze();
    const call = started([...scoring('restarted'), '--redis', url]);
    await worker.heard('begun');
    await server.stop();
    await server.start();
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    worker.thaw();
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('restarted')).toBe(plain);
    await worker.stop();
  });

  it('ends when Redis stays away, and goes on where it stood when called again', async () => {
    const worker = await startWorker(['--redis', url]);
    await worker.freeze();
    const call = started([...scoring('away'), '--redis', url, '--lost-after', '1']);
    await worker.heard('begun');
    await server.stop();
    expect(await call.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('REDIS_LOST') });
    await server.start();
    worker.thaw();
    expect((await started([...scoring('away'), '--redis', url]).ended).code).toBe(0);
    expect(contentOf('away')).toBe(plain);
    await worker.stop();
  });

  it('waits while Redis has no memory, and ends with what to do when it gets none', async () => {
    const worker = await startWorker(['--redis', url]);
    await worker.freeze();
    const call = started([...scoring('full'), '--redis', url]);
    await worker.heard('begun');
    await redis.config('SET', 'maxmemory', '1');
    worker.thaw();
    const never = await started([...scoring('never'), '--redis', url, '--lost-after', '1']).ended;
    expect(never).toMatchObject({ code: 5, stderr: expect.stringMatching(/REDIS_FULL.*maxmemory.*--store/s) });
    await redis.config('SET', 'maxmemory', '0');
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('full')).toBe(plain);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const unfit = await started([...scoring('never'), '--redis', url]).ended;
    expect(unfit).toMatchObject({ code: 2, stderr: expect.stringContaining('REDIS_UNFIT') });
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    await worker.stop();
  });

  it('is shown with what each worker does, and cancelled', async () => {
    const worker = await startWorker(['--redis', url]);
    await worker.freeze();
    const call = started([...scoring('cancelled'), '--redis', url]);
    const { call: id, part } = await worker.heard('begun');
    await expect
      .poll(async () => JSON.parse((await cliInline(['jobs', '--redis', url, '--json'])).stdout), { timeout: 10_000 })
      .toMatchObject({
        calls: [{ id, name: 'rescore', state: 'running', attended: true, done: 0 }],
        workers: [{ pid: worker.child.pid, hands: 1, doing: [{ call: id, part }] }],
      });
    const cancelled = await cliInline(['jobs', '--redis', url, '--cancel', id!]);
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringMatching(/is cancelled; \d+ parts? that waited/) });
    expect(await call.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('CALL_CANCELLED') });
    await worker.heard('cancelled', { part });
    expect(await redisKeys()).toEqual([]);
    const unknown = await cliInline(['jobs', '--redis', url, '--cancel', 'abc']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('CALL_UNKNOWN') });
    await worker.stop();
  });

  it('is done by no worker of another version, other kernels or another folder', async () => {
    mkdirSync(at('store'));
    const foreign = await startWorker(['--redis', url]);
    const call = started([...scoring('stored'), '--redis', url, '--store', at('store')]);
    const { reason } = await foreign.heard('refused');
    expect(reason).toContain('keeps its files in a shared folder');
    for (const program of [
      { ...thisProgram(), version: '0.0.9' },
      { ...thisProgram(), kernels: 'f'.repeat(64) },
    ]) {
      const refused = ownWorker({ program, signal: new AbortController().signal });
      await expect(refused).rejects.toMatchObject({
        code: 'WORKER_DIFFERS',
        message: expect.stringContaining(
          `this worker is version ${program.version} with kernels ${program.kernels.slice(0, 12)}`,
        ),
      });
    }
    const worker = await startWorker(['--redis', url, '--store', at('store')]);
    const run = await call.ended;
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/worker \d+ on .* does no part of this call: .*another shared folder/);
    expect(contentOf('stored')).toBe(plain);
    expect(foreign.events.filter(({ event }) => event === 'begun')).toEqual([]);
    expect(readdirSync(at('store/flavourbench-queue'))).toEqual([]);
    await Promise.all([foreign.stop(), worker.stop()]);
  });
});

describe.skipIf(!hasRedis)('a Redis with a password and a certificate of its own', () => {
  it('is used over TLS, and its password is in no output', async () => {
    mkdirSync(at('tls'));
    const { cert, key } = selfSigned();
    writeFileSync(at('tls/cert.pem'), cert);
    writeFileSync(at('tls/key.pem'), key);
    const files = ['--tls-cert-file', 'cert.pem', '--tls-key-file', 'key.pem', '--tls-auth-clients', 'no'];
    const secret = 's3cret-word';
    const closed = await startRedis(at('tls'), [
      '--port',
      '0',
      '--tls-port',
      'PORT',
      ...files,
      '--requirepass',
      secret,
    ]);
    const place = (word: string) => `rediss://:${word}@127.0.0.1:${closed.port}`;
    const trusted = { NODE_EXTRA_CA_CERTS: at('tls/cert.pem') };
    const errors = await Promise.all([
      started(['jobs', '--redis', place('wrong-word')], trusted).ended,
      started(['jobs', '--redis', place(secret)]).ended,
      started(['jobs', '--redis', place(secret).replace('rediss', 'redis')], trusted).ended,
      started(['jobs', '--redis', place(secret).replace(`:${closed.port}`, ':1')], trusted).ended,
      started(['rescore', place(secret), '--tasks', at('tasks.jsonl')], trusted).ended,
    ]);
    expect(errors.map(({ code, stderr }) => [code, /: ([A-Z_]+): /.exec(stderr)?.[1]])).toEqual([
      [2, 'REDIS_REFUSED'],
      [2, 'REDIS_REFUSED'],
      [2, 'REDIS_UNREACHABLE'],
      [2, 'REDIS_UNREACHABLE'],
      [2, 'INPUT_NOT_FOUND'],
    ]);
    const worker = await startWorker(['--redis', place(secret)], trusted);
    const call = started([...scoring('tls'), '--redis', place('')], {
      ...trusted,
      FLAVOURBENCH_REDIS_PASSWORD: secret,
    });
    const run = await call.ended;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('tls')).toBe(plain);
    const everything = JSON.stringify([errors, worker.events, run, contentOf('tls')]);
    expect(everything).not.toMatch(/s3cret-word|wrong-word/);
    await worker.stop();
    await closed.stop();
  });
});

describe.skipIf(!hasRedis)('a call of an analysis', () => {
  it('writes over one worker and over two what one process writes', async () => {
    const rows = Array.from({ length: 40 }, (_, k) => `t${k},${(k * 7) % 11},${(k * 5) % 13},${(k * 3) % 7}`);
    writeFileSync(at('scores.csv'), `task,a,b,c\n${rows.join('\n')}\n`);
    const calls = [
      ['infer', at('scores.csv'), '--draws', '3000', '--flips', '3000'],
      ['rank-audit', at('scores.csv'), '--draws', '2000', '--flips', '2000'],
    ];
    const digest = (text: string) => JSON.parse(text).results_sha256;
    const alone = await Promise.all(calls.map((call) => started([...call, '--json']).ended));
    const first = await startWorker(['--redis', url]);
    const one = await Promise.all(calls.map((call) => started([...call, '--json', '--redis', url]).ended));
    const second = await startWorker(['--redis', url]);
    const two = await Promise.all(calls.map((call) => started([...call, '--json', '--redis', url]).ended));
    expect(one.map(({ stderr }) => stderr)).toEqual(['', '']);
    expect(one.map(({ stdout }) => digest(stdout))).toEqual(alone.map(({ stdout }) => digest(stdout)));
    expect(two.map(({ stdout }) => digest(stdout))).toEqual(alone.map(({ stdout }) => digest(stdout)));
    expect(second.events.some(({ event }) => event === 'done')).toBe(true);
    const broken = await started(['infer', at('tasks.jsonl'), '--redis', url]).ended;
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain(at('tasks.jsonl'));
    expect(await redisKeys()).toEqual([]);
    await Promise.all([first.stop(), second.stop()]);
  });
});
