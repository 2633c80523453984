import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrubbed } from '../../src/collect/http.js';
import { readReply } from '../../src/collect/read-reply.js';
import { makeScrubber, scrubJson } from '../../src/collect/secrets.js';
import { htmlNames } from '../../src/collect/undone-escapes.js';

const key = fc.stringMatching(/^[!-~]{12,60}$/);
const REQUEST = { method: 'GET', url: 'http://x', headers: {}, body: null, timeoutMs: 1, maxBodyBytes: 1 } as const;
const text = fc.string({ maxLength: 20 });

/** How a character can be written in an address, inside JSON, in JSON inside JSON; `pick` chooses among them. */
function spelt(character: string, pick: number): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const ways = [
    character,
    `%${hex}`,
    `%${hex.toUpperCase()}`,
    `%25${hex}`,
    `\\u00${hex}`,
    `\\u00${hex.toUpperCase()}`,
    `\\\\u00${hex}`,
    `\\x${hex}`,
    `=${hex.toUpperCase()}`,
    `&#${character.charCodeAt(0)};`,
    `&#x${hex};`,
    `&#${'0'.repeat(9)}${character.charCodeAt(0)};`,
    `&amp;#${character.charCodeAt(0)};`,
    `&amp;amp;#x${hex.toUpperCase()};`,
  ];
  ways.push(...htmlNames(character).flatMap((name) => [`&${name};`, `&amp;${name};`]));
  if ('"\\/'.includes(character)) ways.push(`\\${character}`);
  return ways[pick % ways.length]!;
}

