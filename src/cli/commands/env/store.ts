import type { Command } from 'commander';
import type { FileRole } from '../../../environment/recognise.js';
import {
  BUILT_IN,
  importEnvironment,
  listEnvironments,
  openEnvironment,
  readStored,
  removeEnvironment,
  verifyEnvironment,
} from '../../../environment/store.js';
import { FlavourError, fail } from '../../../util/error.js';
import { dataHome } from '../../data-home.js';
import { printJson, printLine, printTable } from '../../print.js';

interface ImportFlags extends Partial<Record<FileRole, string>> {
  readonly as: string;
  readonly json?: boolean;
}

/** Refuses a list that leaves environments out, because their records cannot be read. Errors: INCOMPLETE (exit 3). */
function assertAllListed(damaged: readonly FlavourError[], stored: number): void {
  if (damaged.length === 0) return;
  fail(
    'INCOMPLETE',
    null,
    `${damaged.length} of ${stored} stored environments cannot be listed: ${damaged.map(({ message }) => message).join('; ')}`,
    'Remove each with `flavourbench env remove NAME` and import it again.',
    { exit: 3 },
  );
}

/** Adds `env import | list | verify | remove`. */
export function registerStore(env: Command): void {
  env
    .command('import')
    .argument('<folder>', 'folder with a matrix, row names and, if there are, tags and directions')
    .description('Read an environment from a folder, check it, and keep it under a name.')
    .requiredOption('--as <name>', 'name to keep it under')
    .option('--vectors <file>', 'matrix: .csv, .safetensors, .npy, .f32, .bin (default: found in the folder)')
    .option('--names <file>', 'row names: vocab.json, .json, .txt, .csv (default: found in the folder)')
    .option('--tags <file>', 'tag table, CSV (default: found in the folder)')
    .option('--directions <file>', 'named directions: .npz or .json (default: found in the folder)')
    .option('--json', 'print JSON')
    .action((folder: string, flags: ImportFlags) => {
      const { as: name, json, ...given } = flags;
      const { environment, added } = importEnvironment({ home: dataHome(), name, folder, given });
      const { identity, names, dims, tags, directions } = environment;
      if (json) {
        printJson({
          name,
          added,
          ...identity,
          ingredients: names.length,
          dims,
          tags: tags !== null,
          directions: [...directions.keys()],
        });
        return;
      }
      printLine(
        `${added ? 'Imported' : 'Already imported'} ${name}: ${identity.kind}, ${names.length} ingredients x ${dims}, ` +
          `${tags ? 'tags' : 'no tags'}, ${directions.size} directions`,
      );
      printLine(`identity ${identity.sha256}`);
      for (const file of identity.files) printLine(`  ${file.sha256}  ${file.path} (${file.role})`);
    });

  env
    .command('list')
    .description('List the environments at hand.')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => {
      const home = dataHome();
      const builtIn = await Promise.all(
        BUILT_IN.map(async (name) => {
          const { identity, names, dims } = await openEnvironment({ home, name });
          return {
            name,
            kind: identity.kind,
            ingredients: names.length,
            dims,
            sha256: identity.sha256,
          };
        }),
      );
      const damaged: FlavourError[] = [];
      const names = listEnvironments(home);
      const stored = names.flatMap((name) => {
        try {
          const { kind, ingredients, dims, sha256 } = readStored({ home, name });
          return [{ name, kind, ingredients, dims, sha256 }];
        } catch (error) {
          if (!(error instanceof FlavourError)) throw error;
          damaged.push(error);
          return [];
        }
      });
      const rows = [...builtIn, ...stored];
      if (flags.json) printJson(rows);
      else
        printTable(
          ['name', 'kind', 'ingredients', 'dims', 'identity'],
          rows.map((row) => [row.name, row.kind, row.ingredients, row.dims, row.sha256.slice(0, 16)]),
        );
      assertAllListed(damaged, names.length);
    });

  env
    .command('verify')
    .argument('[name]', 'a stored environment (default: all of them)')
    .description('Compare stored files with their recorded digests.')
    .option('--json', 'print JSON')
    .action((name: string | undefined, flags: { json?: boolean }) => {
      const home = dataHome();
      const names = name === undefined ? listEnvironments(home) : [name];
      const failures: unknown[] = [];
      const verified = names.flatMap((each) => {
        try {
          return [{ name: each, ...verifyEnvironment({ home, name: each }) }];
        } catch (error) {
          failures.push(error);
          return [];
        }
      });
      if (!flags.json)
        for (const each of verified) printLine(`${each.name}: ${each.files.length} files unchanged, ${each.sha256}`);
      if (failures.length > 0) throw failures[0];
      if (flags.json) printJson(verified);
    });

  env
    .command('remove')
    .argument('<name>', 'a stored environment')
    .description('Remove a stored environment.')
    .option('--json', 'print JSON')
    .action((name: string, flags: { readonly json?: boolean }) => {
      removeEnvironment({ home: dataHome(), name });
      if (flags.json) printJson({ removed: name });
      else printLine(`Removed ${name}`);
    });
}
