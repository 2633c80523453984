import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { calledCommand } from '../../src/cli/called-command.js';

const dir = mkdtempSync(join(tmpdir(), 'called-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, 'scores');
writeFileSync(file, 'model,t\na,1\n');

describe('a call without a command', () => {
  it.each([
    [[file]],
    [['scores.csv']],
    [['./infer']],
    [['-']],
    [['--json', file]],
    [['--draws', '100', 'x.csv', '--out', 'y']],
  ])('that names files is rank-audit: %j', (argv) => {
    expect(calledCommand(argv)).toEqual(['rank-audit', ...argv]);
  });

  it.each([
    [[]],
    [['infer', 'x.csv']],
    [['rank-adit', 'x.csv']],
    [['--help']],
    [['--version']],
    [['help']],
    [['--jsno']],
  ])('stays as it is where no file comes first: %j', (argv) => {
    expect(calledCommand(argv)).toEqual(argv);
  });

  it('asks for the help of a command', () => {
    expect(calledCommand(['help', 'infer'])).toEqual(['infer', '--help']);
  });
});
