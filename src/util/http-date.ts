/**
 * Reads a date of HTTP, milliseconds since 1970; NaN for any other text. All three forms of RFC 9110 mean UTC; the oldest, that of C's
 * asctime, does not say so, and a bare `Date.parse` would take it for local time.
 */
export function httpDate(text: string): number {
  if (!/^[A-Za-z]{3,9},? /.test(text)) return Number.NaN;
  return Date.parse(/(?:GMT|UTC|Z|[+-]\d{4})$/.test(text) ? text : `${text} GMT`);
}
