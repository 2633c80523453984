import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeScrubber, scrubJson } from '../../src/collect/secrets.js';

const KEY = 'sk-or-v1-9f3A7bX0q2LmZ8tRw5';
/** Keys as providers give them: a prefix and a long word. */
const key = fc
  .tuple(fc.constantFrom('sk-', 'sk-or-v1-', 'AIza', 'hf_', ''), fc.stringMatching(/^[A-Za-z0-9]{20,48}$/))
  .map((parts) => parts.join(''))
  .filter((text) => new Set(text.toLowerCase()).size > 8);
/** Any key that a header can carry. */
const printable = fc.stringMatching(/^[!-~]{12,60}$/).filter((text) => new Set(text.toLowerCase()).size > 6);

const between = (text: string, by: string) => [...text].join(by);
const backwards = (text: string) => [...text].reverse().join('');
const otherCase = (text: string) =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
const wide = (text: string) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
/** Letters and digits of mathematics: bold, of two code units each. */
const bold = (text: string) =>
  text.replace(/[A-Za-z0-9]/g, (c) => {
    const code = c.charCodeAt(0);
    const first = /\d/.test(c) ? 0x1d7ce - 48 : /[A-Z]/.test(c) ? 0x1d400 - 65 : 0x1d41a - 97;
    return String.fromCodePoint(first + code);
  });
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');

const codes = (text: string, spell: (code: number) => string, by = '') =>
  [...text].map((c) => spell(c.charCodeAt(0))).join(by);

