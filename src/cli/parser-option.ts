import { Option } from 'commander';
import { DEFAULT_PARSER, SET_PARSERS, type SetParser } from '../responses/parser.js';
import { statedParser } from '../responses/parser-contract.js';
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
  if (core?.parser === undefined) return DEFAULT_PARSER;
  const { parser, parserSha256: parser_sha256 } = core;
  return statedParser({ parser, parser_sha256 }, { file: path, path: 'sources.parser' });
}

/** Chooses the parser of an evaluation: that of its study plan, else the one asked for, else v4. Errors: USAGE where both are given; SCHEMA_INVALID. */
export function plannedParser(asked: SetParser | undefined, plan: StudyPlan | undefined): SetParser {
  if (plan === undefined) return asked ?? DEFAULT_PARSER;
  if (asked !== undefined) fail('USAGE', null, '--parser does not go with --plan, which fixes the parser');
  return statedParser(plan, { path: 'parser' });
}

/** Says which parser read the answers, and in how many reasoning was passed over; without a full stop. */
export function parserWords(parser: SetParser, reasoned: number): string {
  const inline = reasoned === 0 ? '' : `; inline reasoning in ${reasoned}, passed over`;
  return `answers read with parser ${parser}${inline}`;
}
