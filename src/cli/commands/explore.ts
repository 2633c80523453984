import { posix } from 'node:path';
import type { Command } from 'commander';
import { walkFiles } from '../../io/folder.js';
import { type Served, servePage } from '../../server/page-server.js';
import { fail, shown } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { explorerPage, fileHref, type PageFile } from '../explorer-page.js';
import { portOption } from '../options.js';
import { nameUnder, pageNames } from '../page-names.js';
import { printJson, printLine, printNote } from '../print.js';
import { stoppable } from '../stop-signal.js';
import { forceOption, writeResult } from '../write-output.js';
import { assertShowable } from './explore/showable.js';

interface ExploreOptions {
  readonly out?: string;
  readonly port: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Bytes of files that one page takes: a tab holds them some four times while it reads them. */
const MOST_BYTES = 256 * 2 ** 20;

/** Adds `explore`. */
export function register(program: Command): void {
  program
    .command('explore')
    .description('Scores as a page: leaderboard, two models, all pairs, ranks; computed where it is opened.')
    .argument(
      '<files...>',
      'scores, evaluation logs, results of infer or sensitivity, a release, a ledger: files or folders',
    )
    .option('--out <page.html>', 'write one page that needs nothing beside itself, instead of serving it')
    .option('--port <n>', 'port on this machine; any that is free unless given', portOption, 0)
    .addOption(forceOption())
    .option('--json', 'print the address, or the path of the page, as JSON')
    .action(runExplore);
}

function pageFiles(paths: readonly string[]): PageFile[] {
  const names = pageNames(paths);
  const read = paths.flatMap((path, k) =>
    walkFiles([path]).files.map(({ name: long, found, bytes }): PageFile => {
      const name = nameUnder(path, names[k]!, long);
      // Logs name models by the folders around them, each of which must stay one of its own.
      return { name, ...(found ? { folder: posix.dirname(name), found } : {}), bytes };
    }),
  );
  if (read.length === 0)
    fail('SCHEMA_INVALID', { file: paths.join(', ') }, 'holds no file', 'Name a table, logs, results or a release.');
  const size = read.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MOST_BYTES)
    fail(
      'BOUND_EXCEEDED',
      { file: paths.join(', ') },
      `${Math.ceil(size / 2 ** 20)} MiB; a page takes at most ${MOST_BYTES / 2 ** 20} MiB`,
      'Use flavourbench FILE... in the terminal.',
    );
  return read;
}

async function runExplore(paths: readonly string[], { out, port, force, json }: ExploreOptions): Promise<void> {
  const files = pageFiles(paths);
  await assertShowable(files, paths);
  const command = ['flavourbench', 'rank-audit', ...pageNames(paths)];
  if (out !== undefined) {
    if (!/\.html?$/i.test(out))
      fail('USAGE', null, `--out ${shown(out)} is no page`, 'Give a name that ends in .html.');
    const { path } = await writeResult({
      path: out,
      name: 'page.html',
      data: explorerPage({ files, command, inside: true }),
      force,
    });
    if (json) printJson({ page: path });
    else printLine(path);
    return;
  }
  const served = new Map<string, Served>([
    ['/', { type: 'text/html; charset=utf-8', body: () => explorerPage({ files, command, inside: false }) }],
    ...files.map(({ bytes }, index): [string, Served] => [
      `/${fileHref(index)}`,
      { type: 'application/octet-stream', body: () => bytes },
    ]),
  ]);
  await stoppable(async (signal) => {
    const page = await servePage(served, port);
    if (json) printJson({ address: page.address });
    else printLine(page.address);
    if (!json) printNote(`${counted(files.length, 'file')} on this machine only; end with Ctrl-C`);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await page.close();
  });
}
