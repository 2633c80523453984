import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { parseSelection, SET_PARSERS } from '../../src/responses/parser.js';
import { foreignContract, parserContract, parserFields, statedParser } from '../../src/responses/parser-contract.js';

const CHOICES = [...'abcdefgh'].map((letter) => `name ${letter}`);

/** A changed contract is another version of the parser: whoever changes a digest here breaks every document that states it. */
const DIGESTS = {
  v3: 'd9198854b6b1eb8cd3dacd15ef44b14938ff8681764b433b748f7a2c6492dd31',
  v4: 'b44ed17bb659a1f6f17b6881f3998972781e2750659c87cc9c5c8fadf5be729b',
};

describe('contract of a parser', () => {
  it.each(SET_PARSERS)('%s has the digest that documents state, over its canonical text', (parser) => {
    const { contract, sha256: digest } = parserContract(parser);
    expect(digest).toBe(sha256(canonicalJson(contract)));
    expect(digest).toBe(DIGESTS[parser]);
  });

  it.each(SET_PARSERS)('%s reads every example of its contract as the contract says', (parser) => {
    const { examples } = parserContract(parser).contract;
    const read = examples.map(([answer]) => {
      const { outcome, key } = parseSelection(answer, CHOICES, { version: parser });
      return [answer, outcome, key];
    });
    expect(read).toEqual(examples);
    expect(examples.length).toBeGreaterThan(5);
  });

  it('goes on to v3 where v4 ends, by its digest', () => {
    expect(parserContract('v4').contract.after).toBe(DIGESTS.v3);
  });

  it('is named by documents of today, and read where the digest is the same or missing', () => {
    const place = { file: 'core.json', path: 'sources.parser' };
    for (const parser of SET_PARSERS) {
      const { parser: name, parser_sha256 } = parserFields(parser);
      expect(statedParser({ parser: name, parser_sha256 }, place)).toBe(parser);
      expect(statedParser({ parser: name }, place)).toBe(parser);
      expect(foreignContract(parser, parser_sha256)).toBeUndefined();
    }
    expect(statedParser({}, place)).toBe('v3');
  });

  it('refuses other rules of the same name, with both digests and the place', () => {
    const place = { file: 'core.json', path: 'sources.parser' };
    const stated = { ...parserFields('v4'), parser_sha256: 'f'.repeat(64) };
    expect(() => statedParser(stated, place)).toThrow(
      expect.objectContaining({
        code: 'DIGEST_MISMATCH',
        exit: 4,
        where: { file: 'core.json', path: 'sources.parser_sha256' },
        message: expect.stringMatching(new RegExp(`${DIGESTS.v4}.*${'f'.repeat(64)}`)),
      }),
    );
    expect(() => statedParser({ parser_sha256: 'f'.repeat(64) }, {})).toThrow(/v3 has/);
    expect(() => statedParser({ parser: 'flavourbench-selection-set-parser-v9' }, place)).toThrow(
      /v4 or .*v3 expected/,
    );
  });
});
