import type { Diet, DietRule } from '../../../environment/diet.js';
import { findDirection, needDirection } from '../../../environment/directions.js';
import { type Direction, type Environment, unitRow } from '../../../environment/environment.js';
import { type Match, nameMatcher } from '../../../environment/matcher.js';
import type { Scored } from '../../../environment/similarity.js';
import { openEnvironment } from '../../../environment/store.js';
import { fail, shown } from '../../../util/error.js';
import { fixed } from '../../../util/format.js';
import { dataHome } from '../../data-home.js';
import { printJson, printLine, printTable } from '../../print.js';

export interface QueryFlags {
  readonly json?: boolean;
}

/** An environment that a query command works on, and the names it was asked for. */
export interface Opened {
  readonly environment: Environment;
  readonly json: boolean;
  readonly matches: readonly Match[];
  /** Row of a name as asked; says on the screen what it was taken for when that is not the name itself. */
  row(asked: string): number;
  /** A direction by name; says on the screen what it was taken for when that is not the name itself. */
  axis(asked: string): Direction;
  /** Unit vector of a direction or, failing that, of an ingredient. */
  target(asked: string): { readonly name: string; readonly unit: Float64Array };
  /** Ends a command: JSON with the matches, or the lines the callback prints. */
  result(value: object, print: () => void): void;
}

/** Opens an environment for a query command. Errors: those of opening an environment. */
export async function opened(name: string, flags: QueryFlags): Promise<Opened> {
  const environment = await openEnvironment({ home: dataHome(), name });
  const matcher = nameMatcher(environment);
  const matches: Match[] = [];
  const json = flags.json === true;
  const row = (asked: string): number => {
    const match = matcher.match(asked);
    matches.push(match);
    if (!json && match.name !== asked) {
      const others = match.others.length > 0 ? `; also ${match.others.join(', ')}` : '';
      printLine(`${shown(asked)} taken for ${match.name} (${match.how}${others})`);
    }
    return match.row;
  };
  const axis = (asked: string): Direction => {
    const found = needDirection(environment, asked);
    if (!json && found.name !== asked) printLine(`${shown(asked)} taken for the direction ${found.name}`);
    return found;
  };
  return {
    environment,
    json,
    matches,
    row,
    axis,
    target(asked) {
      if (findDirection(environment, asked)) return axis(asked);
      const found = row(asked);
      return { name: environment.names[found]!, unit: unitRow(environment, found) };
    },
    result(value, print) {
      if (!json) return print();
      const { name, identity } = environment;
      printJson({ environment: name, identity: identity.sha256, matches, ...value });
    },
  };
}

/** Says whether diets and levels of processing mean anything here: a world has them only where its items carry such flags. */
export function isFood({ identity, tags }: Environment): boolean {
  return identity.kind !== 'world' || tags?.some((each) => each?.vegetarian || each?.vegan) === true;
}

/** Names the rows of an environment. */
export const thingsOf = (environment: Environment): 'ingredients' | 'items' =>
  isFood(environment) ? 'ingredients' : 'items';

/** Rounds to four decimals, as every operation reports (compiler a.6). */
export const round4 = (value: number): number => Number(fixed(value, 4));

/** Rounds the values of a list for JSON. */
export const scored = (list: readonly Scored[]) => list.map(({ name, value }) => ({ name, value: round4(value) }));

/** Prints a list as a table. */
export function printScored(environment: Environment, list: readonly Scored[], head: string): void {
  printTable(
    [isFood(environment) ? 'ingredient' : 'item', head],
    list.map(({ name, value }) => [name, fixed(value, 4)]),
  );
}

/** Reads a number between two bounds from an option. Errors: USAGE. */
export function numberIn(text: string, flag: string, low: number, high: number): number {
  const value = Number(text);
  if (/^-?\d{1,6}(?:\.\d{1,6})?$/.test(text) && value >= low && value <= high) return value;
  fail(
    'USAGE',
    null,
    `${flag} is ${shown(text)}; ${low} to ${high} is expected`,
    `Give a number from ${low} to ${high}.`,
  );
}

/** Reads `--count`, 1 to 10,000. Errors: USAGE. */
export function countIn(text: string): number {
  const value = numberIn(text, '--count', 1, 10_000);
  if (Number.isInteger(value)) return value;
  fail('USAGE', null, `--count is ${shown(text)}; a whole number is expected`, 'Give a whole number from 1 to 10000.');
}

/** Reads `--diet` and `--max-nova`. Errors: USAGE. */
export function dietRule(flags: { readonly diet?: string; readonly maxNova?: string }): DietRule {
  const { diet, maxNova } = flags;
  if (diet !== undefined && diet !== 'vegan' && diet !== 'vegetarian') {
    fail(
      'USAGE',
      null,
      `--diet is ${shown(diet)}; vegan or vegetarian is expected`,
      'Give --diet vegan or --diet vegetarian.',
    );
  }
  return {
    diet: (diet as Diet | undefined) ?? null,
    maximumNova: maxNova === undefined ? null : numberIn(maxNova, '--max-nova', 1, 4),
  };
}
