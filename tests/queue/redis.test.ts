import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { packed, unpacked } from '../../src/queue/packet.js';
import { queuePackages } from '../../src/queue/redis.js';
import { redisPlace } from '../../src/queue/redis-url.js';

describe('the optional packages of the queue', () => {
  it('are named with the command that installs them, where one is missing', async () => {
    const missing = queuePackages(async (name) => {
      if (name === 'ioredis') throw new Error("Cannot find package 'ioredis'");
      return {};
    });
    await expect(missing).rejects.toMatchObject({
      code: 'QUEUE_UNAVAILABLE',
      hint: expect.stringContaining('npm install bullmq@6.7.0 ioredis@5.11.1'),
    });
  });
});

describe('the URL of a Redis', () => {
  it('gives host, port, database, name, password and whether it is TLS', () => {
    expect(redisPlace('rediss://me:p%40ss@queue.example:7000/3')).toEqual({
      ...{ host: 'queue.example', port: 7000, db: 3, username: 'me', password: 'p@ss', tls: true },
      shown: 'rediss://queue.example:7000/3',
    });
    expect(redisPlace('redis://[::1]', 'word')).toMatchObject({ host: '::1', port: 6379, db: 0, password: 'word' });
  });

  it.each([
    'queue:6379',
    'http://:secret@queue',
    'redis://:secret@queue/first',
    'redis://',
    ':secret@queue',
    'redis://:secret%@queue',
    'redis://%zz:secret@queue',
  ])('is refused without a word of its password: %s', (text) => {
    let met: unknown;
    try {
      redisPlace(text);
    } catch (error) {
      met = error;
    }
    expect(met).toMatchObject({ code: 'USAGE' });
    expect(JSON.stringify(met) + (met as Error).message).not.toContain('secret');
  });
});

describe('a packet', () => {
  it('comes back as it went, and is refused under another digest', () => {
    const packet = { facts: { of: [1, 'é'] }, bytes: { rows: Uint8Array.of(1, 2, 3), none: new Uint8Array(0) } };
    const data = packed(packet);
    expect(unpacked(data, sha256(data))).toEqual(packet);
    expect(() => unpacked(data.subarray(1), sha256(data))).toThrow(
      expect.objectContaining({ code: 'DIGEST_MISMATCH' }),
    );
  });
});
