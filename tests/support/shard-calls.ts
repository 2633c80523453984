import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CliRun } from './cli.js';
import { cliInline } from './cli-inline.js';

/** How a call is run: in this process, unless given. */
type Run = (call: readonly string[]) => CliRun | Promise<CliRun>;

const DONE = { code: 0, stderr: '' };

/** Names of the files in a folder and in those below it. */
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort();

/** Gives the files of a result, a folder or one file, as texts to compare; documents without what says how they were run. */
export function resultOf(path: string): Record<string, string> {
  const names = statSync(path).isDirectory() ? filesIn(path) : [''];
  return Object.fromEntries(
    names.map((name) => {
      const bytes = readFileSync(join(path, name));
      if (bytes[0] !== 0x7b || !`${path}${name}`.endsWith('.json')) return [name, bytes.toString('base64')];
      const { artifact_sha256: _, run, ...document } = JSON.parse(bytes.toString());
      return [name, JSON.stringify({ ...document, run: { ...run, reason: '', threads: 0 } })];
    }),
  );
}

/** Runs a call whole, and by so many shards that are put together in no order; gives both results and the parts. */
export async function wholeAndShards(
  call: readonly string[],
  { at, count, ending = '', run = cliInline }: { at: string; count: number; ending?: string; run?: Run },
) {
  expect(await run([...call, '--out', `${at}-whole${ending}`])).toMatchObject(DONE);
  const parts = Array.from({ length: count }, (_, k) => `${at}-part-${k + 1}`);
  for (const [k, part] of parts.entries())
    expect(await run([...call, '--shard', `${k + 1}/${count}`, '--out', part])).toMatchObject(DONE);
  expect(await run(['merge', ...parts.toReversed(), '--out', `${at}-merged${ending}`])).toMatchObject(DONE);
  return { whole: resultOf(`${at}-whole${ending}`), merged: resultOf(`${at}-merged${ending}`), parts };
}

/** The pieces that a part holds: what they are, and of which range. */
export function piecesIn(part: string): string[] {
  const bytes = readFileSync(part);
  const { pieces } = JSON.parse(bytes.toString('utf8', 65, bytes.indexOf(10, 65)));
  return pieces.map(
    ({ what, first, count, units }: { what: string; first: number; count: number; units: number }) =>
      `${what} ${first}+${count}/${units}`,
  );
}
