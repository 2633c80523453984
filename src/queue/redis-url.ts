import { fail } from '../util/error.js';

/** Where a Redis is, as its URL says. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
  /** The URL without name and password, for people. */
  readonly shown: string;
}

const HINT =
  'Write redis://HOST:PORT or rediss://HOST:PORT (TLS), with :PASSWORD@ before HOST and /NUMBER of a database after PORT.';

/** Errors: USAGE for a `%` that two hexadecimal digits do not follow. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    fail('USAGE', null, '--redis holds a % in its name or password that stands for no character', 'Write % as %25.');
  }
}

/** Reads the URL of a Redis; what is wrong with it is said without its password. Errors: USAGE. */
export function redisPlace(text: string, password?: string): RedisPlace {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    fail('USAGE', null, '--redis is no URL', HINT);
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
    fail('USAGE', null, `--redis begins with ${url.protocol}//; redis:// or rediss:// is expected`, HINT);
  const db = url.pathname.replace(/^\//, '');
  if (url.hostname === '' || !/^\d{0,5}$/.test(db))
    fail('USAGE', null, '--redis names no host, or a database that is no number', HINT);
  const port = url.port === '' ? 6379 : Number(url.port);
  const word = url.password === '' ? password : decoded(url.password);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    db: Number(db),
    ...(url.username === '' ? {} : { username: decoded(url.username) }),
    ...(word === undefined || word === '' ? {} : { password: word }),
    tls: url.protocol === 'rediss:',
    shown: `${url.protocol}//${url.hostname}:${port}${db === '' ? '' : `/${db}`}`,
  };
}
