import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ERROR_TEXT, makeRedactor, safeScalar } from '../../src/collect/redact.js';

describe('redaction', () => {
  it('hides known secrets in every form they travel in', () => {
    const secret = 'p@ss word/"x"';
    const redact = makeRedactor([secret]);
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret), Buffer.from(secret).toString('base64')];
    for (const form of forms) expect(redact(`before ${form} after`)).toContain('[redacted]');
    expect(forms.map(redact).join()).not.toContain('word');
  });

  it('hides words that look like a secret', () => {
    const redact = makeRedactor([]);
    const text = 'sk-abcdefgh1234 hf_abcdefgh1234 Bearer abc.def.ghi Basic dXNlcjpwYXNz http://me:pw@host/x';
    expect(redact(text)).not.toMatch(/abcdefgh1234|abc\.def|dXNlcjpw|me:pw/);
  });

  it('leaves no part of a secret behind, whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }).filter((s) => s.trim() === s && !'[redacted]'.includes(s)),
        fc.string(),
        fc.string(),
        (secret, a, b) => {
          expect(makeRedactor([secret])(`${a}${secret}${b}`)).not.toContain(secret);
        },
      ),
    );
  });

  it('bounds the length of what it lets through', () => {
    expect(makeRedactor([])('x'.repeat(5000))).toHaveLength(MAX_ERROR_TEXT);
  });

  it('keeps only short plain codes of a provider', () => {
    expect(safeScalar('rate_limit:rpm')).toBe('rate_limit:rpm');
    expect(safeScalar(429)).toBe('429');
    expect(safeScalar('see https://example.org for your prompt')).toBe('present_redacted');
    expect(safeScalar('x'.repeat(65))).toBe('present_redacted');
    expect(safeScalar(null)).toBeNull();
  });
});
