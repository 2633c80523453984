import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Dispatcher, request } from 'undici';
import { FlavourError, fail } from '../util/error.js';
import { httpDate } from '../util/http-date.js';
import { networkWords } from '../util/network-words.js';

/** How a transfer behaves; the caller supplies the clock. */
export interface TransferOptions {
  readonly wait: (ms: number) => Promise<void>;
  /** Attempts in a row that may fail without one new byte; default 5. */
  readonly attempts?: number;
  /** Milliseconds without a byte after which an attempt is given up; default 30,000. */
  readonly idleMs?: number;
  readonly onProgress?: (received: number, total: number | null) => void;
  readonly dispatcher?: Dispatcher;
}

interface DownloadOptions extends TransferOptions {
  readonly url: string;
  /** File the bytes go to; what it holds already is kept when the server resumes there. */
  readonly part: string;
  /** Size the file must have, where it is known. */
  readonly bytes: number | null;
  readonly userAgent: string;
}

const LARGEST = 2 ** 30;
const REDIRECTS = 5;
const MOST_ATTEMPTS = 100;
const LONGEST_WAIT = 60_000;
const UNAVAILABLE = 'Check the address, or get the file another way and give it with --from FILE.';
const MISMATCH = 'The server does not serve the pinned file; nothing was kept.';

