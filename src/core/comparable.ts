import { type Asked, protocolName } from '../collect/asked.js';
import type { Protocol } from '../collect/protocol.js';
import type { TaskSet } from '../tasks/task.js';
import { fail } from '../util/error.js';
import { assertOneDecoding, type Decoding, namesOf } from './decoding.js';

/** What of a cell says whether it may stand beside another one. */
export interface ComparableCell {
  readonly asked: Pick<Asked, 'protocol'> | null;
  readonly decoding: Decoding;
  readonly prompt: string;
}

/** How all cells of a comparison were asked. */
interface AskedAlike {
  /** Null where no cell states any. */
  readonly protocol: Protocol | null;
  /** Every value that some cell states. */
  readonly decoding: Decoding;
}

/** Cells by model and task. */
export type ComparableCells = ReadonlyMap<string, ReadonlyMap<string, ComparableCell>>;

/** A protocol and the models that have cells under it. */
interface ProtocolGroup {
  readonly protocol: Protocol | null;
  readonly models: Set<string>;
}

/** Groups models by the protocol of their cells, in order of first appearance; answers that state none are a group of their own. */
export function protocolGroups(cells: ComparableCells): readonly ProtocolGroup[] {
  const groups = new Map<string | null, ProtocolGroup>();
  for (const [model, row] of cells) {
    for (const { asked } of row.values()) {
      const protocol = asked?.protocol ?? null;
      const name = protocol?.sha256 ?? null;
      const group = groups.get(name) ?? { protocol, models: new Set() };
      groups.set(name, group);
      group.models.add(model);
    }
  }
  return [...groups.values()];
}

/**
 * Refuses to put cells side by side that were asked in different ways, and gives the one way of all. Errors: PROTOCOL_MIXED with each protocol,
 * its digest and its models; DECODING_MIXED where two cells were drawn with different values of one parameter; PROMPT_MIXED where two models
 * answered other wordings of one task.
 */
export function assertComparable(cells: ComparableCells): AskedAlike {
  const protocol = assertOneProtocol(cells);
  const decoding = assertOneDecoding(cells);
  assertOnePrompt(cells);
  return { protocol, decoding };
}

/** Gives the one protocol of cells; null where none states any. Errors: PROTOCOL_MIXED. */
export function assertOneProtocol(cells: ComparableCells): Protocol | null {
  const groups = protocolGroups(cells);
  if (groups.length > 1) {
    const texts = groups.map(({ protocol, models }) => `${protocolName(protocol)} (${namesOf(models)})`);
    const first = groups[0]!.protocol?.name ?? 'unstated';
    fail(
      'PROTOCOL_MIXED',
      null,
      `answers under different protocols are never compared: ${texts.join('; ')}`,
      `Freeze one core a protocol: \`core freeze --protocol ${first}\` keeps the models that were asked under it. Of answers in files, leave the others out with --without.`,
    );
  }
  return groups[0]?.protocol ?? null;
}

/** Holds the cells of a task to one wording. Errors: PROMPT_MIXED. */
export function assertOnePrompt(cells: ComparableCells): void {
  const first = new Map<string, { readonly prompt: string; readonly model: string }>();
  for (const [model, row] of cells) {
    for (const [task, { prompt }] of row) {
      const before = first.get(task);
      if (before === undefined) first.set(task, { prompt, model });
      else if (before.prompt !== prompt)
        fail(
          'PROMPT_MIXED',
          null,
          `task ${task}: ${before.model} answered prompt ${before.prompt}, ${model} prompt ${prompt}`,
          'Give task files with prompts: answers to another wording are then left out.',
        );
    }
  }
}

/**
 * Refuses tasks that two environments scored: their points measure different things. Task sets that state no environment are taken as
 * they are. Errors: ENVIRONMENT_MIXED with both digests.
 */
export function assertOneEnvironment(
  sets: readonly Pick<TaskSet, 'environmentSha256' | 'panel' | 'physicalSha256'>[],
): void {
  const stated = sets.filter(({ environmentSha256 }) => environmentSha256 !== undefined);
  const [first] = stated;
  const other = stated.find(({ environmentSha256 }) => environmentSha256 !== first?.environmentSha256);
  if (first === undefined || other === undefined) return;
  const text = (set: typeof first) => `${set.environmentSha256} (${set.panel}, task set ${set.physicalSha256})`;
  fail(
    'ENVIRONMENT_MIXED',
    null,
    `task sets of different environments are never scored together: ${text(first)}; ${text(other)}`,
    'Give the task sets of one environment.',
  );
}
