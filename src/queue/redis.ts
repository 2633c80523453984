import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import { fail, failure } from '../util/error.js';
import type { RedisPlace } from './redis-url.js';

/** The optional packages of the queue. */
export interface QueuePackages {
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: typeof import('ioredis');
}

/** Loads the optional packages of the queue. Errors: QUEUE_UNAVAILABLE. */
export async function queuePackages(load = (name: string): Promise<unknown> => import(name)): Promise<QueuePackages> {
  try {
    const [bullmq, ioredis] = await Promise.all([load('bullmq'), load('ioredis')]);
    return { bullmq, ioredis } as QueuePackages;
  } catch (cause) {
    fail(
      'QUEUE_UNAVAILABLE',
      null,
      'the packages `bullmq` and `ioredis`, which --redis needs, are not installed',
      'Run `npm install bullmq@6.7.0 ioredis@5.11.1` beside flavourbench, or share the work without Redis: --shard I/N and merge.',
      { cause },
    );
  }
}

/** Milliseconds in which a first connection must stand. */
const CONNECT_MS = 5000;
const MOST_DELAY_MS = 1000;

/** Says why a Redis could not be reached, from what its client met. */
function refusal(cause: Error, { shown, tls }: RedisPlace): never {
  const { message } = cause;
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  if (/WRONGPASS|NOAUTH|NOPERM|invalid password/i.test(message))
    fail(
      'REDIS_REFUSED',
      null,
      `the Redis at ${shown} refuses the name or password, or none was given`,
      'Write it into the URL (redis://NAME:PASSWORD@HOST), or set FLAVOURBENCH_REDIS_PASSWORD.',
      { cause },
    );
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code))
    fail(
      'REDIS_REFUSED',
      null,
      `the certificate of the Redis at ${shown} is not trusted (${code})`,
      'Name the file of its authority in the environment: NODE_EXTRA_CA_CERTS=ca.pem.',
      { cause },
    );
  if (/DB index/i.test(message))
    fail('REDIS_REFUSED', null, `the Redis at ${shown} has no database of that number`, 'Most have 0 to 15.', {
      cause,
    });
  const why = code === '' ? message : code;
  fail(
    'REDIS_UNREACHABLE',
    null,
    `no Redis answers at ${shown}: ${why}`,
    tls
      ? 'Check host and port, that Redis runs there, and that it speaks TLS (else write redis://).'
      : 'Check host and port, that Redis runs there, and whether it wants TLS (then write rediss://).',
    { cause },
  );
}

/** A connection to a Redis. */
export interface OpenRedis {
  readonly redis: Redis;
  /** Ends it; its copies, such as a worker blocks, look for a Redis that is away no more. */
  close(): void;
}

/** Connects to a Redis; the connection comes back by itself when it is lost. Errors: REDIS_UNREACHABLE, REDIS_REFUSED, REDIS_UNFIT. */
export async function openRedis({ ioredis }: QueuePackages, place: RedisPlace): Promise<OpenRedis> {
  const { host, port, db, username, password, tls } = place;
  let open = false;
  let met: Error | undefined;
  const redis = new ioredis.Redis({
    ...{ host, port, db, username, password },
    ...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (open ? Math.min(100 * times, MOST_DELAY_MS) : null),
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  redis.on('error', (error) => {
    met ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
    // A client whose database is refused goes on with number 0.
    if (db > 0) await redis.select(db);
    open = true;
  } catch (error) {
    redis.disconnect();
    refusal(met ?? (error as Error), place);
  }
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1] ?? 'noeviction';
  const close = (): void => {
    open = false;
    redis.disconnect();
  };
  if (policy === 'noeviction') return { redis, close };
  close();
  fail(
    'REDIS_UNFIT',
    null,
    `the Redis at ${place.shown} throws keys away when its memory is full (maxmemory-policy ${policy})`,
    'A queue needs one that keeps them: CONFIG SET maxmemory-policy noeviction, or another Redis.',
  );
}

/** The time of a Redis, milliseconds since 1970: one clock for all who share it. */
export async function redisTime(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/** Tells whether Redis refuses to write because its memory is full. */
export const memoryFull = (error: unknown): boolean => error instanceof Error && error.message.includes('OOM ');

/** Makes an error of ours of what Redis itself refuses; any other error stays as it is. */
export function redisError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return error;
  const hint = memoryFull(error)
    ? 'Raise its maxmemory, or give a folder that all machines see with --store; then call again.'
    : 'See to it that this Redis takes writes, scripts and the commands of BullMQ from this user.';
  const code = memoryFull(error) ? 'REDIS_FULL' : 'REDIS_REFUSED';
  return failure(code, null, `Redis refuses a command: ${error.message}`, hint, { exit: 5, cause: error });
}
