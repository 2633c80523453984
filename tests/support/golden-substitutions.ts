import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shared } from './shared.js';

interface SyntheticSubstitutions {
  readonly groups: readonly string[];
  readonly vectors: readonly (readonly number[])[];
  readonly events: readonly (readonly [number, number])[];
  readonly train_events: readonly (readonly [number, number])[];
}

/** The synthetic substitutions as a user would hold them: an environment folder and two files of events. */
export function goldenSubstitutionFiles(folder: string) {
  const golden = JSON.parse(
    readFileSync(shared('golden/analyses/recipe1msubs_synthetic.json'), 'utf8'),
  ) as SyntheticSubstitutions;
  const names = golden.groups.map((_, i) => `v${String(i).padStart(2, '0')}`);
  const environment = join(folder, 'synthetic');
  mkdirSync(environment, { recursive: true });
  const write = (path: string, rows: readonly string[]) => {
    writeFileSync(path, rows.map((row) => `${row}\n`).join(''));
    return path;
  };
  const width = golden.vectors[0]?.map((_, d) => `d${d}`).join(',');
  write(join(environment, 'vectors.csv'), [
    `name,${width}`,
    ...golden.vectors.map((vector, i) => `${names[i]},${vector.join(',')}`),
  ]);
  write(join(environment, 'tags.csv'), [
    'name,primary_category,food_group',
    ...golden.groups.map((group, i) => `${names[i]},${group},${group}`),
  ]);
  const events = (file: string, list: SyntheticSubstitutions['events']) =>
    write(
      join(folder, file),
      list.map(([from, to]) => JSON.stringify({ subs: [names[from], names[to]] })),
    );
  return {
    environment,
    test: events('test.jsonl', golden.events),
    train: events('train.jsonl', golden.train_events),
  };
}
