import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { EnvHttpProxyAgent } from 'undici';
import { ASSETS, assetUrl, findAssets } from '../../environment/assets.js';
import { fetchAsset } from '../../environment/fetch.js';
import { fail } from '../../util/error.js';
import { dataHome } from '../data-home.js';
import { printJson, printLine, printTable } from '../print.js';
import { progress } from '../progress.js';

interface FetchFlags {
  readonly list?: boolean;
  readonly from?: string;
  readonly revision?: string;
  readonly out?: string;
  readonly json?: boolean;
}

function list(json: boolean | undefined): void {
  if (json) {
    printJson(ASSETS.map((asset) => ({ ...asset, url: assetUrl(asset) })));
    return;
  }
  printTable(
    ['asset', 'bytes', 'licence', 'address'],
    ASSETS.map((asset) => [
      asset.id,
      asset.bytes ?? '',
      asset.licence,
      asset.url ? 'pinned' : asset.dataset ? '--revision' : '--from',
    ]),
    { whole: ['asset', 'address'] },
  );
}

/** The file of a group that `--from FOLDER` holds, or what was given. */
function source(from: string, id: string, several: boolean): string {
  const folder = existsSync(from) && statSync(from).isDirectory();
  if (folder) return join(from, basename(id));
  if (!several) return from;
  fail(
    'USAGE',
    null,
    'a group of several files was asked for with one --from',
    'Name one file of the group, or give a folder that holds them all.',
  );
}

/** Adds `fetch`. */
export function register(program: Command): void {
  program
    .command('fetch')
    .argument('[asset]', 'an asset or a group of them, as --list names them')
    .description('Download a public file or group of files, checked against its pinned SHA-256.')
    .option('--list', 'list the assets, their sizes and licences; with --json all, digests too')
    .option('--from <source>', 'take it from a file, a folder or an address instead')
    .option('--revision <rev>', 'revision of the released data set (a commit), for assets that belong to it')
    .option('--out <folder>', 'folder to keep it under (default: the data folder)')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, flags: FetchFlags) => {
      if (flags.list) {
        list(flags.json);
        return;
      }
      if (id === undefined) {
        fail('USAGE', null, 'which asset?', '`flavourbench fetch --list` shows them.');
      }
      const assets = findAssets(id);
      const folder = flags.out === undefined ? join(dataHome(), 'assets') : resolve(flags.out);
      const dispatcher = new EnvHttpProxyAgent();
      const results = [];
      try {
        for (const asset of assets) {
          if (!flags.json) printLine(`${asset.id}: ${asset.about}; licence: ${asset.licence}`);
          const bar = progress(asset.id, 'bytes');
          const onProgress = (received: number, total: number | null) => bar.update(received, total ?? received);
          try {
            const { path, bytes, how } = await fetchAsset({
              asset,
              folder,
              ...(flags.from === undefined ? {} : { from: source(flags.from, asset.id, assets.length > 1) }),
              revision: flags.revision,
              transfer: { wait: (ms) => wait(ms), onProgress, dispatcher },
            });
            results.push({
              id: asset.id,
              path,
              bytes,
              how,
              sha256: asset.sha256,
              licence: asset.licence,
            });
          } finally {
            bar.stop();
          }
          const last = results.at(-1)!;
          if (!flags.json) printLine(`  ${last.how}: ${last.path} (${last.bytes} bytes, SHA-256 as pinned)`);
        }
      } finally {
        await dispatcher.close();
      }
      if (flags.json) printJson(results);
    });
}
