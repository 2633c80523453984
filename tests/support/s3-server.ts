import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

const SECRET = 'kept-word/with+signs';

/** What opens the bucket of an `s3Server`. */
export const S3_KEYS = {
  AWS_ACCESS_KEY_ID: 'AKIDTEST',
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_REGION: 'eu-test-1',
};

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/** The signature of a request by the rules of AWS Signature Version 4, formed from what came in. */
function signatureOf(request: IncomingMessage, body: Uint8Array): string {
  const { authorization = '' } = request.headers;
  const [, scope, names] = /Credential=AKIDTEST\/(\S+?), ?SignedHeaders=(\S+?),/.exec(authorization)!;
  const stated = request.headers['x-amz-content-sha256'] as string;
  if (stated !== 'UNSIGNED-PAYLOAD' && stated !== hash(body)) return 'another body';
  const headers = names!.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, request.url, '', headers.join(''), names, stated].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const [day, region, service, end] = scope!.split('/');
  return hmac(hmac(hmac(hmac(hmac(`AWS4${SECRET}`, day!), region!), service!), end!), text).toString('hex');
}

/** Starts a service that keeps objects as S3 does, for those who sign their requests. */
export async function s3Server() {
  const objects = new Map<string, Uint8Array>();
  /** Requests that are answered with status 503 before any other. */
  const faults = { left: 0 };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const name = request.url!;
    const answer = (status: number, data?: Uint8Array) => response.writeHead(status).end(data);
    if (faults.left > 0) {
      faults.left -= 1;
      return answer(503);
    }
    if (!request.headers.authorization?.endsWith(`Signature=${signatureOf(request, body)}`)) return answer(403);
    if (request.method === 'PUT') objects.set(name, body);
    else if (request.method === 'DELETE') objects.delete(name);
    else if (!objects.has(name)) return answer(404);
    return answer(request.method === 'DELETE' ? 204 : 200, request.method === 'GET' ? objects.get(name) : undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    objects,
    faults,
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
