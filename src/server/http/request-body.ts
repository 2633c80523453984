import type { IncomingMessage } from 'node:http';
import { fail, failure } from '../../util/error.js';

/** Bytes of bodies that are held at once, over all requests. */
export interface BodyBudget {
  held: number;
  readonly most: number;
}

const tooLarge = 'Send it in parts, or use the command line.';

/** Bounds of what is read of a refused body: how long nothing may come, how long it may take, and how many bytes. */
const QUIET_MS = 100;
const LINGER_MS = 1000;
const MOST_PASSED = 64 * 2 ** 20;

/**
 * Passes over what is still coming of a refused request, within bounds: a connection that is closed on unread bytes is reset, and its client loses the
 * answer that says why. Returns whether the request is there to its end.
 */
export async function passOver(incoming: IncomingMessage): Promise<boolean> {
  // A small body comes with its head, and is whole once the parser has gone through both.
  await null;
  if (incoming.destroyed || incoming.complete) return incoming.complete;
  return new Promise((resolve) => {
    let passed = 0;
    const end = (): void => {
      clearTimeout(quiet);
      clearTimeout(whole);
      incoming.off('data', onData).off('end', end).off('close', end).off('error', end);
      resolve(incoming.complete);
    };
    const quiet = setTimeout(end, QUIET_MS);
    const whole = setTimeout(end, LINGER_MS);
    const onData = (part: Buffer): void => {
      passed += part.length;
      if (passed > MOST_PASSED) end();
      else quiet.refresh();
    };
    incoming.on('data', onData).on('end', end).on('close', end).on('error', end);
  });
}

interface BodyOptions {
  readonly most: number;
  readonly budget: BodyBudget;
  readonly taken: (bytes: number) => void;
}

/**
 * Reads the body of a request; what it holds of the budget is `taken`, to be given back once the request is answered. Errors: REQUEST_TOO_LARGE as soon
 * as more than `most` bytes are stated or have come; SERVER_BUSY where all bodies together are too many; MEDIA_TYPE for a packed body; REQUEST_ABORTED.
 */
export async function readBody(incoming: IncomingMessage, { most, budget, taken }: BodyOptions): Promise<Buffer> {
  const packed = incoming.headers['content-encoding'];
  if (packed !== undefined && packed !== 'identity')
    fail('MEDIA_TYPE', null, `a body in content-encoding ${packed.slice(0, 40)}`, 'Send the body as it is.');
  const stated = Number(incoming.headers['content-length'] ?? 0);
  if (stated > most)
    fail('REQUEST_TOO_LARGE', null, `a body of ${stated} bytes; at most ${most} are taken here`, tooLarge);
  // As above: where it is whole no event need be waited for.
  await null;
  if (incoming.complete && incoming.readableLength > 0 && budget.held + incoming.readableLength <= budget.most) {
    const whole = incoming.read() as Buffer;
    budget.held += whole.length;
    taken(whole.length);
    return whole;
  }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = (error?: Error): void => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (error === undefined) resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts, size));
      else reject(error);
    };
    const onData = (part: Buffer): void => {
      size += part.length;
      budget.held += part.length;
      taken(part.length);
      if (size > most) end(failure('REQUEST_TOO_LARGE', null, `a body of more than ${most} bytes`, tooLarge));
      else if (budget.held > budget.most)
        end(failure('SERVER_BUSY', null, 'too many large requests at once', 'Send it again in a moment.'));
      else parts.push(part);
    };
    const onEnd = (): void => end();
    const onClose = (): void => end(failure('REQUEST_ABORTED', null, 'the request was not sent to its end'));
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
