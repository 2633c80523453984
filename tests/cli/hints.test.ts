import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { cliInline } from '../support/cli-inline.js';

/** Options of git, of Node and of harnesses, and names of style sheets. */
const FOREIGN = new Set([
  '--no-pager',
  '--expose-gc',
  '--no-memory-reducer',
  '--batch',
  '--predict_only',
  '--log_samples',
  '--given',
  '--plot-background',
]);

/** Long options of every command, hidden ones among them. */
async function known(): Promise<Set<string>> {
  const program = new Command();
  for (const entry of COMMANDS) (await entry.load()).register(program);
  const names = new Set(['--help', '--version']);
  const walk = (command: Command): void => {
    for (const option of command.options) names.add(option.long ?? '');
    command.commands.forEach(walk);
  };
  walk(program);
  return names;
}

/** The texts between quotes of the sources, with their file. */
function texts(): [file: string, text: string][] {
  const files = readdirSync('src', { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /(?<!\.d)\.ts$/.test(file.name) && !file.parentPath.startsWith('src/explorer'))
    .flatMap((file) => {
      const path = join(file.parentPath, file.name);
      const source = readFileSync(path, 'utf8').replace(/^ *(?:\/\/|\/?\*).*$/gm, '');
      return [...source.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)].map(([text]): [string, string] => [
        path,
        text,
      ]);
    });
}

describe('what errors advise', () => {
  it('names options that some command has', async () => {
    const names = await known();
    const unknown = texts().flatMap(([file, text]) =>
      [...text.matchAll(/(?<![\w-])--[a-z][\w-]*\w/g)]
        .map(([option]) => option)
        .filter((option) => !names.has(option) && !FOREIGN.has(option))
        .map((option) => `${file}: ${option}`),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('is said of the step whose options it names, where another command runs it', async () => {
    const { code, stderr } = await cliInline([
      'demo',
      '--per-stratum',
      '3',
      '--out',
      join(mkdtempSync(join(tmpdir(), 'hints-')), 'demo'),
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /hint: Choose another --per-stratum \(6 unless given\)\. Of the step by itself, `flavourbench compile`: .*--design/,
    );
  });
});
