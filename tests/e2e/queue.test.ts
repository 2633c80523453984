import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openQueue, thisProcess, thisProgram } from '../../src/cli/queue/open-queue.js';
import { type Hand, openHand } from '../../src/queue/hand.js';
import { runWorker, type WorkerEvent, type WorkerOptions } from '../../src/queue/run-worker.js';
import { selfSigned } from '../support/certificate.js';
import { cliInline } from '../support/cli-inline.js';
import { started, startWorker, type TestWorker } from '../support/queue-process.js';
import { freePort, hasRedis, startRedis, type TestRedis } from '../support/redis-server.js';
import { S3_KEYS, s3Server } from '../support/s3-server.js';
import { resultOf } from '../support/shard-calls.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
let server: TestRedis;
let url: string;
let redis: Redis;
/** A worker for all of them. */
let steady: TestWorker;
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
async function ownWorker(at: string, options: Partial<WorkerOptions> & Pick<WorkerOptions, 'signal'>): Promise<void> {
  const queue = await openQueue({ redis: at });
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
  server = await startRedis(at('redis'));
  url = `redis://127.0.0.1:${server.port}`;
  expect((await cliInline(scoring('plain'))).code).toBe(0);
  plain = contentOf('plain');
  redis = new Redis(server.port, '127.0.0.1', { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  steady = await startWorker(['--redis', url]);
});
afterEach(async () => {
  if (!hasRedis) return;
  steady.thaw();
  await redis.config('SET', 'maxmemory', '0');
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
});
afterAll(async () => {
  if (!hasRedis) return;
  await steady.stop();
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
    const killed = await startWorker(['--redis', url]);
    await Promise.all([killed.freeze(), steady.freeze()]);
    const call = started([...scoring('killed'), '--redis', url]);
    const { part } = await killed.heard('begun');
    await killed.kill();
    steady.thaw();
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(said(killed, part)).toEqual(['begun']);
    expect(said(steady, part)).toEqual(['begun', 'done']);
    expect(contentOf('killed')).toBe(plain);
    expect(await redisKeys()).toEqual([]);
  });

  it('is the same when a worker stands still, another does its part, and the first goes on with it', async () => {
    const still = await startWorker(['--redis', url]);
    await Promise.all([still.freeze(), steady.freeze()]);
    const call = cliInline([...scoring('stalled'), '--redis', url]);
    const { part } = await still.heard('begun');
    still.child.kill('SIGSTOP');
    steady.thaw();
    await steady.heard('begun', { part });
    still.child.kill('SIGCONT');
    still.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('stalled')).toBe(plain);
    await still.stop();
    expect(said(still, part)[0]).toBe('begun');
  });

  it('names a part that fails each of three times, does the rest, and only that part when it is called again', async () => {
    const stop = new AbortController();
    const tries: WorkerEvent[] = [];
    let mended = false;
    const real = openHand(resolve('dist/cli/main.js'), ['worker', '--redis', '-', '--hand', folder]);
    const poisoned: Hand = {
      ...real,
      async work(opening, part) {
        if (!mended && (part.packet!.facts as { id: string }).id === '000002')
          throw new Error('the process that did it ended');
        return real.work(opening, part);
      },
    };
    const apart = `${url}/1`;
    const worker = ownWorker(apart, {
      signal: stop.signal,
      openHand: () => poisoned,
      log: (event) => tries.push(event),
    });
    const run = await cliInline([...scoring('poisoned'), '--redis', apart]);
    expect(run).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /PARTS_FAILED: 1 part failed, 5 are done: part 000002 of .*part-2\.jsonl, tried 3 times: the process that did it/,
      ),
    });
    // A machine under load may lose a try to the clock, which is then made once more.
    const failures = tries.filter(({ event, part }) => event === 'failed' && part!.startsWith('000002'));
    expect(failures.length).toBeGreaterThanOrEqual(3);
    const shown = await cliInline(['jobs', '--redis', apart]);
    expect(shown.stdout).toMatch(/ failed +5\/6 +1 /);
    mended = true;
    const again = await cliInline([...scoring('poisoned'), '--redis', apart]);
    expect(again.stdout).toContain('6 parts, 5 of them done before');
    expect(contentOf('poisoned')).toBe(plain);
    stop.abort();
    await worker;
  });

  it('goes on when Redis is restarted with what it appended to its file, and when connections are cut', async () => {
    await steady.freeze();
    const before = steady.events.length;
    const call = cliInline([...scoring('restarted'), '--redis', url]);
    await steady.heard('begun', {}, before);
    await server.stop();
    await server.start();
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    steady.thaw();
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('restarted')).toBe(plain);
  });

  it('ends when Redis stays away, and goes on where it stood when called again', async () => {
    await steady.freeze();
    const before = steady.events.length;
    const call = started([...scoring('away'), '--redis', url, '--lost-after', '1']);
    await steady.heard('begun', {}, before);
    await server.stop();
    expect(await call.ended).toMatchObject({ code: 5, stderr: expect.stringContaining('REDIS_LOST') });
    await server.start();
    steady.thaw();
    expect((await cliInline([...scoring('away'), '--redis', url])).code).toBe(0);
    expect(contentOf('away')).toBe(plain);
  });

  it('keeps no worker from ending where its Redis is gone', async () => {
    mkdirSync(at('gone'));
    const other = await startRedis(at('gone'));
    const worker = await startWorker(['--redis', `redis://127.0.0.1:${other.port}`]);
    await other.stop();
    worker.child.kill('SIGTERM');
    await expect.poll(() => worker.child.exitCode ?? worker.child.signalCode, { timeout: 15_000 }).not.toBeNull();
  });

  it('is taken over by the same call when the one before was killed, and told when Redis was emptied', async () => {
    await steady.freeze();
    const before = steady.events.length;
    const killed = started([...scoring('taken-over'), '--redis', url]);
    const { part } = await steady.heard('begun', {}, before);
    killed.child.kill('SIGKILL');
    await killed.ended;
    steady.thaw();
    // What it had given out is done without it, and not once more.
    await steady.heard('done', { part }, before);
    expect(await cliInline([...scoring('taken-over'), '--redis', url])).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('taken-over')).toBe(plain);
    expect(steady.events.slice(before).filter((event) => event.event === 'begun' && event.part === part)).toHaveLength(
      1,
    );
    expect(await redisKeys()).toEqual([]);

    const apart = `${url}/2`;
    const emptied = cliInline([...scoring('emptied'), '--redis', apart]);
    await redis.select(2);
    await expect.poll(() => redis.dbsize()).toBeGreaterThan(8);
    await redis.flushdb();
    await redis.select(0);
    expect(await emptied).toMatchObject({ code: 5, stderr: expect.stringContaining('QUEUE_LOST') });
  });

  it('waits while Redis has no memory, and ends with what to do when it gets none', async () => {
    await steady.freeze();
    const before = steady.events.length;
    const call = cliInline([...scoring('full'), '--redis', url]);
    await steady.heard('begun', {}, before);
    await redis.config('SET', 'maxmemory', '1');
    steady.thaw();
    const never = await cliInline([...scoring('never'), '--redis', url, '--lost-after', '1']);
    expect(never).toMatchObject({ code: 5, stderr: expect.stringMatching(/REDIS_FULL.*maxmemory.*--store/s) });
    await redis.config('SET', 'maxmemory', '0');
    expect(await call).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('full')).toBe(plain);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const unfit = await cliInline([...scoring('never'), '--redis', url]);
    expect(unfit).toMatchObject({ code: 2, stderr: expect.stringContaining('REDIS_UNFIT') });
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
  });

  it('is shown with what each worker does, and cancelled', async () => {
    await steady.freeze();
    const before = steady.events.length;
    const call = cliInline([...scoring('cancelled'), '--redis', url]);
    const { call: id, part } = await steady.heard('begun', {}, before);
    await expect
      .poll(async () => JSON.parse((await cliInline(['jobs', '--redis', url, '--json'])).stdout), { timeout: 10_000 })
      .toMatchObject({
        calls: [{ id, name: 'rescore', state: 'running', attended: true, done: 0 }],
        workers: [{ pid: steady.child.pid, hands: 1, doing: [{ call: id, part }] }],
      });
    const cancelled = await cliInline(['jobs', '--redis', url, '--cancel', id!]);
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringMatching(/is cancelled; \d+ parts? that waited/) });
    expect(await call).toMatchObject({ code: 5, stderr: expect.stringContaining('CALL_CANCELLED') });
    await steady.heard('cancelled', { part });
    expect(await redisKeys()).toEqual([]);
    const nowhere = await cliInline(['jobs', '--redis', `${url}/99999`]);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('has no database of that number') });
    const unknown = await cliInline(['jobs', '--redis', url, '--cancel', 'abc']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('CALL_UNKNOWN') });
  });

  it('is done by no worker of another version, other kernels or another folder', async () => {
    mkdirSync(at('store'));
    const before = steady.events.length;
    const call = cliInline([...scoring('stored'), '--redis', url, '--store', at('store')]);
    const { reason, call: id } = await steady.heard('refused', {}, before);
    expect(reason).toContain('keeps its files in a folder that the worker was not given with --store');
    for (const program of [
      { ...thisProgram(), version: '0.0.9' },
      { ...thisProgram(), kernels: 'f'.repeat(64) },
    ]) {
      const refused = ownWorker(url, { program, signal: new AbortController().signal });
      await expect(refused).rejects.toMatchObject({
        code: 'WORKER_DIFFERS',
        message: expect.stringContaining(
          `the worker is version ${program.version} with kernels ${program.kernels.slice(0, 12)}`,
        ),
      });
    }
    const stored = () => readdirSync(at('store/flavourbench-queue'), { recursive: true });
    await expect.poll(stored).not.toEqual([]);
    const worker = await startWorker(['--redis', url, '--store', at('store')]);
    const run = await call;
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/worker \d+ on .* does no part of this call: .*not given with --store/);
    expect(contentOf('stored')).toBe(plain);
    expect(steady.events.filter((event) => event.call === id).map(({ event }) => event)).toEqual(['refused']);
    expect(stored()).toEqual([]);
    await worker.stop();
  });
});

