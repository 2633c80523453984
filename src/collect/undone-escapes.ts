/** The names that HTML has for marks of ASCII, those that are letters of no other. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ Tab: '\t', NewLine: '\n', excl: '!', quot: '"', QUOT: '"', num: '#', dollar: '$', percnt: '%' },
  ...{ amp: '&', AMP: '&', apos: "'", lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+', comma: ',' },
  ...{ period: '.', sol: '/', colon: ':', semi: ';', lt: '<', LT: '<', equals: '=', gt: '>', GT: '>' },
  ...{ quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^' },
  ...{ lowbar: '_', UnderBar: '_', grave: '`', DiacriticalGrave: '`', lcub: '{', lbrace: '{' },
  ...{ verbar: '|', vert: '|', VerticalLine: '|', rcub: '}', rbrace: '}', hyphen: '-', dash: '-' },
};

/** The names that a character has in HTML. */
export const htmlNames = (character: string): string[] =>
  Object.keys(NAMES).filter((name) => NAMES[name] === character);

/**
 * Escapes of JSON and programs, of addresses and mail, numbers and names of HTML, its marks and comments, and what joins two words of a header. Each
 * begins with a character that none of its repeated parts holds, or is counted: time is linear in the text.
 */
const ESCAPES = new RegExp(
  [
    String.raw`(?:\\{1,4}|%(?:25){0,2})u(?<unit>[0-9a-f]{4})`,
    String.raw`\\{1,4}u\{0{0,32}(?<point>[0-9a-f]{1,6})\}`,
    String.raw`(?:%(?:25){0,2}|=|\\{1,4}x)(?<byte>[0-9a-f]{2})`,
    '&#x0{0,32}(?<hex>[0-9a-f]{1,6});?',
    String.raw`&#0{0,32}(?<decimal>\d{1,7});?`,
    '&(?<name>[a-z]{2,24});',
    String.raw`\\{1,4}(?<octal>[0-3]?[0-7]{1,2})`,
    String.raw`\\{1,4}[nrt]`,
    String.raw`=\r?\n`,
    String.raw`\?=\s{0,8}=\?[\w-]{1,32}\?[qb]\?`,
    '<[/!?]?[a-z-][^<>]*>',
  ].join('|'),
  'gi',
);

/** A text with escapes undone and marks of HTML gone; names of what is no mark of ASCII are gone too. */
export function undoneEscapes(text: string): string {
  return text.replace(ESCAPES, (...found) => {
    const { unit, point, byte, hex, decimal, name, octal } = found.at(-1) as Record<string, string | undefined>;
    if (name !== undefined) return NAMES[name] ?? '';
    const digits = unit ?? point ?? byte ?? hex;
    const code =
      digits === undefined ? Number(decimal ?? Number.parseInt(octal ?? '0', 8)) : Number.parseInt(digits, 16);
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  });
}
