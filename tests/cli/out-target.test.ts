import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandWords } from '../../src/cli/command-words.js';
import { outTarget } from '../../src/cli/out-target.js';

describe('what --out names', () => {
  it('is one file where it ends as a form does, else a folder, and no other kind of file', () => {
    expect(outTarget('x/report.HTML')).toEqual({ file: 'x/report.HTML', form: 'html' });
    expect(outTarget('page.htm')).toEqual({ file: 'page.htm', form: 'html' });
    expect(outTarget('results')).toEqual({ folder: 'results' });
    expect(outTarget('results.2026-05')).toEqual({ folder: 'results.2026-05' });
    expect(outTarget('tables.csv/')).toEqual({ folder: 'tables.csv/' });
    expect(() => outTarget('paper.pdf')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

describe('the words of a call', () => {
  it('are its command, its files and what was typed, but for where the result goes', async () => {
    let words: string[] = [];
    const program = new Command();
    program
      .command('infer')
      .argument('[files...]')
      .option('--seed <n>', '', (text: string) => BigInt(text), 1n)
      .option('--without <model>', '', (text: string, all: string[] = []) => [...all, text])
      .option('--tasks <files...>')
      .option('--out <path>')
      .option('--force')
      .option('--common-tasks')
      .action((_files, _options, command: Command) => {
        words = commandWords(command);
      });
    const typed = ['a.csv', '--without', 'm 1', '--without', 'm2', '--common-tasks', '--tasks', 'x', 'y'];
    await program.parseAsync(['infer', ...typed, '--seed', '7', '--out', 'p.html', '--force'], { from: 'user' });
    expect(words).toEqual([
      ...['flavourbench', 'infer', 'a.csv', '--seed', '7', '--without', 'm 1', '--without', 'm2'],
      ...['--tasks', 'x', 'y', '--common-tasks'],
    ]);
  });
});
