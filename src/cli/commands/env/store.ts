import type { Command } from 'commander';
import { importEnvironment } from '../../../environment/import-environment.js';
import type { FileRole } from '../../../environment/recognise.js';
import {
  BUILT_IN,
  listEnvironments,
  openEnvironment,
  readStored,
  removeEnvironment,
  verifyEnvironment,
} from '../../../environment/store.js';
import { FlavourError, fail, shown } from '../../../util/error.js';
import { dataHome } from '../../data-home.js';
import { oldSpelling } from '../../old-spelling.js';
import { printJson, printLine, printTable } from '../../print.js';

interface ImportFlags extends Partial<Record<FileRole, string>> {
  readonly as: string;
  readonly tensor?: string;
  readonly keep?: string;
  readonly without?: string;
  readonly force?: boolean;
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
  const imported = env
    .command('import')
    .argument('<source>', 'matrix file, or folder with a matrix, row names and, if there are, tags and directions')
    .description('Read an environment from a file or a folder, check it, and keep it under a name.')
    .requiredOption('--as <name>', 'name to keep it under')
    .option(
      '--vectors <file>',
      'matrix: text of word2vec, GloVe, fastText, .csv, .safetensors, .npy, ... (default: found in the folder)',
    )
    .option(
      '--names <file>',
      'row names: vocab.json, .json, .txt, .csv (default: found in the folder, or in the matrix)',
    )
    .option('--tags <file>', 'tag table, CSV; rows for some of the names are enough (default: found in the folder)')
    .option('--directions <file>', 'named directions: .npz or .json (default: found in the folder)')
    .option('--tensor <name>', 'tensor of a file that holds several (default: `embeddings`, or the only one)')
    .option('--keep <file>', 'keep the names of a list or of a tag table alone')
    .option('--without <names>', 'leave names out, separated by commas')
    .option('--force', 'replace another environment of that name')
    .option('--json', 'print JSON')
    .allowExcessArguments()
    .action(async (folder: string, flags: ImportFlags, command: Command) => {
      const [, second] = command.args;
      if (second !== undefined)
        fail(
          'USAGE',
          null,
          `${shown(second)} is a second file or folder; one is imported`,
          'Name further files by what they are: --names FILE, --tags FILE, --directions FILE.',
        );
      const { as: name, json, tensor, keep: only, force, without: out, ...given } = flags;
      const without = out?.split(',').map((each) => each.trim());
      const { environment, added, replaced } = await importEnvironment({
        home: dataHome(),
        name,
        folder,
        given,
        tensor,
        only,
        without,
        force,
      });
      const { identity, names, dims, tags, directions } = environment;
      if (json) {
        printJson({
          name,
          added,
          ...identity,
          ingredients: names.length,
          dims,
          tags: tags !== null,
          tagged: tags?.filter((each) => each !== null).length ?? 0,
          directions: [...directions.keys()],
        });
        return;
      }
      const tagged = tags?.filter((each) => each !== null).length ?? 0;
      const some = tags === null ? 'no tags' : tagged === names.length ? 'tags' : `tags for ${tagged} of them`;
      const done = replaced ? 'Replaced' : added ? 'Imported' : 'Already imported';
      printLine(
        `${done} ${name}: ${identity.kind}, ${names.length} ingredients x ${dims}, ${some}, ${directions.size} directions`,
      );
      printLine(`identity ${identity.sha256}`);
      for (const file of identity.files) printLine(`  ${file.sha256}  ${file.path} (${file.role})`);
    });
  oldSpelling(imported, '--only <file>', 'keep');

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
