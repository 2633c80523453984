import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Store } from '../../src/queue/s3-store.js';
import { S3_KEYS, s3Server } from '../support/s3-server.js';

let service: Awaited<ReturnType<typeof s3Server>>;
const folder = mkdtempSync(join(tmpdir(), 's3-store-'));
const place = (more: object = {}) => ({
  url: 's3://a-bucket/some/where/',
  endpoint: service.endpoint,
  region: S3_KEYS.AWS_REGION,
  accessKeyId: S3_KEYS.AWS_ACCESS_KEY_ID as string | undefined,
  secretAccessKey: S3_KEYS.AWS_SECRET_ACCESS_KEY,
  sessionToken: undefined,
  ...more,
});

beforeAll(async () => {
  service = await s3Server();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

describe('a bucket', () => {
  it('keeps bytes and files under its prefix, says which one it is, and forgets what is dropped', async () => {
    const store = await s3Store(place());
    expect(store.id).toMatch(/^[0-9a-f]{8}$/);
    expect((await s3Store(place())).id).toBe(store.id);
    expect((await s3Store(place({ url: 's3://another' }))).id).not.toBe(store.id);
    await store.put('call/one', Uint8Array.of(1, 2, 3));
    writeFileSync(join(folder, 'file'), 'a file');
    await store.putFile('call/two', join(folder, 'file'));
    expect([...service.objects.keys()]).toContain('/a-bucket/some/where/call/one');
    expect(await store.get('call/one')).toEqual(Uint8Array.of(1, 2, 3));
    expect(Buffer.from((await store.get('call/two'))!).toString()).toBe('a file');
    await store.drop('call/one');
    expect([await store.has('call/one'), await store.has('call/two'), await store.get('call/one')]).toEqual([
      false,
      true,
      null,
    ]);
  });

  it('is asked again after a fault, and named without its keys where it refuses', async () => {
    const store = await s3Store(place());
    service.faults.left = 2;
    await store.put('late', Uint8Array.of(4));
    expect(await store.get('late')).toEqual(Uint8Array.of(4));
    const refused = s3Store(place({ secretAccessKey: 'other-secret' }));
    await expect(refused).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/^GET in the bucket a-bucket at http:.*: status 403$/),
    });
    await expect(s3Store(place({ endpoint: 'http://127.0.0.1:1' }))).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await expect(s3Store(place({ accessKeyId: undefined }))).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('AWS_ACCESS_KEY_ID'),
    });
    await expect(s3Store(place({ url: 's3://' }))).rejects.toMatchObject({ code: 'USAGE' });
  });
});