/** A failure that another attempt may mend. */
class Transient extends Error {
  constructor(
    message: string,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

/** An address as an error may show it: no credentials, no query. */
function publicUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  fail('USAGE', null, `${url ? url.protocol : JSON.stringify(text.slice(0, 80))} is not an http or https address`);
}

/** Years of two digits are all of this century: only the time between two dates counts here. */
const THIS_CENTURY = Date.UTC(2050, 0);

/** Seconds, or a date measured against the server's own clock. */
function retryAfterMs(headers: Record<string, string | string[] | undefined>): number {
  const text = String(headers['retry-after'] ?? '');
  const until = (): number => httpDate(text, THIS_CENTURY) - httpDate(String(headers.date ?? ''), THIS_CENTURY);
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : until();
  return Number.isFinite(ms) ? Math.min(LONGEST_WAIT, Math.max(0, ms)) : 0;
}

/** First byte and whole size of a `Content-Range`. */
function contentRange(header: unknown): { start: number; total: number | null } | null {
  const match = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(String(header ?? ''));
  if (!match) return null;
  return { start: Number(match[1]), total: match[2] === '*' ? null : Number(match[2]) };
}

/**
 * Downloads to a partial file: resumes by range, starts over when the server ignores ranges, waits and tries again after
 * network failures, 408, 429 and 5xx, and gives up as soon as the size cannot be right. Returns the number of bytes the file
 * has. The caller checks the digest.
 */
export async function download(options: DownloadOptions): Promise<number> {
  const { part, bytes, attempts = 5, wait } = options;
  // A link that appeared since the path was checked is not followed either.
  const handle = await open(part, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW);
  try {
    let size = (await handle.stat()).size;
    if (size > (bytes ?? LARGEST)) {
      await handle.truncate(0);
      size = 0;
    }
    let failures = 0;
    for (let attempt = 1; bytes === null || size < bytes; attempt += 1) {
      try {
        size = await once(options, handle, size);
        break;
      } catch (error) {
        const now = (await handle.stat()).size;
        if (!(error instanceof Transient)) throw error;
        failures = now > size ? 1 : failures + 1;
        size = now;
        if (failures >= attempts || attempt >= MOST_ATTEMPTS)
          fail(
            'ASSET_UNAVAILABLE',
            { file: publicUrl(parseUrl(options.url)) },
            `${error.message}, ${failures} attempts in a row; ${now} bytes kept for resuming`,
            UNAVAILABLE,
            { exit: 3 },
          );
        await wait(Math.max(error.retryAfterMs, 500 * 2 ** (failures - 1)));
      }
    }
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

async function respond(
  options: DownloadOptions,
  size: number,
): Promise<{ url: URL; response: Dispatcher.ResponseData }> {
  const { idleMs = 30_000, userAgent, dispatcher } = options;
  let url = parseUrl(options.url);
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    let response: Dispatcher.ResponseData;
    try {
      response = await request(url, {
        method: 'GET',
        headers: {
          'user-agent': userAgent,
          'accept-encoding': 'identity',
          ...(size > 0 ? { range: `bytes=${size}-` } : {}),
        },
        headersTimeout: idleMs,
        bodyTimeout: idleMs,
        ...(dispatcher ? { dispatcher } : {}),
      });
    } catch (cause) {
      throw new Transient(networkWords(cause));
    }
    const { statusCode: status, headers } = response;
    if (![301, 302, 303, 307, 308].includes(status)) return { url, response };
    await response.body.dump();
    const location = String(headers.location ?? '');
    if (location === '' || !URL.canParse(location, url))
      fail('ASSET_UNAVAILABLE', { file: publicUrl(url) }, 'redirects to no address', UNAVAILABLE, { exit: 3 });
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      fail(
        'ASSET_UNAVAILABLE',
        { file: publicUrl(url) },
        `redirects to ${next.protocol} without encryption`,
        UNAVAILABLE,
        { exit: 3 },
      );
    if (!/^https?:$/.test(next.protocol))
      fail('ASSET_UNAVAILABLE', { file: publicUrl(url) }, `redirects to ${next.protocol}`, UNAVAILABLE, { exit: 3 });
    url = parseUrl(next.href);
  }
  fail('ASSET_UNAVAILABLE', { file: publicUrl(url) }, `more than ${REDIRECTS} redirects`, UNAVAILABLE, { exit: 3 });
}

/** One request. Returns the size of the file when the body ended well. */
async function once(options: DownloadOptions, handle: FileHandle, size: number): Promise<number> {
  const { bytes, onProgress } = options;
  const { url, response } = await respond(options, size);
  const { statusCode: status, headers, body } = response;
  body.on('error', () => {});
  const range = status === 206 ? contentRange(headers['content-range']) : null;
  if (status !== 200 && !(status === 206 && range?.start === size)) {
    body.destroy();
    if (status === 416 && headers['content-range'] === `bytes */${size}`) return size;
    if (status === 416 || status === 206) {
      await handle.truncate(0);
      throw new Transient(`status ${status}: the server cannot resume at byte ${size}`);
    }
    if (status === 408 || status === 429 || status >= 500)
      throw new Transient(`status ${status}`, retryAfterMs(headers));
    fail('ASSET_UNAVAILABLE', { file: publicUrl(url) }, `status ${status}`, UNAVAILABLE, { exit: 3 });
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    body.destroy();
    fail(
      'ASSET_UNAVAILABLE',
      { file: publicUrl(url) },
      `the server encodes the file as ${String(encoding).slice(0, 20)}`,
      UNAVAILABLE,
      { exit: 3 },
    );
  }
  let at = size;
  if (status === 200 && size > 0) {
    await handle.truncate(0);
    at = 0;
  }
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  const total = range?.total ?? (length === null ? null : at + length);
  const limit = bytes ?? LARGEST;
  if (total !== null && (bytes === null ? total > limit : total !== bytes)) {
    body.destroy();
    fail(
      'DIGEST_MISMATCH',
      { file: publicUrl(url) },
      `the server offers ${total} bytes, ${bytes ?? `at most ${LARGEST}`} are expected`,
      MISMATCH,
      { exit: 4 },
    );
  }
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (at + chunk.length > limit)
        fail('DIGEST_MISMATCH', { file: publicUrl(url) }, `more than ${limit} bytes arrive`, MISMATCH, { exit: 4 });
      await handle.appendFile(chunk);
      at += chunk.length;
      onProgress?.(at, bytes ?? total);
    }
  } catch (cause) {
    body.destroy();
    if (cause instanceof FlavourError || (cause as NodeJS.ErrnoException).syscall === 'write') throw cause;
    throw new Transient(`the body broke off at byte ${at} (${networkWords(cause)})`);
  }
  if (at < (bytes ?? total ?? 0)) throw new Transient(`the body ended at byte ${at} of ${bytes ?? total}`);
  return at;
}
