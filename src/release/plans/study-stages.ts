import { z } from 'zod';
import { isOfSchema } from '../../analyses/analysis.js';
import { contrast } from '../../analyses/contrast/contrast.js';
import type { JsonObject } from '../../io/json.js';
import type { Difference } from '../proofs/differences.js';

/** What a document of the transfer study says of its stage, its plan and its tasks. */
const stageSchema = z.object({
  plan: z.object({ protocol_sha256: z.string() }),
  results: z.object({
    stage: z.enum(['primary', 'secondary']),
    per_task: z.array(z.object({ task_id: z.string() })),
  }),
});

/**
 * Lists where a secondary evaluation among the analyses of a release replicates nothing (collection 10.3): it is of another plan than the primary
 * one beside it, or asks about its tasks.
 */
export function reusedIn(documents: ReadonlyMap<string, JsonObject>): Difference[] {
  const stages = [...documents].flatMap(([file, document]) => {
    const read = isOfSchema(contrast.schema, document.schema) ? stageSchema.safeParse(document) : undefined;
    return read?.success ? [{ file, protocol: read.data.plan.protocol_sha256, ...read.data.results }] : [];
  });
  const found: Difference[] = [];
  for (const primary of stages.filter(({ stage }) => stage === 'primary'))
    for (const { file, protocol, per_task } of stages.filter(({ stage }) => stage === 'secondary')) {
      if (protocol !== primary.protocol)
        found.push({
          file,
          at: 'plan.protocol_sha256',
          expected: `${primary.protocol}, as ${primary.file}`,
          found: protocol,
        });
      const asked = new Set(primary.per_task.map(({ task_id }) => task_id));
      const again = per_task.find(({ task_id }) => asked.has(task_id));
      if (again !== undefined)
        found.push({
          ...{ file, at: 'results.per_task', expected: `no task of the primary evaluation (${primary.file})` },
          found: again.task_id,
        });
    }
  return found;
}
