/** Longest cell that is looked at, characters. */
const MOST = 100;

/** What tables for people set before a number: about, at most, bold, code, an arrow, a tag. */
const BEFORE = /^(?:<[a-z]{1,9}>|\ufe0f|[~≈<>≤≥=*_`↑↓▲▼→\s])+/iu;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:\s?%)?/i;
/** What they set behind it: an error, a note in brackets, marks of footnotes, an arrow, a tag. */
const BEHIND =
  /^(?:(?:±|\+\/?-)\s{0,2}[\d.]+(?:e[+-]?\d+)?%?|\([^()]*\)|\[[^[\]]*\]|<sup>[^<>]*<\/sup>|<\/?[a-z]{1,9}>|\ufe0f|[*†‡§¶#^_`⁺⁻⁰¹²³⁴-⁹ᵃ-ᵿ↑↓▲▼→\s])+$/iu;

/** So many of so many. */
const SHARE = /^(\d+)\s?(?:\/|of|out of)\s?(\d+)$/;

/** The number of a cell that holds one with something beside it, as `83.1 ± 0.4` and `**83.1**` do; undefined for anything else. */
export function besideNumber(text: string): string | undefined {
  if (text.length > MOST) return undefined;
  const [, part, whole] = SHARE.exec(text.trim()) ?? [];
  if (Number(whole) > 0 && Number(part) <= Number(whole)) return String(Number(part) / Number(whole));
  const bare = text.trim().replace(BEFORE, '');
  const number = NUMBER.exec(bare)?.[0];
  if (number === undefined) return undefined;
  const rest = bare.slice(number.length);
  const isAlone = rest.trim() === '' && bare === text.trim();
  return !isAlone && (rest.trim() === '' || BEHIND.test(rest)) ? number.trim() : undefined;
}

/** What to do with such a cell. */
export const aloneHint = (number: string): string =>
  `Write the number alone, ${number}; what stands beside it may have a column of its own.`;
