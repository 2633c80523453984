import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealed } from '../../src/io/canonical.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import { readSeal, sameSeal, sealPrimary } from '../../src/transfer/primary-seal.js';
import { freshFolder } from '../support/folders.js';

const digest = (letter: string) => letter.repeat(64);
const seal = sealPrimary({
  protocolSha256: digest('a'),
  analysisSha256: digest('b'),
  resultsSha256: digest('c'),
  tasks: readTaskSet('fixtures/tasks-small.json').tasks,
  manifests: [],
  at: '2026-08-20T00:00:00.000Z',
});

describe('the seal of a primary analysis', () => {
  const folder = freshFolder();
  const written = (value: object): string => {
    const path = join(folder, 'seal.json');
    writeFileSync(path, JSON.stringify(value));
    return path;
  };

  it('is read as it was written, though the results it states stand in another file', () => {
    expect(readSeal(written(seal))).toEqual(seal);
    expect(seal.tasks).toHaveLength(36);
  });

  it('closes the same whenever it was made', () => {
    const { tasks: _, sealed_at: __, ...old } = seal;
    expect(sameSeal(seal, sealed({ ...seal, sealed_at: '2026-08-21T00:00:00.000Z' }))).toBe(true);
    expect(sameSeal(seal, sealed({ ...seal, results_sha256: digest('d') }))).toBe(false);
    expect(readSeal(written(sealed({ ...old, schema: 'flavourbench-transfer-seal/1' as const })))).not.toHaveProperty(
      'tasks',
    );
  });

  it.each([
    ['edited', { ...seal, results_sha256: digest('d') }, 'DIGEST_MISMATCH', 4],
    ['of other tasks than it says', sealed({ ...seal, tasks: seal.tasks!.slice(1) }), 'DIGEST_MISMATCH', 4],
    ['no seal', { ...seal, stage: 'secondary' }, 'SCHEMA_INVALID', 2],
  ] as const)('is refused when it is %s', (_, value, code, exit) => {
    expect(() => readSeal(written(value))).toThrow(expect.objectContaining({ code, exit }));
  });
});
