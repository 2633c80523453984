import { describe, expect, it } from 'vitest';
import { walkFiles } from '../../src/io/folder.js';
import { readLogs } from '../../src/logs/read-logs.js';
import type { FlavourError } from '../../src/util/error.js';

describe('a folder in which logs are damaged', () => {
  const refused = (path: string): Promise<FlavourError> =>
    readLogs(walkFiles([path]).files).then(
      () => Promise.reject(new Error('was read')),
      (error: FlavourError) => error,
    );

  it('is refused with every damaged log by name, since a log left out would be a model left out', async () => {
    const { code, message, hint, where } = await refused('fixtures/logs');
    expect(code).toBe('SCHEMA_INVALID');
    expect(where?.file).toBe('fixtures/logs/damaged/alpaca-eval.json');
    expect(message).toContain('a preference from 1 to 2 expected, found 7; refused too: ');
    for (const name of ['evalplus.json', 'inspect-eval.eval', 'mteb.json', 'swe-bench.json'])
      expect(message).toContain(`fixtures/logs/damaged/${name}`);
    expect(hint).toMatch(/name the \d+ logs that can be read, or mend or move the others\.$/);
  });

  it('is not told to name the logs that can be read where there is none', async () => {
    const { message, hint } = await refused('fixtures/cases/logs/unlabelled-filters');
    expect(message).toContain('refused too: fixtures/cases/logs/unlabelled-filters/B/samples');
    expect(hint).toBe('Say which: --filter 1, --filter 2 (the order of the rows of a document).');
  });

  it('says of one damaged log what is wrong with it, and nothing else', async () => {
    const { message } = await refused('fixtures/logs/damaged/helm');
    expect(message).toContain('fixtures/logs/damaged/helm');
    expect(message).not.toContain('refused too');
  });
});
