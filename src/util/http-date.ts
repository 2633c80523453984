/** The form of RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`. */
const OF_TWO_DIGITS = /^([A-Za-z]{6,9}, \d{2}-[A-Za-z]{3}-)(\d{2})( .*)$/;

/** Its year with all four digits: that of `now`'s hundred years, and one more than 50 years ahead means the last with these digits (RFC 9110 5.6.7). */
function fourDigits(text: string, now: number): string {
  const [, before, digits, after] = OF_TWO_DIGITS.exec(text) ?? [];
  if (before === undefined) return text;
  const year = new Date(now).getUTCFullYear();
  const same = year - (year % 100) + Number(digits);
  return `${before}${same > year + 50 ? same - 100 : same}${after}`;
}

/**
 * Reads a date of HTTP, milliseconds since 1970; NaN for any other text. All three forms of RFC 9110 mean UTC; the oldest, that of C's
 * asctime, does not say so, and a bare `Date.parse` would take it for local time. `now` is in milliseconds too.
 */
export function httpDate(text: string, now: number): number {
  if (!/^[A-Za-z]{3,9},? /.test(text)) return Number.NaN;
  const full = fourDigits(text, now);
  return Date.parse(/(?:GMT|UTC|Z|[+-]\d{4})$/.test(full) ? full : `${full} GMT`);
}
