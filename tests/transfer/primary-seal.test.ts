import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireSeal, sealPrimary } from '../../src/transfer/primary-seal.js';
import { freshFolder } from '../support/environment-files.js';

const digest = (letter: string) => letter.repeat(64);
const seal = sealPrimary({
  protocolSha256: digest('a'),
  analysisSha256: digest('b'),
  resultsSha256: digest('c'),
  taskIds: ['t1', 't2'],
  manifests: [],
});

describe('the seal of a primary analysis', () => {
  const folder = freshFolder();
  const written = (value: object): string => {
    const path = join(folder, 'seal.json');
    writeFileSync(path, JSON.stringify(value));
    return path;
  };

  it('opens the secondary stage of the same protocol, though the results it states stand in another file', () => {
    expect(requireSeal(written(seal), digest('a'))).toEqual(seal);
    expect(requireSeal(written(seal), undefined)).toEqual(seal);
  });

  it.each([
    ['edited', { ...seal, results_sha256: digest('d') }, digest('a'), 'DIGEST_MISMATCH', 4],
    ['of another protocol', seal, digest('e'), 'DIGEST_MISMATCH', 4],
    ['no seal', { ...seal, stage: 'secondary' }, digest('a'), 'SCHEMA_INVALID', 2],
  ] as const)('is refused when it is %s', (_, value, protocol, code, exit) => {
    expect(() => requireSeal(written(value), protocol)).toThrow(expect.objectContaining({ code, exit }));
  });

  it('must be given', () => {
    expect(() => requireSeal(undefined, digest('a'))).toThrow(expect.objectContaining({ code: 'SEAL_MISSING' }));
  });
});
