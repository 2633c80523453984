import { describe, expect, it } from 'vitest';
import { ASSETS, assetUrl, findAssets } from '../../src/environment/assets.js';

describe('the registry of public assets', () => {
  it('names every asset once, with a digest and a licence', () => {
    expect(new Set(ASSETS.map(({ id }) => id)).size).toBe(ASSETS.length);
    for (const { id, sha256: digest, licence, url } of ASSETS) {
      expect(id).toMatch(/^[a-z0-9-]+\/[A-Za-z0-9_.]+$/);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(licence).not.toBe('');
      if (url) expect(url).toMatch(/^https:\/\/[^?]+\/resolve\/[0-9a-f]{40}\/[^?]+$/);
    }
  });

  it('finds assets by name and by group', () => {
    expect(findAssets('runtime').map(({ id }) => id)).toHaveLength(3);
    expect(findAssets('epicure-cooc/vocab.json')).toHaveLength(1);
    expect(() => findAssets('epicure')).toThrow(/no asset "epicure"/);
  });

  it('forms the address of a data set from a revision', () => {
    const tasks = findAssets('flavourbench/tasks.jsonl')[0]!;
    expect(assetUrl(tasks)).toBeNull();
    expect(assetUrl(tasks, 'abc123')).toMatch(
      /\/josefchen\/flavourbench\/resolve\/abc123\/data-complete-core\/tasks.jsonl$/,
    );
    expect(() => assetUrl(tasks, '../x')).toThrow(/--revision/);
  });
});
