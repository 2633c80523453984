import { fail, shown } from '../util/error.js';
import type { Direction, Environment } from './environment.js';
import { foldName } from './matcher.js';

type Named = Pick<Environment, 'name' | 'directions'>;

/** Flavour axes of the released runtime are called `cf_sweet`, those of other spaces `sweet`. */
const folded = (name: string): string => foldName(name).replace(/^cf_/, '');

/** A direction by name: as written, else case, accents, punctuation and the prefix `cf_` aside. */
export function findDirection({ directions }: Named, asked: string): Direction | undefined {
  const exact = directions.get(asked);
  if (exact) return exact;
  const wanted = folded(asked);
  const name = [...directions.keys()].find((each) => folded(each) === wanted);
  return name === undefined ? undefined : directions.get(name);
}

/** A direction by name, or DIRECTION_UNKNOWN that lists some of those there are. */
export function needDirection(environment: Named, asked: string): Direction {
  const found = findDirection(environment, asked);
  if (found) return found;
  const known = [...environment.directions.keys()];
  fail(
    'DIRECTION_UNKNOWN',
    null,
    `environment ${shown(environment.name)} has no direction ${shown(asked)}`,
    known.length === 0
      ? 'It has no directions; import it again with `--directions FILE`.'
      : `It has: ${known.slice(0, 12).join(', ')}${known.length > 12 ? `, and ${known.length - 12} more; \`env show\` lists all` : ''}.`,
  );
}
