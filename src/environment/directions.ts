import { basename } from 'node:path';
import { parseJson } from '../io/json.js';
import { readNpy, readNpz } from '../io/npy.js';
import { fail, shown } from '../util/error.js';
import { nearestOrAll } from '../util/spelling.js';
import { foldName } from './asked-name.js';
import { CUISINES, type Direction, type DirectionKind, type Environment, unitRows } from './environment.js';
import { checkNames } from './name-list.js';
import { plainEnding, readSpaceFile, readSpaceText } from './space-file.js';

/** The cuisine poles of a public checkpoint are keyed `cuisine:NAME`; the runtime's directions by the bare name. */
const PREFIX = 'cuisine:';
const HINT = 'A direction has one finite number a dimension of the matrix, not all zero.';

function kindOf(name: string): DirectionKind {
  if (name.startsWith('cf_')) return 'flavour';
  if (name.startsWith('usda_')) return 'nutrient';
  return (CUISINES as readonly string[]).includes(name) ? 'cuisine' : 'axis';
}

async function rawDirections(path: string, file: string): Promise<Map<string, Float32Array>> {
  const kind = plainEnding(path);
  const out = new Map<string, Float32Array>();
  if (kind === '.npz') {
    for (const [name, { shape, values }] of readNpz(await readSpaceFile(path), file)) {
      if (shape.length !== 1)
        fail(
          'DIRECTION_INVALID',
          { file, path: name },
          `the direction has ${shape.length} dimensions (${shape.join(', ')}); one is expected`,
          HINT,
        );
      out.set(name, values);
    }
    return out;
  }
  if (kind === '.npy') {
    const { shape, values } = readNpy(await readSpaceFile(path), file);
    if (shape.length !== 2)
      fail(
        'DIRECTION_INVALID',
        { file },
        `the table has ${shape.length} dimensions (${shape.join(', ')}); two are expected`,
        HINT,
      );
    const [rows, columns] = shape as [number, number];
    const word = file.startsWith('factor') ? 'factor' : 'mode';
    for (let i = 0; i < rows; i += 1) out.set(`${word}_${i}`, values.subarray(i * columns, (i + 1) * columns));
    return out;
  }
  const table = parseJson(await readSpaceText(path), { file });
  if (typeof table !== 'object' || table === null || Array.isArray(table)) {
    fail('DIRECTION_INVALID', { file }, `an object from name to numbers expected, found ${shown(table)}`, HINT);
  }
  for (const [name, numbers] of Object.entries(table)) {
    if (!Array.isArray(numbers))
      fail('DIRECTION_INVALID', { file, path: name }, `a list of numbers expected, found ${shown(numbers)}`, HINT);
    numbers.forEach((value: unknown, i) => {
      if (typeof value !== 'number' || !Number.isFinite(Math.fround(value)))
        fail(
          'DIRECTION_INVALID',
          { file, path: `${name}[${i}]` },
          `a finite float32 number expected, found ${shown(value)}`,
          HINT,
        );
    });
    out.set(name, Float32Array.from(numbers as number[]));
  }
  return out;
}

/**
 * Reads named directions and makes them unit vectors: `.npz` of one-dimensional arrays, JSON from name to numbers, or a
 * two-dimensional `.npy` whose rows are modes or factors (named `mode_0`, `factor_0`, ... by row).
 *
 * @param dims width of the matrix they must fit.
 */
export async function readDirections(path: string, dims: number): Promise<Direction[]> {
  const file = basename(path);
  const raws = await rawDirections(path, file);
  checkNames([...raws.keys()], file);
  return [...raws].map(([key, raw]) => {
    if (raw.length !== dims)
      fail('DIRECTION_INVALID', { file, path: key }, `${raw.length} numbers; the matrix has ${dims} columns`, HINT);
    if (raw.every((value) => value === 0)) fail('DIRECTION_INVALID', { file, path: key }, 'every number is zero', HINT);
    const name = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
    const kind = plainEnding(path) === '.npy' ? (key.startsWith('factor') ? 'factor' : 'mode') : kindOf(name);
    return { name, kind, unit: unitRows(raw, dims), source: file };
  });
}

type Named = Pick<Environment, 'name' | 'directions'>;

/** Flavour axes of the released runtime are called `cf_sweet`, those of other spaces `sweet`. */
const folded = (name: string): string => foldName(name).replace(/^cf_/, '');

/** Finds a direction by name: as written, else case, accents, punctuation and the prefix `cf_` aside. */
export function findDirection({ directions }: Named, asked: string): Direction | undefined {
  const exact = directions.get(asked);
  if (exact) return exact;
  const wanted = folded(asked);
  const name = [...directions.keys()].find((each) => folded(each) === wanted);
  return name === undefined ? undefined : directions.get(name);
}

/** Finds a direction by name. Errors: DIRECTION_UNKNOWN lists some of those there are. */
export function needDirection(environment: Named, asked: string): Direction {
  const found = findDirection(environment, asked);
  if (found) return found;
  const known = [...environment.directions.keys()];
  fail(
    'DIRECTION_UNKNOWN',
    null,
    `environment ${shown(environment.name)} has no direction ${shown(asked)}`,
    known.length === 0
      ? 'It has no directions; `env import ... --directions FILE --force` adds them.'
      : `${nearestOrAll(asked, known)} \`env show ${environment.name}\` lists all.`,
  );
}
