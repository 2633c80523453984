import type { Command } from 'commander';
import { z } from 'zod';
import { readRoster } from '../../../core/model-roster.js';
import { freezeAnalysisPlan } from '../../../inference/analysis-plan.js';
import { canonicalJson } from '../../../io/canonical.js';
import { readInput } from '../../../io/file.js';
import { readObject } from '../../../io/read-file.js';
import type { SetParser } from '../../../responses/parser.js';
import { verifyCorePlan } from '../../../tasks/task-files.js';
import { counted } from '../../../util/format.js';
import { chosenParser, parserOption } from '../../parser-option.js';
import { printJson, printLine } from '../../print.js';
import { familyWeightsOption } from '../../task-options.js';
import { forceOption, writeResult } from '../../write-output.js';
import { type PlanFlags, planOf, planOptions } from './plan-options.js';

interface FreezeFlags extends PlanFlags {
  readonly core?: string;
  readonly roster?: string;
  readonly parser?: SetParser;
  readonly missing?: 'withhold' | 'common-tasks' | 'bounds';
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** The roster of a core plan, where it states one. */
const ranked = z.looseObject({ common_core: z.looseObject({ ranked_model_ids: z.array(z.string()) }) });

async function rosterOf({ core, roster }: FreezeFlags): Promise<readonly string[] | null> {
  if (roster !== undefined) return (await readRoster(readInput(roster), roster)).map(({ modelId }) => modelId);
  const stated = core === undefined ? undefined : ranked.safeParse(readObject(core));
  return stated?.success ? stated.data.common_core.ranked_model_ids : null;
}

async function freeze(flags: FreezeFlags): Promise<void> {
  const { core, missing } = flags;
  const frozen = core === undefined ? undefined : verifyCorePlan(core);
  const plan = freezeAnalysisPlan({
    core: frozen ?? null,
    parser: chosenParser(flags.parser, frozen, core),
    models: await rosterOf(flags),
    plan: { ...planOf(flags), ...(missing === undefined ? {} : { missing }) },
    at: new Date().toISOString(),
  });
  const { path, added } = await writeResult({
    path: flags.out,
    name: 'plan.json',
    data: `${canonicalJson(plan)}\n`,
    force: flags.force ?? false,
  });
  if (flags.json) {
    printJson({ path, added, ...plan });
    return;
  }
  const models = plan.models === null ? 'any models' : counted(plan.models.length, 'model');
  const tasks = plan.core === null ? 'any tasks' : counted(plan.core.tasks, 'task');
  printLine(`${models} x ${tasks}; ${added ? 'wrote' : 'unchanged'} ${path}`);
  printLine(`plan ${plan.artifact_sha256} of ${plan.frozen_at}`);
}

/** Adds `infer plan`. */
export function registerPlan(infer: Command): void {
  planOptions(
    infer
      .command('plan')
      .description('Freeze an analysis before it is run: tasks, models, draws, seed, tests, intervals.')
      .option('--core <plan>', 'core plan: which tasks are ranked, and which models')
      .option('--roster <file>', 'models to rank, in order, where the core does not say'),
  )
    .addOption(familyWeightsOption())
    .addOption(parserOption())
    .option('--missing <rule>', 'withhold, common-tasks or bounds', 'withhold')
    .option('--out <file>', 'the plan to write', 'plan.json')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(freeze);
}
