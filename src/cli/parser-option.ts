import { Option } from 'commander';
import { DEFAULT_PARSER, SET_PARSERS, type SetParser, statedParser } from '../responses/parser.js';
import type { CorePlan } from '../tasks/coreplan.js';
import type { StudyPlan } from '../transfer/study-plan-schema.js';
import { fail } from '../util/error.js';

/** Makes the option `--parser`. */
export function parserOption(): Option {
  return new Option(
    '--parser <version>',
    'parser of the answers: v4 passes over reasoning, v3 read the published ones (default: that of the core plan, else v4)',
  ).choices(SET_PARSERS);
}

/**
 * Chooses the parser of a call: the one asked for, else the one that the core was frozen with, else v4. Errors: SCHEMA_INVALID where the
 * plan, which `path` names, states an unknown one.
 */
export function chosenParser(asked: SetParser | undefined, core?: CorePlan, path?: string): SetParser {
  if (asked !== undefined) return asked;
  const named = core?.parser;
  return named === undefined ? DEFAULT_PARSER : statedParser(named, { file: path, path: 'sources.parser' });
}

/** Chooses the parser of an evaluation: that of its study plan, else the one asked for, else v4. Errors: USAGE where both are given; SCHEMA_INVALID. */
export function plannedParser(asked: SetParser | undefined, plan: StudyPlan | undefined): SetParser {
  if (plan === undefined) return asked ?? DEFAULT_PARSER;
  if (asked !== undefined) fail('USAGE', null, '--parser does not go with --plan, which fixes the parser');
  return statedParser(plan.parser, { path: 'parser' });
}

/** Says which parser read the answers, and in how many reasoning was passed over; without a full stop. */
export function parserWords(parser: SetParser, reasoned: number): string {
  const inline = reasoned === 0 ? '' : `; inline reasoning in ${reasoned}, passed over`;
  return `answers read with parser ${parser}${inline}`;
}
