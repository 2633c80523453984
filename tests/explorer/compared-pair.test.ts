import { describe, expect, it } from 'vitest';
import { kindWords } from '../../src/explorer/compared-pair.js';

describe('how a p came about', () => {
  it('is said by its kind, and drawn where no kind is stated', () => {
    const said = (['exact', 'enumerated', 'sampled', null] as const).map((pKind) =>
      kindWords({ pKind }, { flips: 5000 }),
    );
    expect(said).toEqual(['exact', 'exact', '5,000 draws', '5,000 draws']);
  });
});
