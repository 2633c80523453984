import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  citationCount,
  citationFaults,
  citingFiles,
  missingPaths,
  repositoryRules,
  rulePageIndex,
} from '../support/citations.js';

const rules = repositoryRules();
/** These two hold citations that are wrong on purpose. */
const OWN = ['tests/house/citations.test.ts', 'tests/support/citations.ts'];

describe('rules that comments cite (docs/spec/README.md)', () => {
  it('every cited rule is a heading of docs/spec, and every page that is named is in the repository', () => {
    const texts = citingFiles()
      .filter((file) => !OWN.includes(file))
      .map((file) => [file, readFileSync(file, 'utf8')] as const);
    const cited = texts.reduce((sum, [, text]) => sum + citationCount(text), 0);
    expect(cited).toBeGreaterThan(200);
    expect(texts.flatMap(([file, text]) => citationFaults(file, text, rules))).toEqual([]);
  });

  it.each([
    ['a rule that is none', '/** Sums (statistics 6.9). */', '(statistics 6.9)'],
    ['a part that is none', '// (compiler f.1)', '(compiler f.1)'],
    ['a letter that has no such number', '// (compiler b.66)', '(compiler b.66)'],
    ['one number of several', '// (compiler b.4, b.99)', '(compiler b.99)'],
    ['the end of a range', '// (statistics 5 to 77)', '(statistics 77)'],
    ['the end of a hyphenated range', '// (analyses 9.6-9.8)', '(analyses 9.8)'],
    ['the second of two pages', '// (statistics 12, analyses 99)', '(analyses 99)'],
    ['a rule behind other words', '// (all of it, see the tables; collection 8.1)', '(collection 8.1)'],
    ['a number that stands on the next line', '/**\n * Interval (statistics\n * 14.9).\n */', '(statistics 14.9)'],
    ['a rule without brackets', '// as statistics 6.9 says', '(statistics 6.9)'],
    ['a step that is none', '// (compiler c.2 step 44)', '(compiler c.2 step 44)'],
    ['a linked page in a text', 'see [compiler](compiler.md) d.9', '(compiler d.9)'],
    ['a page of somewhere else', '// as it was agreed (contracts 4)', '(contracts 4)'],
    ['a file of somewhere else', '// see design.md', 'design.md'],
    ['a folder of somewhere else', '// see spec/anchors.md', 'spec/anchors.md'],
  ])('%s is reported', (_, text, reported) => {
    expect(citationFaults('src/util/made-up.ts', text, rules)).toEqual([expect.stringContaining(reported)]);
  });

  it('a made-up page of rules gives exactly its headings and steps', () => {
    const index = rulePageIndex('# Title\n## 1 Numbers\n### 1.2 Ties\n1. first\n2. second\n## b Part\n### b.11 More\n');
    expect([...index.numbers]).toEqual(['1', '1.2', 'b', 'b.11']);
    expect([...index.steps]).toEqual(['1.2 step 1', '1.2 step 2']);
  });

  it('every path of this repository that a page names exists', () => {
    const pages = citingFiles().filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
    expect(pages.flatMap((file) => missingPaths(readFileSync(file, 'utf8')).map((path) => `${file}: ${path}`))).toEqual(
      [],
    );
    expect(missingPaths('see `src/util/made-up.ts`, `src/util/error.ts` and `src/NAME/NAME.ts`')).toEqual([
      'src/util/made-up.ts',
    ]);
  });
});
