import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeHttpClient } from '../../src/collect/http.js';
import { networkWords } from '../../src/util/network-words.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Asks a server that answers every request with these bytes and closes; gives what the client says of it. */
async function saidOf(reply: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = makeHttpClient();
  closing.push(
    () => server.close(),
    () => void client.close(),
  );
  const { port } = server.address() as AddressInfo;
  const outcome = await client.send({
    ...{ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, body: null },
    ...{ timeoutMs: 5_000, maxBodyBytes: 1_000 },
  });
  return outcome.kind === 'ambiguous' ? outcome.error : `no error: ${outcome.kind}`;
}

describe('what is said of a reply that is no HTTP', () => {
  it.each([
    ['no protocol', 'SSH-2.0-OpenSSH\r\n\r\n', 'what came back is no HTTP'],
    ['a status below 100', 'HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n', 'what came back is no HTTP'],
    ['interim replies without being asked', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), 'what came back is no HTTP'],
    ['another protocol', 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', /another protocol/],
    [
      'another length',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef',
      /content-length|no HTTP/,
    ],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}`, /headers of the reply are too long/],
    ['an end at once', '', /closed/],
  ])('is plain: %s', async (_, reply, said) => {
    const words = await saidOf(reply);
    expect(words).toMatch(said);
    expect(words).not.toMatch(/ERR_|HPE_|assert|\n/);
  });

  it('names the status of a proxy that refuses, and keeps the codes of the system', () => {
    const refused = Object.assign(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), {
      code: 'UND_ERR_ABORTED',
    });
    expect(networkWords(refused)).toBe('the proxy refuses the connection, status 407');
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(networkWords(reset)).toBe('ECONNRESET: read ECONNRESET');
    expect(networkWords('gone')).toBe('gone');
  });
});