describe.skipIf(!hasRedis)('a batch whose parts are kept in a bucket', () => {
  it('is the same, and leaves nothing there', async () => {
    const service = await s3Server();
    const env = { ...S3_KEYS, AWS_ENDPOINT_URL: service.endpoint };
    const words = ['--redis', url, '--store', 's3://bucket/queue'];
    const worker = await startWorker(words, env);
    expect(await started([...scoring('in-bucket'), ...words], env).ended).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('in-bucket')).toBe(plain);
    expect([...service.objects.keys()]).toEqual(['/bucket/queue/flavourbench-queue.id']);
    expect(worker.events.filter(({ event }) => event === 'done')).toHaveLength(6);
    await worker.stop();
    await service.close();
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
    const port = await freePort();
    const closed = await startRedis(at('tls'), ['--tls-port', `${port}`, ...files, '--requirepass', secret]);
    const place = (word: string) => `rediss://:${word}@127.0.0.1:${port}`;
    const open = (word: string, at: number) => `redis://:${word}@127.0.0.1:${at}`;
    const trusted = { NODE_EXTRA_CA_CERTS: at('tls/cert.pem') };
    const errors = [
      await cliInline(['jobs', '--redis', open('wrong-word', closed.port)]),
      await cliInline(['jobs', '--redis', place(secret)]),
      await cliInline(['jobs', '--redis', open(secret, port)]),
      await cliInline(['jobs', '--redis', open(secret, 1)]),
      await cliInline(['jobs', '--redis', open(secret, closed.port).replace('redis:', 'http:')]),
      await cliInline(['rescore', place(secret), '--tasks', at('tasks.jsonl')]),
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
    const call = started([...scoring('over-tls'), '--redis', place('')], {
      ...trusted,
      FLAVOURBENCH_REDIS_PASSWORD: secret,
    });
    const run = await call.ended;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(contentOf('over-tls')).toBe(plain);
    const rows = Array.from({ length: 30 }, (_, k) => `t${k},${(k * 7) % 11},${(k * 5) % 13}`);
    writeFileSync(at('few.csv'), `task,a,b\n${rows.join('\n')}\n`);
    const page = ['rank-audit', at('few.csv'), '--out', at('page.html'), '--redis', place(secret)];
    const audit = await started(page, trusted).ended;
    expect(audit).toMatchObject({ code: 0, stderr: '' });
    const everything = JSON.stringify([
      errors,
      worker.events,
      run,
      audit,
      contentOf('over-tls'),
      readFileSync(at('page.html'), 'latin1'),
    ]);
    expect(everything).not.toMatch(/s3cret-word|wrong-word/);
    await worker.stop();
    await closed.stop();
  });
});

