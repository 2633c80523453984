import type { Command } from 'commander';
import {
  type CheckPlan,
  checkStanding,
  freezeCheckPlan,
  plannedOptions,
  readCheckPlan,
} from '../../../analyses/check-plan.js';
import { type AnyAnalysis, SENSITIVITY } from '../../../analyses/list.js';
import { readRoster } from '../../../core/model-roster.js';
import type { Standing } from '../../../inference/standing.js';
import { canonicalJson } from '../../../io/canonical.js';
import { readInput, readText } from '../../../io/file.js';
import type { JsonObject } from '../../../io/json.js';
import { inputFileAt } from '../../../io/read-file.js';
import { verifyCorePlan } from '../../../tasks/task-files.js';
import { fail } from '../../../util/error.js';
import { type InputFlags, type OpenedInputs, openInputs } from '../../analysis-inputs.js';
import { chosenParser } from '../../parser-option.js';
import { printJson, printLine } from '../../print.js';
import { findWitnesses, type WitnessFlags } from '../../witness-options.js';
import { writeResult } from '../../write-output.js';

/** Checks that can be planned: what they compare with comes from outside the leaderboard, and could be chosen. */
export const PLANNED: readonly AnyAnalysis[] = SENSITIVITY.filter(({ planned }) => planned !== undefined);

export interface FreezeFlags extends InputFlags {
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Freezes the plan of a check: its options, and the digests of what it compares with. Errors: those of the readers. */
export async function freeze(analysis: AnyAnalysis, flags: FreezeFlags): Promise<void> {
  const { core, roster } = flags;
  const files = [
    ...(flags.maps ?? []).map((entry) => inputFileAt('maps', entry.slice(entry.indexOf('=') + 1))),
    ...(flags.substitutions === undefined ? [] : [inputFileAt('substitutions', flags.substitutions)]),
    ...(flags.substitutionsTrain === undefined ? [] : [inputFileAt('substitutions_train', flags.substitutionsTrain)]),
    ...(flags.env === undefined ? [] : await environments(flags)),
  ];
  if (files.length === 0)
    fail(
      'INPUT_MISSING',
      null,
      `what ${analysis.name} compares with (${analysis.needs.words})`,
      'A plan fixes it by its digest.',
      {
        exit: 3,
      },
    );
  const frozen = core === undefined ? null : verifyCorePlan(core);
  const plan = freezeCheckPlan({
    analysis,
    given: flags as Readonly<Record<string, unknown>>,
    inputs: files,
    core: frozen,
    parser: chosenParser(flags.parser, frozen ?? undefined, core),
    models: roster === undefined ? null : (await readRoster(readInput(roster), roster)).map(({ modelId }) => modelId),
    at: new Date().toISOString(),
  });
  const { path, added } = await writeResult({
    ...{
      path: flags.out ?? 'plan.json',
      name: 'plan.json',
      data: `${canonicalJson(plan)}\n`,
      force: flags.force ?? false,
    },
  });
  if (flags.json) printJson({ path, added, ...plan });
  else {
    printLine(`${analysis.name}: ${added ? 'wrote' : 'unchanged'} ${path}`);
    printLine(`plan ${plan.artifact_sha256} of ${plan.frozen_at}`);
  }
}

async function environments(flags: FreezeFlags) {
  const opened = openInputs(flags);
  const found = await opened.inputs.environments().finally(() => opened.close());
  return found.map(({ sha256 }) => ({ role: 'environment', sha256 }));
}

/** A frozen plan that a call names, with its bytes and who knew it. */
export interface GivenPlan {
  readonly plan: CheckPlan;
  readonly bytes: Uint8Array;
  readonly witnesses: Awaited<ReturnType<typeof findWitnesses>>[number];
}

/** Reads the plan of a call. Errors: USAGE; those of reading it and of its witnesses. */
export async function givenPlan(flags: WitnessFlags & { readonly plan?: string }): Promise<GivenPlan | null> {
  const { plan: file } = flags;
  if (file === undefined) {
    await findWitnesses([], flags);
    return null;
  }
  const plan = readCheckPlan(readText(file), file);
  const bytes = readInput(file);
  const [witnesses] = await findWitnesses([{ file, bytes, document: plan }], flags);
  return { plan, bytes, witnesses: witnesses! };
}

/** Puts what a plan fixes wherever the call names nothing of its own. */
export function withPlan<F extends object>(flags: F, given: GivenPlan | null, command: Command): F {
  if (given === null) return flags;
  const open = Object.entries(plannedOptions(given.plan)).filter(
    ([key]) => command.getOptionValueSource(key) !== 'cli',
  );
  return { ...flags, ...Object.fromEntries(open) };
}

/** Says how a check that was run stands to the plan of the call. */
export async function standingOfRun(
  analysis: AnyAnalysis,
  given: GivenPlan | null,
  ran: { readonly plan: object; readonly seed: bigint | null },
  opened: OpenedInputs,
): Promise<Standing> {
  const matrix = analysis.needs.inputs.includes('matrix') ? await opened.inputs.matrix() : null;
  const used = {
    analysis,
    plan: ran.plan as JsonObject,
    seed: ran.seed?.toString() ?? null,
    inputs: opened.files,
    parser: opened.facts().response_parser,
    matrix,
  };
  return checkStanding(given?.plan ?? null, used, given?.witnesses.witnesses);
}
