import { fail, shown } from '../util/error.js';
import type { LogCell } from './cell.js';

/** The cells of one harness. */
interface Part {
  readonly name: string;
  readonly cells: readonly LogCell[];
}

/**
 * Logs of several harnesses go together where the models are the same, each harness having tasks of its own, or where the tasks are: an
 * evaluation of two harnesses must have the same samples in both, for nothing else tells that they mean the same by them (reading 2).
 * Errors: SCHEMA_INVALID, naming what differs.
 */
export function assertTogether(parts: readonly Part[]): void {
  const kinds = new Map<string, LogCell[]>();
  for (const { name, cells } of parts) kinds.set(name, [...(kinds.get(name) ?? []), ...cells]);
  const all = [...kinds];
  for (const [i, [left, ofLeft]] of all.entries())
    for (const [right, ofRight] of all.slice(i + 1)) {
      const before = samplesOf(ofLeft);
      const after = samplesOf(ofRight);
      const shared = [...before.keys()].filter((family) => after.has(family));
      for (const family of shared) assertSame(family, [left, before.get(family)!], [right, after.get(family)!]);
      const models = new Set(ofLeft.map(({ model }) => model));
      if (shared.length > 0 || ofRight.some(({ model }) => models.has(model))) continue;
      fail(
        'SCHEMA_INVALID',
        { file: ofRight[0]?.place.file },
        `${left} logs and ${right} logs have no model and no evaluation in common: ${shown([...models][0])} on ${shown([...before.keys()][0])}, ${shown(ofRight[0]?.model)} on ${shown([...after.keys()][0])}`,
        'Audit them apart, or give logs of the same evaluations.',
      );
    }
}

function samplesOf(cells: readonly LogCell[]): Map<string, Map<string, LogCell>> {
  const families = new Map<string, Map<string, LogCell>>();
  for (const cell of cells) {
    const samples = families.get(cell.family) ?? new Map<string, LogCell>();
    families.set(cell.family, samples);
    if (!samples.has(cell.sample)) samples.set(cell.sample, cell);
  }
  return families;
}

type Side = readonly [string, ReadonlyMap<string, LogCell>];

function assertSame(family: string, left: Side, right: Side): void {
  for (const [[name, samples], [other, others]] of [
    [left, right],
    [right, left],
  ] as const) {
    const alone = [...samples.values()].find(({ sample }) => !others.has(sample));
    if (alone === undefined) continue;
    fail(
      'SCHEMA_INVALID',
      alone.place,
      `sample ${shown(alone.sample)} of ${shown(family)} stands in ${name} logs and not in ${other} logs (${samples.size} and ${others.size} samples)`,
      'The harnesses number their samples each in its own way: audit their logs apart.',
    );
  }
}
