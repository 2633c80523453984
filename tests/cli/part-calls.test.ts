import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptWords } from '../../src/cli/sharing/call-words.js';
import { mergeParts, runPart } from '../../src/cli/sharing/part-calls.js';
import { fileWords, partsOf, placedCall } from '../../src/cli/sharing/placed-call.js';
import { cliInline } from '../support/cli-inline.js';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'part-calls-'));
  const rows = Array.from({ length: 5 }, (_, m) => [
    `m${m}`,
    ...Array.from({ length: 20 }, (_, t) => (m * 37 + t * 11) % 29),
  ]);
  writeFileSync(at('scores.csv'), [['model', ...Array.from({ length: 20 }, (_, t) => `t${t}`)], ...rows].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the words of a call', () => {
  it('are kept but for those that say where and how it is run and written', () => {
    const words = 'infer a.csv --out x --draws 9 --shard=1/2 --json --threads 2 --outer 3 --force -- --out b.csv'.split(
      ' ',
    );
    expect(keptWords(words)).toEqual('infer a.csv --draws 9 --outer 3 -- --out b.csv'.split(' '));
  });

  it('name files as a word, behind an option and behind a name', () => {
    const file = at('scores.csv');
    const call = ['infer', file, `--scores=${file}`, `pmi=${file}`, at('none.csv'), '--draws', '5'];
    expect(fileWords(call)).toEqual([
      { at: 1, before: '', path: file },
      { at: 2, before: '--scores=', path: file },
      { at: 3, before: 'pmi=', path: file },
    ]);
    expect(placedCall(call, (path) => `in/${path.length}`)).toEqual([
      ...['infer', `in/${file.length}`, `--scores=in/${file.length}`, `pmi=in/${file.length}`],
      ...[at('none.csv'), '--draws', '5'],
    ]);
  });
});

describe('parts of a call', () => {
  it('are run one by one, in any order, and merge into the files of the whole', async () => {
    const call = ['infer', at('scores.csv'), '--draws', '300', '--flips', '999'];
    const whole = await cliInline([...call, '--out', at('whole')]);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    const files: string[] = [];
    for (const part of partsOf(call, 3).toReversed()) {
      const bytes = await runPart({ ...part, folder });
      expect(Buffer.from(bytes).equals(Buffer.from(await runPart({ ...part, folder, more: ['--threads', '1'] })))).toBe(
        true,
      );
      files.push(at(`kept-${part.shard.index}`));
      writeFileSync(files.at(-1)!, bytes);
    }
    await mergeParts({ call, parts: files, more: ['--quiet', '--out', at('merged')] });
    expect(readdirSync(at('merged'))).toEqual(readdirSync(at('whole')));
    for (const name of readdirSync(at('whole')))
      expect(readFileSync(join(at('merged'), name)).equals(readFileSync(join(at('whole'), name)))).toBe(true);
  });

  it.each([
    ['score', 'a.jsonl'],
    ['constructor', 'a.jsonl'],
    ['infer', '/a.csv', '--out', '/elsewhere'],
    // Commander takes the lone `--` as the value of the option before it.
    ['infer', '/a.csv', '--models', '--', '--out', '/elsewhere'],
    ['infer', '/a.csv', '--models', '--', '--force'],
    ['sensitivity', 'metrics', '/a.csv', '--models', '--', '--redis', 'redis://elsewhere'],
    ['infer', '--help'],
    ['sensitivity', 'help'],
  ])(
    'are none of a command that is not shared, of one that says where it is written, nor of its help: %s %s',
    async (...call) => {
      await expect(runPart({ ...partsOf(call, 2)[0]!, folder, more: ['--force'] })).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:USAGE|commander\.(?:unknownOption|unknownCommand|help))$/),
        message: expect.not.stringContaining('is not a function'),
      });
      expect(existsSync('/elsewhere')).toBe(false);
    },
  );
});
