import type { Command } from 'commander';
import { assertComparable, assertOneEnvironment } from '../../../core/comparable.js';
import {
  assertSameRecords,
  chooseRecords,
  coreMatrix,
  openSources,
  readFrozenCore,
} from '../../../core/ledger-records.js';
import { incomplete } from '../../../core/matrix.js';
import { outlines } from '../../../core/task-outline.js';
import { canonicalDigest } from '../../../io/canonical.js';
import { sha256 } from '../../../io/digest.js';
import type { Phase } from '../../../ledger/cell-key.js';
import { parserFields } from '../../../responses/parser-contract.js';
import { matrixToArrow, matrixToCsv } from '../../../scores/matrix-file.js';
import { coreTasks } from '../../../tasks/coreplan.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import { counted } from '../../../util/format.js';
import { printJson, printLine } from '../../print.js';
import { forceOption, writeResult } from '../../write-output.js';

interface MatrixFlags {
  readonly core: string;
  readonly ledger: readonly string[];
  readonly tasks: readonly string[];
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

async function matrix(flags: MatrixFlags): Promise<void> {
  const frozen = readFrozenCore(flags.core);
  const files = readTaskFiles(flags.tasks);
  assertOneEnvironment(files.sets);
  const tasks = coreTasks(frozen.plan, files);
  const chosen = chooseRecords({
    sources: openSources(flags.ledger),
    models: frozen.models,
    tasks: [...outlines(files).values()].flat(),
    phase: frozen.phase as Phase,
    repeat: 0,
    keep: frozen.keep,
    parser: frozen.parser,
  });
  const { protocol } = assertComparable(chosen);
  assertSameRecords({ chosen, stated: frozen.responseSets });
  const made = coreMatrix({ chosen, tasks, parser: frozen.parser });
  if (!made.matrix) throw incomplete(made.missing, made.cells);
  const csv = flags.out.endsWith('.csv');
  const data = csv
    ? matrixToCsv(made.matrix)
    : await matrixToArrow(made.matrix, {
        sources: {
          core: frozen.plan.artifactSha256,
          responses: canonicalDigest([...frozen.responseSets.values()]),
          tasks: canonicalDigest(files.sets.map((set) => set.physicalSha256)),
          protocol: protocol?.sha256 ?? 'unstated',
          ...parserFields(frozen.parser),
        },
      });
  const { path, added } = await writeResult({
    path: flags.out,
    name: 'matrix.arrow',
    data,
    force: flags.force ?? false,
  });
  const shape = { models: frozen.models.length, tasks: tasks.length };
  if (flags.json) printJson({ path, added, ...shape, sha256: sha256(data) });
  else
    printLine(
      `${counted(shape.models, 'model')} x ${counted(shape.tasks, 'task')}; ${added ? 'wrote' : 'unchanged'} ${path}`,
    );
}

/** Adds `core matrix`. */
export function registerMatrix(core: Command): void {
  core
    .command('matrix')
    .description('The score matrix of a frozen core: each answer looked up in its task’s map.')
    .requiredOption('--core <plan>', 'plan that `core freeze` wrote')
    .requiredOption('--ledger <dirs...>', 'the ledgers it was frozen on, in the same order')
    .requiredOption('--tasks <files...>', 'task sets of every panel')
    .requiredOption('--out <file>', 'matrix.arrow, or a name that ends in .csv')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(matrix);
}
