import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server answers with; `close` ends the connection in its place. */
export interface ServedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface ReplyServer {
  readonly url: string;
  /** Requests to completions, in the order they came. */
  readonly calls: { readonly path: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** Starts a server of this machine that answers every request, after its body was read, as `answer` says; `nth` counts from 0. */
export async function startReplyServer(answer: (nth: number, path: string) => ServedReply): Promise<ReplyServer> {
  const calls: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const path = request.url ?? '/';
      const nth = calls.length;
      if (!path.includes('/generation')) calls.push({ path, authorization: request.headers.authorization });
      const { status = 200, headers = {}, body } = answer(nth, path);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A reply of a chat-completions server that answers well, with changes. */
export function chatReply(model: string, more: object = {}, text = 'FINAL_SELECTION: A,B,C'): string {
  return JSON.stringify({
    id: 'gen-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
    ...more,
  });
}
