import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Handwork } from '../../queue/hand.js';
import type { Packet } from '../../queue/packet.js';
import { asStored } from '../../queue/stored.js';
import { ROW_FORMATS, type RowFormat } from '../../responses/batch/row-table.js';
import { type PartScorerStart, partScorer } from '../../responses/batch/score-part.js';
import { receivedPart } from '../../responses/batch/sent-part.js';
import type { Task } from '../../tasks/task.js';

/** What a worker needs of a batch, as JSON holds it. */
interface RescoreOpening extends Pick<PartScorerStart, 'known' | 'plan'> {
  readonly tasks: readonly (Omit<Task, 'scores'> & { readonly scores: readonly number[] })[];
  readonly folder: { readonly format: RowFormat; readonly planDigest: string } | null;
}

/** Makes ready what a worker needs of a batch. */
export function rescoreOpening({ tasks, known, plan, folder }: PartScorerStart): RescoreOpening {
  return {
    tasks: tasks.map(({ scores, ...task }) => ({ ...task, scores: Array.from(scores) })),
    known,
    plan,
    folder: folder ? { format: folder.format, planDigest: folder.planDigest } : null,
  };
}

/** Opens what scores the parts of a batch: rows go into a folder inside `scratch`, and from there back to the caller. */
export async function rescoreHand({ facts }: Packet, scratch: string): Promise<Handwork> {
  const { tasks, known, plan, folder } = facts as RescoreOpening;
  // The form is the ending of a file.
  if (folder) asStored(z.enum(ROW_FORMATS), folder.format, 'the opening of a call');
  const path = mkdtempSync(join(scratch, 'part-'));
  const score = partScorer({
    tasks: tasks.map(({ scores, ...task }) => ({ ...task, scores: Uint16Array.from(scores) })),
    known,
    plan,
    ...(folder ? { folder: { path, ...folder } } : {}),
  });
  return async ({ packet, files }) => {
    const { counts, record } = await score(receivedPart(packet!.facts, packet!.bytes, files[0]));
    if (record === undefined) return { facts: { counts }, bytes: {} };
    const bytes = Object.fromEntries(record.files.map((file) => [file.path, readFileSync(join(path, file.path))]));
    rmSync(path, { recursive: true });
    return { facts: { counts, record }, bytes };
  };
}
