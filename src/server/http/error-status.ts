import { FlavourError } from '../../util/error.js';

const STATUS: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  FORBIDDEN_HOST: 403,
  LEADERBOARD_MAP: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_ABORTED: 408,
  REQUEST_TOO_LARGE: 413,
  MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  SERVER_BUSY: 503,
  TIME_LIMIT: 504,
};

/** Requests that are wrong by themselves, whatever they ask for. */
const BROKEN: ReadonlySet<string> = new Set([
  'JSON_INVALID',
  'JSON_DUPLICATE_KEY',
  'TEXT_INVALID_UTF8',
  'SCHEMA_INVALID',
  'USAGE',
]);

/** The status of an error over HTTP: 400 for a broken request, 422 for one that cannot be done with these data, 500 for a bug. */
export function errorStatus(error: unknown): number {
  if (!(error instanceof FlavourError)) return 500;
  return STATUS[error.code] ?? (BROKEN.has(error.code) ? 400 : 422);
}
