import { join } from 'node:path';
import type { Command } from 'commander';
import { readCorePlan } from '../../../tasks/coreplan.js';
import { readTaskSet } from '../../../tasks/taskset.js';
import { datasetCard } from '../../../transfer/card.js';
import { buildDataset, datasetManifest, jsonlText } from '../../../transfer/dataset.js';
import { assertTrainable } from '../../../transfer/guard.js';
import { leakageProof } from '../../../transfer/leakage.js';
import { readPoolTasks, trainingPool } from '../../../transfer/pool.js';
import { splitPool } from '../../../transfer/split.js';
import { LAB_V3, SPLIT_RULES, type SplitRule } from '../../../transfer/split-rule.js';
import { canonicalJson, sealed } from '../../../util/canonical.js';
import { FlavourError } from '../../../util/error.js';
import { writeAtomic } from '../../../util/file.js';
import { countOption } from '../../options.js';
import { printJson, printLine, printTable } from '../../print.js';

interface SplitFlags {
  readonly tasks: readonly string[];
  readonly core?: string;
  readonly rule: string;
  readonly salt?: string;
  readonly evaluation?: number;
  readonly validation?: number;
  readonly parquet?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

/** `transfer split`. */
export function registerSplit(transfer: Command): void {
  transfer
    .command('split')
    .description('Divide the tasks outside the core by anchor and write training rows.')
    .requiredOption('--tasks <files...>', 'task sets')
    .option('--core <plan>', 'common-core plan whose tasks and anchors are kept out')
    .option('--rule <name>', SPLIT_RULES.map(({ name }) => name).join(' or '), LAB_V3.name)
    .option('--salt <text>', 'order anchors by another salt')
    .option('--evaluation <n>', 'tasks held out for evaluation in each stratum', countOption)
    .option('--validation <n>', 'tasks for validation in each stratum', countOption)
    .option('--parquet', 'write Parquet twins of the rows')
    .requiredOption('--out <folder>', 'folder to write')
    .option('--json', 'print JSON')
    .action(split);
}

function ruleOf(flags: SplitFlags): SplitRule {
  const known = SPLIT_RULES.find(({ name }) => name === flags.rule);
  if (!known) {
    throw new FlavourError('USAGE', `--rule ${flags.rule} is not known`, {
      hint: `Choose ${SPLIT_RULES.map(({ name }) => name).join(' or ')}.`,
    });
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

async function split(flags: SplitFlags): Promise<void> {
  const rule = ruleOf(flags);
  const core = flags.core === undefined ? undefined : readCorePlan(flags.core);
  const pool = trainingPool(readPoolTasks(flags.tasks), core);
  const parts = splitPool(pool, rule);
  for (const tasks of [parts.train, parts.validation]) {
    assertTrainable(
      tasks.map(({ task }) => task),
      pool.core.ids,
    );
  }
  const proof = leakageProof(pool, parts);
  const dataset = buildDataset(parts, rule);
  const published = rule === LAB_V3 && core !== undefined;
  const manifest = datasetManifest(dataset, {
    schemaVersion: published ? 'flavourbench-lab-dataset-v3' : 'flavourbench-training-data/1',
    status: published
      ? 'preregistered_transfer_maps_not_official_leaderboard_test'
      : 'training_maps_outside_the_core',
    rule,
    core,
    sources: new Map(
      flags.tasks.map((path) => {
        const set = readTaskSet(path);
        return [set.panel, set.artifactSha256 ?? set.physicalSha256];
      }),
    ),
  });
  const leakage = sealed({
    schema: 'flavourbench-leakage-proof/1',
    rule: { ...rule },
    ...proof,
    controls: dataset.controls,
  });
  for (const { name, rows } of dataset.files) {
    writeAtomic(join(flags.out, name), jsonlText(rows));
    if (flags.parquet) {
      const { rowsParquet } = await import('../../../transfer/parquet.js');
      writeAtomic(join(flags.out, name.replace(/jsonl$/, 'parquet')), rowsParquet(rows));
    }
  }
  writeAtomic(join(flags.out, 'manifest.json'), manifest);
  writeAtomic(join(flags.out, 'leakage.json'), `${canonicalJson(leakage)}\n`);
  writeAtomic(join(flags.out, 'README.md'), datasetCard(dataset, proof, rule));
  const counts = dataset.files.map(({ name, rows }) => ({ name, rows: rows.length }));
  if (flags.json) {
    printJson({ out: flags.out, rule: rule.name, files: counts, leakage: proof });
    return;
  }
  printTable(
    ['file', 'rows'],
    counts.map(({ name, rows }) => [name, rows]),
  );
  printLine(
    `Kept apart: ${proof.splits.map(({ name, tasks }) => `${name} ${tasks}`).join(', ')}; nothing shared (leakage.json).`,
  );
  printLine(`Written to ${flags.out}`);
}
