import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/io/canonical.js';
import { provedTimeStamp, readAuthorities, readTimeStamp } from '../../src/witness/time-stamp.js';

const bytes = (name: string) => new Uint8Array(readFileSync(`fixtures/timestamps/${name}`));
const { artifact_sha256: digest, ...body } = JSON.parse(readFileSync('fixtures/timestamps/plan.json', 'utf8'));
const stamped = new TextEncoder().encode(canonicalJson(body));
const proved = (token: Uint8Array, authority = 'ca.pem', data = stamped) =>
  provedTimeStamp(token, 'plan.tsr', { authorities: readAuthorities(bytes(authority), authority), stamped: data });
const refused = (what: RegExp) =>
  expect.objectContaining({ code: 'TOKEN_REFUSED', exit: 4, message: expect.stringMatching(what) });

describe('a time-stamp token that openssl made', () => {
  it('says what was stamped, and when, whoever signed it', () => {
    const stamp = readTimeStamp(bytes('plan.tsr'), 'plan.tsr');
    expect(stamp.imprint).toBe(digest);
    // `openssl ts -reply -in plan.tsr -text` shows the same second.
    expect(stamp.at).toBe('2026-12-01T20:56:16.000Z');
    expect(readTimeStamp(bytes('stranger.tsr'), 'stranger.tsr').imprint).toBe(digest);
  });

  it('is proved up to the authority that issued its certificate', async () => {
    expect(await proved(bytes('plan.tsr'))).toEqual(readTimeStamp(bytes('plan.tsr'), 'plan.tsr'));
  });

  it('is proved without its own certificate where that stands among those of the authority', async () => {
    expect((await proved(bytes('bare.tst'), 'ca-and-tsa.pem')).imprint).toBe(digest);
    await expect(proved(bytes('bare.tst'))).rejects.toThrow(refused(/signer certificate/i));
  });

  it.each([
    ['of another authority', 'stranger.tsr', 'ca.pem', /signature does not hold: Validation of signer's certificate/],
    [
      'against another authority',
      'plan.tsr',
      'other-ca.pem',
      /signature does not hold: Validation of signer's certificate/,
    ],
    ['whose certificate had expired', 'expired.tsr', 'ca.pem', /expired|not valid/i],
    [
      'whose certificate an end entity issued',
      'leaf.tsr',
      'ca.pem',
      /signature does not hold: Validation of signer's certificate/,
    ],
    ['whose certificate is not for time stamps', 'no-usage.tst', 'ca.pem', /not one for time stamps alone/],
    ['over something else', 'other-plan.tsr', 'ca.pem', /TSTInfo verification is failed/],
  ])('is refused when it is one %s', async (_, token, authority, what) => {
    await expect(proved(bytes(token), authority)).rejects.toThrow(refused(what));
  });

  it('is refused when any byte of its signature or its statement was altered', async () => {
    const whole = bytes('plan.tsr');
    const places = Array.from({ length: 20 }, (_, i) => whole.length - 1 - 3 * i);
    const statement = Buffer.from(whole).indexOf(Buffer.from('20261201', 'latin1'));
    expect(statement).toBeGreaterThan(0);
    for (const at of [...places, statement + 3]) {
      const altered = whole.slice();
      altered[at]! ^= 1;
      await expect(proved(altered), `byte ${at}`).rejects.toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^TOKEN_(?:REFUSED|INVALID)$/) }),
      );
    }
  });
});

describe('what is no token', () => {
  it.each([
    ['a refusal of the authority', bytes('refusal.tsr'), /refusal of an authority \(status 2\)/],
    ['one over SHA-512', bytes('sha512.tsr'), /SHA-256 expected/],
    ['a certificate', bytes('ca.pem'), /./],
    ['nothing', new Uint8Array(), /./],
    ['a token that is cut off', bytes('plan.tsr').slice(0, -3), /./],
    ['a token with something behind it', Uint8Array.from([...bytes('plan.tsr'), 0, 0]), /one whole value/],
    ['2 MiB', new Uint8Array(1 << 21), /at most 1048576/],
    ['nesting without end', new Uint8Array(60_000).fill(0x30), /./],
    ['nesting by long lengths', Uint8Array.from({ length: 80_000 }, (_, i) => (i % 2 === 0 ? 0x30 : 0x80)), /./],
  ])('%s is refused with its file', (_, data, what) => {
    expect(() => readTimeStamp(data, 'some.tsr')).toThrow(
      expect.objectContaining({
        code: 'TOKEN_INVALID',
        where: { file: 'some.tsr' },
        message: expect.stringMatching(what),
      }),
    );
  });

  it('certificates that are none are refused', () => {
    for (const data of [
      bytes('plan.json'),
      new Uint8Array(),
      new TextEncoder().encode('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
    ])
      expect(() => readAuthorities(data, 'ca.pem')).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
    expect(readAuthorities(bytes('ca-and-tsa.pem'), 'ca.pem')).toHaveLength(2);
  });
});
