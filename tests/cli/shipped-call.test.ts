import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedCall } from '../../src/cli/queue/shipped-call.js';
import { cliInline } from '../support/cli-inline.js';
import { folderWith, smallRuntime } from '../support/environment-files.js';

const folder = mkdtempSync(join(tmpdir(), 'shipped-call-'));
const at = (name: string) => join(folder, name);
const before = process.env.FLAVOURBENCH_HOME;

beforeAll(async () => {
  process.env.FLAVOURBENCH_HOME = at('home');
  writeFileSync(at('scores.csv'), 'one');
  mkdirSync(at('logs/deep'), { recursive: true });
  writeFileSync(at('logs/a.json'), 'two');
  writeFileSync(at('logs/deep/b.json'), 'three');
  expect((await cliInline(['env', 'import', folderWith(smallRuntime()), '--as', 'small'])).code).toBe(0);
});
afterAll(() => {
  if (before === undefined) delete process.env.FLAVOURBENCH_HOME;
  else process.env.FLAVOURBENCH_HOME = before;
  rmSync(folder, { recursive: true });
});

describe('a call that is sent to another machine', () => {
  it('takes the files, folders and stored environments that its words name, under paths of its own', () => {
    const words = ['maps', at('scores.csv'), `--tasks=${at('logs')}`, '--env', 'small', '--seed', '7'];
    const { call, files, places } = shippedCall(words);
    expect(call).toEqual(['maps', 'inputs/0/scores.csv', '--tasks=inputs/1/logs', '--env', 'small', '--seed', '7']);
    const texts = Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8', 0, 5)]);
    expect(texts.slice(0, 3)).toEqual([
      ['inputs/0/scores.csv', 'one'],
      ['inputs/1/logs/a.json', 'two'],
      ['inputs/1/logs/deep/b.json', 'three'],
    ]);
    expect(Object.keys(files).slice(3).sort()).toEqual(
      ['embeddings.csv', 'environment.json', 'ingredient_tags.csv', 'supervised_directions.npz'].map(
        (name) => `home/environments/small/${name}`,
      ),
    );
    expect(places).toEqual([
      ['inputs/0/scores.csv', at('scores.csv')],
      ['inputs/1/logs', at('logs')],
    ]);
  });

  it('sends no environment that it does not name', () => {
    expect(Object.keys(shippedCall(['infer', at('scores.csv'), '--env', 'smaller']).files)).toEqual([
      'inputs/0/scores.csv',
    ]);
  });
});