const TASKS = 'fixtures/tasks-small.json';
const answers = ['--responses', 'fixtures/responses-small.jsonl', '--tasks', TASKS];

describe.skipIf(!hasRedis)('a call of an analysis', () => {
  let second: TestWorker;
  beforeAll(async () => {
    if (!hasRedis) return;
    const rows = Array.from({ length: 40 }, (_, k) => `t${k},${(k * 7) % 11},${(k * 5) % 13},${(k * 3) % 7}`);
    writeFileSync(at('scores.csv'), `task,a,b,c\n${rows.join('\n')}\n`);
  });
  afterAll(() => second?.stop());

  /** What a call writes alone, and what it writes when workers do its parts. */
  async function aloneAndQueued(call: readonly string[], name: string) {
    const run = (out: string, ...more: string[]) => cliInline([...call, '--out', at(out), '--quiet', ...more]);
    expect(await run(`alone-${name}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(`queued-${name}`, '--redis', url)).toMatchObject({ code: 0, stderr: '' });
    return [resultOf(at(`alone-${name}`)), resultOf(at(`queued-${name}`))];
  }

  it('is over one worker what one process writes, and says what is wrong with its own paths', async () => {
    const [alone, queued] = await aloneAndQueued(
      ['rank-audit', at('scores.csv'), '--draws', '2000', '--flips', '2000'],
      'one.json',
    );
    expect(queued).toEqual(alone);
    const broken = await cliInline(['infer', at('tasks.jsonl'), '--redis', url]);
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining(at('tasks.jsonl')) });
    const none = await cliInline(['sensitivity', 'weights', ...answers, '--redis', url]);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing in this call is shared out.*--redis/s),
    });
    expect(await redisKeys()).toEqual([]);
  });

  it.each([
    ['infer', ['--draws', '3000', '--flips', '3000'], '.json'],
    ['coverage', ['--datasets', '9', '--draws', '100', '--flips', '400'], '.json'],
    ['power', ['--datasets', '11', '--flips', '1000'], '.json'],
    ['sensitivity precision', [...answers, '--draws', '101', '--sizes', '6', '12'], '.json'],
    ['maps', [TASKS, '--env', 'pantry'], '.jsonl'],
  ])('is over two workers what one process writes: %s', async (name, more, ending) => {
    second ??= await startWorker(['--redis', url]);
    const inputs = more.some((word) => word.startsWith('fixtures/')) ? [] : [at('scores.csv')];
    const begun = [steady.events.length, second.events.length];
    const [alone, queued] = await aloneAndQueued(
      [...name.split(' '), ...inputs, ...more],
      `${name.replace(' ', '-')}${ending}`,
    );
    expect(queued).toEqual(alone);
    const does = [steady, second].map(({ events }, k) =>
      events.slice(begun[k]).filter(({ event }) => event === 'done'),
    );
    expect(does.flat().length).toBeGreaterThanOrEqual(8);
    expect(await redisKeys()).toEqual([]);
  });
});
