import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { OUTPUT_OPTIONS } from '../../src/cli/mistakes/inside-store.js';
import { writeAtomic, writeOnce } from '../../src/io/file.js';
import { assertOutside, openStore } from '../../src/io/write/guard.js';
import { openOutputs } from '../../src/io/write/outputs.js';
import { cli } from '../support/cli.js';
import { cliInline } from '../support/cli-inline.js';

const TASKS = resolve('fixtures/tasks-small.json');
const ANSWERS = resolve('fixtures/responses-small.jsonl');
const JOURNAL = '{"event":{"schema":"flavourbench-journal/1","type":"ledger_created"}}\n';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inside-'));
  mkdirSync(at('ledger'));
  writeFileSync(at('ledger/attempts.jsonl'), JOURNAL);
  mkdirSync(at('release'));
  for (const name of ['MANIFEST.json', 'release.json', 'attempts.jsonl']) writeFileSync(at(`release/${name}`), '{}');
  mkdirSync(at('plain'));
  symlinkSync(at('ledger'), at('link'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that lies in a folder. */
const held = (name: string) => readdirSync(at(name), { recursive: true }).sort();

/** Every command that has an option for what it writes, as the words that call it, with what it cannot do without. */
async function writers(): Promise<[words: string, option: string, call: string[]][]> {
  const program = new Command();
  for (const entry of COMMANDS) (await entry.load()).register(program);
  const found: [string, string, string[]][] = [];
  const walk = (command: Command, words: readonly string[]): void => {
    for (const below of command.commands) walk(below, [...words, below.name()]);
    for (const option of command.options) {
      if (!OUTPUT_OPTIONS.some((name) => name === option.attributeName())) continue;
      const needed = command.options.filter((each) => each.mandatory && each !== option);
      const given = needed.flatMap((each) => [each.long!, each.argChoices?.[0] ?? '1']);
      const args = command.registeredArguments
        .filter((each) => each.required)
        .map((each) => each.argChoices?.[0] ?? '1');
      found.push([words.join(' '), option.long!, [...words, ...args, ...given]]);
    }
  };
  walk(program, []);
  return found;
}

describe('no command writes into a ledger or a release', () => {
  it('whatever its output is called', async () => {
    const before = [held('ledger'), held('release')];
    const all = await writers();
    expect(all.length).toBeGreaterThan(30);
    for (const [words, option, call] of all)
      for (const [place, what] of [
        ['link/new/deep.json', 'a ledger'],
        ['release/new.json', 'a release'],
      ]) {
        const run = await cliInline([...call, option, at(place!)]);
        expect([run.code, run.stdout], `${words} ${option}`).toEqual([2, '']);
        expect(run.stderr, `${words} ${option}`).toMatch(
          new RegExp(`^flavourbench: USAGE: ${at(place!)}: lies inside \\S+, which is ${what} and stays as it is`),
        );
      }
    expect([held('ledger'), held('release')]).toEqual(before);
  });

  it('or to a name that is empty, as an unset variable of a shell is', async () => {
    for (const [words, option, call] of await writers()) {
      const run = await cliInline([...call, option, '']);
      expect([run.code, run.stdout, run.stderr], `${words} ${option}`).toEqual([
        2,
        '',
        expect.stringContaining(`USAGE: ${option} has no name`),
      ]);
    }
  });

  it('also not where the ledger itself is named, or a new one would lie in one', async () => {
    const before = held('ledger');
    const pack = await cliInline(['ledger', 'pack', at('ledger'), '--out', at('ledger')]);
    expect(pack).toMatchObject({ code: 2, stderr: expect.stringContaining('is a ledger, which stays as it is') });
    expect(() => openStore(at('ledger/records/inner'))).toThrow(/lies inside .*ledger, which is a ledger/);
    expect(() => openStore(at('release/ledger'))).toThrow(/which is a release/);
    expect(held('ledger')).toEqual(before);
  });

  it('by any of the functions that write files', () => {
    const path = at('ledger/x');
    const outputs = openOutputs({ replace: true });
    for (const write of [
      () => writeAtomic(path, ''),
      () => writeOnce(path, ''),
      () => outputs.add({ path, data: '' }),
      () => outputs.open(path),
    ])
      expect(write).toThrow(/lies inside .*ledger, which is a ledger and stays as it is/);
    outputs.abandon();
    expect(held('ledger')).toEqual(['attempts.jsonl']);
    assertOutside(at('plain/x'));
    writeAtomic(at('plain/x'), 'written');
  });

  it('but the code that opened it to write it', () => {
    cpSync(at('ledger'), at('opened'), { recursive: true });
    openStore(at('opened'));
    writeAtomic(at('opened/records/a/b'), 'a record');
    expect(held('opened')).toEqual(['attempts.jsonl', 'records', 'records/a', 'records/a/b']);
  });
});

it('nothing is written into a folder that the same call reads', () => {
  mkdirSync(at('answers'));
  copyFileSync(ANSWERS, at('answers/a.jsonl'));
  const run = (...out: string[]) => cli(['rescore', 'answers', '--tasks', TASKS, '--out', ...out], { cwd: folder });
  for (const out of ['answers/out', 'answers/out.json', './answers/deep/out/', 'answers']) {
    const { code, stderr } = run(out);
    expect([code, stderr], out).toEqual([2, expect.stringMatching(/an input of this call|OUTPUT_EXISTS/)]);
  }
  expect(held('answers')).toEqual(['a.jsonl']);
  expect(run('beside').code).toBe(0);
});