/** Spellings of any key, by name. */
const ANY_KEY: Readonly<Record<string, (key: string) => string>> = {
  'over two lines': (text) => `${text.slice(0, 7)}\n${text.slice(7)}`,
  'over lines that are indented and numbered by blanks': (text) => between(text, '\r\n   '),
  'with invisible marks between its letters': (text) => between(text, '\u200b\u2060'),
  'with soft hyphens and fillers': (text) => between(text, '\u00ad\u3164'),
  'with accents upon its letters': (text) => between(text, '\u0332'),
  'with no-break spaces': (text) => between(text, '\u00a0'),
  backwards,
  'in the other case': otherCase,
  'in full-width letters': wide,
  'in bold letters': bold,
  'in full-width letters backwards, with marks': (text) => between(wide(backwards(text)), '\u200d'),
  'in Base64': base64,
  'in Base64 of lines of 20': (text) => base64(text).replace(/.{20}/g, '$&\r\n'),
  'in Base64 backwards': (text) => backwards(base64(text)),
  'in Base64 of the key backwards': (text) => base64(backwards(text)),
  'in Base64 of full width': (text) => wide(base64(text)),
  'in Base64 twice': (text) => base64(base64(text)),
  'in Base64 of its digits': (text) => base64(hex(text)),
  'in Base64 of its digits in capitals': (text) => base64(hex(text).toUpperCase()),
  'in digits': hex,
  'in digits in capitals, apart by colons': (text) => between(hex(text).toUpperCase().match(/../g)!.join(' '), ':'),
  'in digits over two lines': (text) => hex(text).replace(/.{12}/, '$&\n'),
  'in digits of its Base64': (text) => hex(base64(text)),
  'in digits twice': (text) => hex(hex(text)),
  'in Base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'in Base64 of UTF-16, the greater byte first': (text) => Buffer.from(text, 'utf16le').swap16().toString('base64'),
  'in digits of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'in Base64 of JSON': (text) => base64(JSON.stringify(text)),
  'in Base64 of JSON with escaped slashes': (text) => base64(JSON.stringify(text).replaceAll('/', '\\/')),
  'in digits of JSON whose punctuation is escaped': (text) =>
    hex(text.replace(/[^\w]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)),
  'in Base64 of an address': (text) => base64(`https://example.org/?k=${encodeURIComponent(text)}&a=1`),
  'in digits of a form in small letters': (text) =>
    hex(encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase())),
  'in Base64 twice of an address': (text) => base64(base64(encodeURIComponent(text))),
  'in Base64 of HTML': (text) =>
    base64(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')),
  'in Base64 of a text of HTML': (text) =>
    base64(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  'in Base64 of an attribute of HTML': (text) => base64(text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
  'in Base64 of XML': (text) =>
    base64(
      [...text].map((c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[c] ?? c).join(''),
    ),
  'in escapes of old addresses': (text) => codes(text, (code) => `%u00${code.toString(16)}`),
  'in octal escapes': (text) => codes(text, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'in bytes of a program': (text) => codes(text, (code) => `0x${code.toString(16)}`, ', '),
  'in decimal bytes': (text) => codes(text, String, ' '),
  'in decimal bytes of a table': (text) => codes(text, String, ' | '),
  'in decimal bytes, one over five lines each': (text) => codes(text, String, '\n\n\n\n\n'),
  'in octal escapes without noughts': (text) => codes(text, (code) => `\\${code.toString(8)}`),
  'in escapes of points with many noughts': (text) =>
    codes(text, (code) => `\\u{${code.toString(16).padStart(12, '0')}}`),
  'in numbers of HTML with many noughts': (text) => codes(text, (code) => `&#${String(code).padStart(12, '0')};`),
  'in HTML of HTML': (text) => codes(text, (code) => `&amp;#${code};`),
  'in HTML of HTML of HTML': (text) => codes(text, (code) => `&amp;amp;#x${code.toString(16)};`),
  'in two words of a header': (text) => `=?utf-8?Q?${text.slice(0, 9)}?=\r\n =?utf-8?Q?${text.slice(9)}?=`,
  'in long marks of HTML': (text) => between(text, `<i class="${'x '.repeat(99)}">`),
  'in comments of HTML with words': (text) => between(text, '<!-- two words -->'),
  'in HTML with joiners by name': (text) => between(text, '&zwj;&shy;'),
  'in tags that nobody sees': (text) => codes(text, (code) => String.fromCodePoint(0xe0000 + code)),
  'in bold marks of HTML, each letter': (text) => codes(text, (code) => `<b>&#${code};</b>`),
};
/** Spellings of a key of letters and digits. */
const LETTER_KEY: Readonly<Record<string, (key: string) => string>> = {
  'with a hyphen between its letters': (text) => between(text, '-'),
  'as a list': (text) => between(text, ', '),
  'in quotation marks, each letter': (text) => between(text, '" "'),
  'without its own hyphens': (text) => text.replace(/[-_]/g, ''),
  'in escapes with marks between': (text) => between(text, '\\u200b'),
  'in escapes of escapes with marks between': (text) => between(text, '\\\\u200b'),
  'in an address with blanks between': (text) => between(text, '%20'),
  'in mail of soft breaks': (text) => between(text, '=\n'),
  'in entities with marks between': (text) =>
    [...text].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join('&#8203;'),
};

/** What is left beside the replacement holds no eight letters or digits of the key in a row. */
function expectGone(clean: string, secret: string): void {
  expect(clean).toContain('[redacted]');
  const letters = clean.toLowerCase().replace(/[^a-z0-9]/g, '');
  const own = secret.toLowerCase().replace(/[^a-z0-9]/g, '');
  for (let at = 0; at + 8 <= own.length; at += 1) expect(letters.includes(own.slice(at, at + 8))).toBe(false);
}

describe('a known secret', () => {
  it.each(Object.entries(ANY_KEY))('is taken out %s', (_, written) => {
    fc.assert(
      fc.property(fc.oneof(key, printable), (secret) => {
        const clean = makeScrubber([secret])(`FINAL: ${written(secret)} .`);
        expectGone(clean, secret);
        // The rest of the answer stays where it is no part of an escape.
        expect(clean === '[redacted]' || (clean.startsWith('FINAL: ') && clean.endsWith(' .'))).toBe(true);
      }),
      { numRuns: 8 },
    );
  });

  it.each(Object.entries(LETTER_KEY))('that is letters and digits is taken out %s', (_, written) => {
    fc.assert(
      fc.property(key, (secret) => expectGone(makeScrubber([secret])(`A: ${written(secret)} .`), secret)),
      { numRuns: 8 },
    );
  });

  it('is taken out of the parts of a message that are joined, of letters in a list, and of a number', () => {
    const scrub = makeScrubber([KEY, '123456789012345']);
    const parts = [KEY.slice(0, 9), KEY.slice(9)].map((text) => ({ type: 'text', text }));
    expect(scrubJson({ content: parts, n: [1, { text: 7 }] }, scrub)).toEqual({
      content: parts.map(() => ({ type: 'text', text: '[redacted]' })),
      n: [1, { text: 7 }],
    });
    expect(scrubJson([...KEY], scrub)).toEqual([...KEY].map(() => '[redacted]'));
    expect(scrubJson([KEY, 'as it was'], scrub)).toEqual(['[redacted]', 'as it was']);
    const counts = { id: 123456789012345, minus: -123456789012345, other: 123456789012346, small: 12 };
    expect(scrubJson(counts, scrub)).toEqual({ ...counts, id: '[redacted]', minus: '[redacted]' });
  });

  it('is taken out each time that it stands there, and what stands between stays', () => {
    const said = `one ${between(KEY, ' ')} two ${wide(KEY)}+${backwards(KEY)} three ${base64(KEY)} four`;
    expect(makeScrubber([KEY])(said)).toBe('one [redacted] two [redacted]+[redacted] three [redacted] four');
  });

  it('is looked for in time that hostile megabytes do not exhaust', () => {
    const scrub = makeScrubber([KEY, 'abcdeabcdeabcdeabcdeabcdeabcdf']);
    const hostile = [
      'abcde'.repeat(200_000),
      `${KEY.slice(0, -1)} `.repeat(40_000),
      `${base64(KEY).slice(0, -6)}.`.repeat(30_000),
      '\\u005c'.repeat(160_000),
      '\u0332'.repeat(500_000),
      '\ufdfa'.repeat(60_000),
      '12 '.repeat(300_000),
      `${'0x41, '.repeat(8)}! `.repeat(20_000),
      '<b'.repeat(400_000),
      '<!-- '.repeat(200_000),
      '&amp;'.repeat(200_000),
      '?= =?u?q'.repeat(100_000),
      '10       '.repeat(100_000),
    ];
    for (const one of hostile) expect(scrub(one).length).toBeLessThanOrEqual(one.length);
    expect(scrub(`${between(KEY, '\n')} `.repeat(10_000))).toBe('[redacted] '.repeat(10_000));
  });
});

describe('a text without the secret', () => {
  const answers = readFileSync('fixtures/responses-small.jsonl', 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).response as string);

  it('stays as it is: every answer of the fixtures, under any keys', () => {
    expect(answers.length).toBeGreaterThan(100);
    fc.assert(
      fc.property(fc.array(fc.oneof(key, printable), { minLength: 1, maxLength: 6 }), (secrets) => {
        const scrub = makeScrubber(secrets);
        expect(answers.filter((answer) => scrub(answer) !== answer)).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it('stays as it is: prose, numbers, code, Base64, digests, scripts and marks of all kinds', () => {
    const word = fc.constantFrom(
      ...['FINAL_SELECTION: A,C,F', 'the umami of miso', '0.333333333333333', '\u200b', '味噌', 'ﷺ', '%20%41', '&#65;'],
      ...['{"a": [1, 2]}', 'dGhlIHVtYW1pIG9mIG1pc28=', 'e3b0c44298fc1c149afbf4c8996fb924', '\\u0041', '- ', '\n'],
      ...['0000000000000000', 'sk-or-v1-', '**A**', '```', 'x_1 + y_2 = z', 'ÀÉÎ', 'A\u0301', '\u3164', '𝐀𝐁'],
    );
    const prose = fc.array(fc.oneof(word, fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 40 });
    fc.assert(
      fc.property(key, prose, fc.constantFrom(' ', '', ', '), (secret, words, by) => {
        const text = words.join(by);
        expect(makeScrubber([secret, '000000000000', 'xxxxxxxxxxxxxxxx'])(text)).toBe(
          text.replaceAll('000000000000', '[redacted]'),
        );
      }),
      { numRuns: 150 },
    );
  });
});
