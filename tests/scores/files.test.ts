import { describe, expect, it } from 'vitest';
import { scoresOf } from '../../src/scores/read-scores.js';

describe('files of scores', () => {
  it('are refused beside others, unless all are logs', async () => {
    const bytes = new TextEncoder().encode('model,t\na,1\n');
    const two = [
      { name: 'x.csv', bytes },
      { name: 'y.csv', bytes },
    ];
    await expect(scoresOf(two)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('2 files') });
    await expect(scoresOf([])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(scoresOf([two[0]!], { filter: 'none' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