describe('a known secret', () => {
  it('is taken out in every spelling of JSON and of addresses, each character in its own', () => {
    const spelling = fc.array(fc.nat(55), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(key, spelling, text, text, (secret, ways, before, after) => {
        const written = [...secret].map((c, i) => spelt(c, ways[i]!)).join('');
        expect(makeScrubber([secret])(`${before} ${written} ${after}`)).toBe(`${before} [redacted] ${after}`);
      }),
      { numRuns: 150 },
    );
  });

  it('is taken out of Base64 wherever it begins, with its user or alone, in both alphabets', () => {
    fc.assert(
      fc.property(key, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (secret, before, after) => {
        const whole = Buffer.from(`${before}${secret}${after}`, 'utf8');
        for (const alphabet of ['base64', 'base64url'] as const) {
          const clean = makeScrubber([secret])(`x ${whole.toString(alphabet)} y`);
          expect(clean).toContain('[redacted]');
          // What is left, decoded at any place, holds no eight characters of it in a row.
          const rest = clean.split('[redacted]').map((part) => part.replace(/^x | y$/g, ''));
          for (const part of rest)
            for (let cut = 0; cut < 4; cut += 1) {
              const decoded = Buffer.from(part.slice(cut), alphabet).toString('latin1');
              for (let at = 0; at + 8 <= secret.length; at += 1)
                expect(decoded.includes(secret.slice(at, at + 8))).toBe(false);
            }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('is taken out of Base64 that is wrapped or encoded twice, and of its digits', () => {
    const wrapped = (encoded: string, width: number, by: string) =>
      encoded.replace(new RegExp(`(.{${width}})(?=.)`, 'g'), `$1${by}`);
    fc.assert(
      fc.property(key, fc.integer({ min: 1, max: 76 }), fc.constantFrom('\n', '\r\n', '\\n'), (secret, width, by) => {
        const once = Buffer.from(secret, 'utf8').toString('base64');
        const twice = Buffer.from(once).toString('base64');
        const hex = Buffer.from(secret, 'utf8').toString('hex');
        const scrub = makeScrubber([secret]);
        for (const encoded of [wrapped(once, width, by), twice, wrapped(twice, width, by), hex, hex.toUpperCase()]) {
          const clean = scrub(`x ${encoded} y`);
          expect(clean).toContain('[redacted]');
          // Twelve characters of the outer of two encodings hold six of the key.
          const rest = clean.replace(/^x | y$|\[redacted\]|\s|\\n|=/g, '');
          expect(rest.length).toBeLessThan(12);
        }
        expect(scrub(`x ${hex.replace(/..(?=.)/g, '$&:')} y`)).toBe('x [redacted] y');
      }),
      { numRuns: 80 },
    );
  });

  it('is taken out of every text of a JSON reply, names too, however the body spells it', async () => {
    const body = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(
        key,
        body,
        fc.array(fc.nat(55), { minLength: 60, maxLength: 60 }),
        async (secret, rest, ways) => {
          const value = {
            id: 'KEY',
            model: 'a KEY b',
            rest,
            choices: [{ message: { content: 'KEY' }, finish_reason: 'KEY' }],
            KEY: 1,
          };
          // Every character as a JSON text may hold it: itself, \u00hh, or \/ for a slash.
          const inJson = [...secret].map((c, i) => {
            const plain = JSON.stringify(c).slice(1, -1);
            const hex = `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
            return [plain, hex, hex.toUpperCase().replace('\\U', '\\u'), c === '/' ? '\\/' : plain][ways[i]! % 4]!;
          });
          const sent = Buffer.from(JSON.stringify(value).replaceAll('KEY', () => inJson.join('')));
          const send = scrubbed(
            async () => ({ kind: 'reply', status: 200, headers: { 'x-echo': secret }, body: sent, oversized: false }),
            makeScrubber([secret]),
          );
          const outcome = await send(REQUEST);
          if (outcome.kind !== 'reply') throw new Error('a reply expected');
          const read = JSON.parse(outcome.body.toString('utf8'));
          expect(read).toMatchObject({ id: '[redacted]', model: 'a [redacted] b', '[redacted]': 1 });
          expect(read.choices).toEqual([{ message: { content: '[redacted]' }, finish_reason: '[redacted]' }]);
          expect(outcome.headers['x-echo']).toBe('[redacted]');
        },
      ),
      { numRuns: 80 },
    );
  });

  it('leaves a reply without it as it came, and cuts one that is nested past any reply', async () => {
    const sent = Buffer.from('{"a": 1.0, "b":"\\u0041 \\/ kept"}');
    const reply = async (body: Buffer) => {
      const send = scrubbed(
        async () => ({ kind: 'reply', status: 200, headers: {}, body, oversized: false }),
        makeScrubber(['0123456789ab']),
      );
      const outcome = await send(REQUEST);
      return outcome.kind === 'reply' ? outcome.body : null;
    };
    expect(await reply(sent)).toBe(sent);
    const deep = Array.from({ length: 90 }).reduce<unknown>((inner) => [inner], '0123456789ab');
    expect(JSON.stringify(scrubJson(deep, makeScrubber(['0123456789ab'])))).not.toContain('0123456789ab');
    expect(String(await reply(Buffer.from(`{"x": 0123456789ab`)))).toBe('{"x": [redacted]');
  });

  it('hides no broken bytes: a reply that was no UTF-8 has no answer, whether or not something was taken out', async () => {
    for (const said of ['0123456789ab', 'nothing']) {
      const text = `{"choices":[{"finish_reason":"stop","message":{"content":"${said} @"}}]}`;
      const body = Buffer.from(text.replace('@', '\xff'), 'latin1');
      const send = scrubbed(
        async () => ({ kind: 'reply', status: 200, headers: {}, body, oversized: false }),
        makeScrubber(['0123456789ab']),
      );
      const outcome = await send(REQUEST);
      if (outcome.kind !== 'reply') throw new Error('a reply expected');
      expect(readReply(outcome, 'chat_completions')).toMatchObject({ delivery: 'accepted', failure: 'invalid_text' });
    }
  });

  it('is looked for in time that hostile megabytes do not exhaust', () => {
    const scrub = makeScrubber(['%25%25%25%25%25%25%25', '\\\\\\\\\\\\\\\\\\\\\\\\\\\\', 'aaaaaaaaaaaaaaaaaaaaaaab']);
    const hostile = [`${'%25'.repeat(400_000)}!`, `${'\\'.repeat(1_000_000)}!`, 'a'.repeat(1_000_000)];
    for (const one of hostile) expect(scrub(one).length).toBeLessThanOrEqual(one.length);
  });
});
