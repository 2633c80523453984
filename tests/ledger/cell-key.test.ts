import { expect, it } from 'vitest';
import { canonicalDigest } from '../../src/io/canonical.js';
import { cellId, contractDigest } from '../../src/ledger/cell-key.js';
import { bindingFor } from './support.js';

it.each<Parameters<typeof bindingFor>[0]>([
  {},
  { model_id: 'é "quoted" \u2028\\', repeat: 99, phase: 'repeat' as const },
  { decoding: { top_p: 0.1, max_tokens: null, nested: { b: [1, 'x'], a: true } } },
  { decoding: {} },
])('the id of a cell is the digest of its canonical key, its contract that of a part: %j', (changes) => {
  const { key } = bindingFor(changes);
  expect(cellId(key)).toBe(canonicalDigest(key));
  const { phase: _phase, prompt_sha256: _prompt, repeat: _repeat, ...contract } = key;
  expect(contractDigest(key)).toBe(canonicalDigest(contract));
});
