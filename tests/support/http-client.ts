import { once } from 'node:events';
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export const JSON_TYPE = { 'content-type': 'application/json' };

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many forms
  readonly json: any;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly to?: number;
  readonly agent?: Agent;
}

interface Asked extends Ask {
  readonly to: number;
  readonly token: string;
}

/** Asks a server, and takes its whole answer; an answer that ends in its middle is an error. */
export function askServer({ method, path, body, headers = JSON_TYPE, to, token, agent }: Asked): Promise<Answer> {
  return new Promise((done, failed) => {
    const asked = httpRequest(
      {
        ...{ port: to, host: '127.0.0.1', path, agent, method: method ?? (body === undefined ? 'GET' : 'POST') },
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }),
          ...headers,
        },
      },
      (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part) => parts.push(part));
        reply.on('error', () => failed(new Error('half an answer')));
        reply.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const isJson = reply.headers['content-type'] === 'application/json';
          done({
            status: reply.statusCode!,
            headers: reply.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    asked.on('error', failed);
    asked.end(body);
  });
}

/** What a socket was sent until it closed. */
export async function converse(port: number, text: string | readonly string[], pause: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  for (const part of [text].flat()) {
    socket.write(part);
    if (pause > 0) await new Promise((done) => setTimeout(done, pause));
  }
  await closed;
  return heard;
}
