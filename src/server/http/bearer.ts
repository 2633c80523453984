import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Makes what tells whether an Authorization header bears the token. Digests are compared, in a time that depends neither on how far
 * two texts agree nor on their length.
 */
export function bearerCheck(token: string): (header: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  const wanted = digest(token);
  return (header) => {
    const given = /^Bearer +(\S+) *$/i.exec(header ?? '');
    return timingSafeEqual(digest(given?.[1] ?? ''), wanted) && given !== null;
  };
}
