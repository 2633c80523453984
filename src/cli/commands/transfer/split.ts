import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { canonicalJson, sealed } from '../../../io/canonical.js';
import type { OutputFile } from '../../../io/write/outputs.js';
import { assertTrainable, coreGuard } from '../../../tasks/leaderboard.js';
import { readCorePlan } from '../../../tasks/task-files.js';
import { leakageProof } from '../../../transfer/leakage.js';
import { LAB_V3, SPLIT_RULES, type SplitRule, splitPool } from '../../../transfer/split.js';
import { trainingCard } from '../../../transfer/training-card.js';
import { buildDataset, datasetManifest, jsonlText } from '../../../transfer/training-dataset.js';
import { readRowTasks, trainingPool } from '../../../transfer/training-pool.js';
import { fail } from '../../../util/error.js';
import { countOption } from '../../options.js';
import { printJson, printLine, printTable } from '../../print.js';
import { givenTasks, taskFiles } from '../../task-files-option.js';
import { isFolder, writeFiles } from '../../write-output.js';

interface SplitFlags {
  readonly tasks?: readonly string[];
  readonly core?: string;
  readonly rule: string;
  readonly salt?: string;
  readonly evaluation?: number;
  readonly validation?: number;
  readonly parquet?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

/** Adds `transfer split`. */
export function registerSplit(transfer: Command): void {
  taskFiles(transfer.command('split'), 'task sets')
    .description('Divide the tasks outside the core by anchor and write training rows.')
    .option('--core <plan>', 'common-core plan whose tasks and anchors are kept out')
    .option('--rule <name>', `published rule: ${SPLIT_RULES.map(({ name }) => name).join(' or ')}`, LAB_V3.name)
    .option('--salt <text>', 'text that orders the anchors (default: that of the rule)')
    .option('--evaluation <n>', 'tasks held out for evaluation in each stratum (default: by the rule)', countOption)
    .option('--validation <n>', 'tasks for validation in each stratum (default: by the rule)', countOption)
    .option('--parquet', 'write Parquet twins of the rows')
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print JSON')
    .action(split);
}

function ruleOf(flags: SplitFlags): SplitRule {
  const known = SPLIT_RULES.find(({ name }) => name === flags.rule);
  if (!known) {
    fail(
      'USAGE',
      null,
      `--rule ${flags.rule} is not known`,
      `Choose ${SPLIT_RULES.map(({ name }) => name).join(' or ')}.`,
    );
  }
  const { salt, evaluation, validation } = flags;
  if (salt === undefined && evaluation === undefined && validation === undefined) return known;
  return {
    ...known,
    name: 'custom',
    salt: salt ?? known.salt,
    evaluation: evaluation ?? known.evaluation,
    validation: validation ?? known.validation,
  };
}

const ROW_FILE = /\.(jsonl|parquet)$|^format-control\.json$/;

/** Refuses a folder with row files that this split does not write: `transfer plan` would freeze them beside its own. */
function assertOwnFolder(folder: string, files: readonly OutputFile[]): void {
  if (!isFolder(folder) || !existsSync(folder)) return;
  const own = new Set(files.map(({ path }) => basename(path)));
  const foreign = readdirSync(folder)
    .filter((name) => ROW_FILE.test(name) && !own.has(name))
    .sort();
  if (foreign.length === 0) return;
  fail(
    'OUTPUT_EXISTS',
    { file: folder },
    `the folder holds rows that are not of this split: ${foreign.slice(0, 5).join(', ')}${foreign.length > 5 ? ', ...' : ''}`,
    'Give another folder, or move them out: what is held out here may be trained on there.',
  );
}

async function split(given: readonly string[], flags: SplitFlags): Promise<void> {
  const rule = ruleOf(flags);
  const core = flags.core === undefined ? undefined : readCorePlan(flags.core);
  const { tasks, sources } = readRowTasks(givenTasks(given, flags.tasks));
  const pool = trainingPool(tasks, core);
  const parts = splitPool(pool, rule);
  const supervising = [...parts.train, ...parts.validation, ...parts.supplemental.map(({ entry }) => entry)];
  assertTrainable(
    supervising.map(({ task }) => task),
    coreGuard(
      pool.core.ids,
      pool.coreTasks.map(({ task }) => task),
    ),
  );
  const proof = leakageProof(pool, parts);
  const dataset = buildDataset(parts, rule);
  const manifest = datasetManifest(dataset, { rule, core, pool, sources });
  const leakage = sealed({
    schema: 'flavourbench-leakage-proof/1',
    rule: { ...rule },
    ...proof,
  });
  const files: OutputFile[] = [];
  const add = (name: string, data: string | Uint8Array) => files.push({ path: join(flags.out, name), data });
  for (const { name, rows } of dataset.files) {
    add(name, jsonlText(rows));
    if (flags.parquet) {
      const { rowsParquet } = await import('../../../transfer/training-dataset.js');
      add(name.replace(/jsonl$/, 'parquet'), rowsParquet(rows));
    }
  }
  add('leakage.json', `${canonicalJson(leakage)}\n`);
  if (dataset.controls.length > 0) {
    const { controls } = dataset;
    const document = sealed({
      schema: 'flavourbench-format-control/1',
      salt: rule.controlSalt,
      controls,
    });
    add('format-control.json', `${canonicalJson(document)}\n`);
  }
  add('README.md', trainingCard(dataset, proof, rule));
  add('manifest.json', manifest);
  assertOwnFolder(flags.out, files);
  await writeFiles(files, { replace: true });
  const counts = dataset.files.map(({ name, rows }) => ({ name, rows: rows.length }));
  if (flags.json) {
    const { overlaps, supplemental_overlaps, splits } = proof;
    const sizes = splits.map(({ name, tasks: n, anchors }) => ({ name, tasks: n, anchors }));
    printJson({
      out: flags.out,
      rule: rule.name,
      files: counts,
      splits: sizes,
      overlaps,
      supplemental_overlaps,
    });
    return;
  }
  printTable(
    ['file', 'rows'],
    counts.map(({ name, rows }) => [name, rows]),
  );
  printLine(
    `Kept apart: ${proof.splits.map(({ name, tasks: n }) => `${name} ${n}`).join(', ')}; train, validation, evaluation and core share nothing (leakage.json).`,
  );
  printLine(`Written to ${flags.out}`);
}
