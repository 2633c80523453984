import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AwsClient } from 'aws4fetch';
import { fail } from '../util/error.js';
import { type BlobStore, MARK } from './blob-store.js';

/** A bucket, and what opens it. */
export interface S3Place {
  /** `s3://BUCKET/PREFIX`. */
  readonly url: string;
  /** Address of the service; of Amazon's own, unless given. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly sessionToken: string | undefined;
}

/** How often a request is made again that the service or the way to it failed. */
const RETRIES = 4;

/** Opens a bucket of an S3-compatible service. Errors: USAGE for a wrong URL or without keys; STORE_FAILED. */
export async function s3Store(place: S3Place): Promise<BlobStore> {
  const { url, region, accessKeyId, secretAccessKey, sessionToken } = place;
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*?))?\/*$/.exec(url) ?? [];
  if (bucket === undefined)
    fail('USAGE', null, '--store begins with s3:// and names no bucket', 'Write s3://BUCKET/PREFIX.');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    fail(
      'USAGE',
      null,
      'no keys are given for the bucket of --store',
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_ENDPOINT_URL for a service other than Amazon’s own.',
    );
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 },
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const endpoint = (place.endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
  const addressOf = (name: string): string =>
    [endpoint, bucket, ...prefix.split('/'), ...name.split('/')].filter((part) => part !== '').join('/');

  /** Errors: STORE_FAILED for what is neither done nor, where that is asked, not there. */
  async function request(method: string, name: string, body?: Uint8Array): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      let why: string;
      try {
        const answer = await client.fetch(addressOf(name), { method, ...(body ? { body: Buffer.from(body) } : {}) });
        if (answer.ok || (answer.status === 404 && method !== 'PUT')) return answer;
        await answer.arrayBuffer();
        why = `status ${answer.status}`;
        if (answer.status < 500 && answer.status !== 429) tries = RETRIES;
      } catch (error) {
        const { cause, message } = error as Error;
        why = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
      }
      if (tries >= RETRIES)
        fail(
          'STORE_FAILED',
          null,
          `${method} in the bucket ${bucket} at ${endpoint}: ${why}`,
          'Check bucket, keys, AWS_REGION and AWS_ENDPOINT_URL; then call again: it goes on where it stood.',
          { exit: 5 },
        );
      await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** tries));
    }
  }

  async function get(name: string): Promise<Uint8Array | null> {
    const answer = await request('GET', name);
    const data = new Uint8Array(await answer.arrayBuffer());
    return answer.ok ? data : null;
  }

  const put = async (name: string, data: Uint8Array): Promise<void> => void (await request('PUT', name, data));
  if ((await get(MARK)) === null) await put(MARK, Buffer.from(randomUUID().slice(0, 8)));
  return {
    id: Buffer.from((await get(MARK)) ?? []).toString('utf8'),
    put,
    putFile: (name, path) => put(name, readFileSync(path)),
    has: async (name) => (await request('HEAD', name)).ok,
    get,
    path: () => null,
    drop: async (name) => void (await request('DELETE', name)),
    // A bucket has no folders.
    dropFolder: async () => {},
  };
}
