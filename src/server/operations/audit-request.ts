import { z } from 'zod';
import { followInputs } from '../../analyses/about.js';
import { analysisDocument } from '../../analyses/analysis-document.js';
import { oneMatrix } from '../../analyses/one-matrix.js';
import { auditAnswer } from '../../analyses/rank-audit/audit-answer.js';
import { rankAudit, runAudit } from '../../analyses/rank-audit/rank-audit.js';
import { DEFAULT_PLAN } from '../../inference/plan.js';
import { inputFile } from '../../io/envelope.js';
import type { Operation } from './operation.js';
import { planAsked, tableFields, tableOptions, tableScores } from './table-fields.js';

const request = z.strictObject({
  ...tableFields,
  options: tableOptions
    .extend({ fail_unless: z.array(z.string()).optional().describe('Claims "A > B": which of them hold.') })
    .optional()
    .describe('Options of `flavourbench rank-audit`, under the same words.'),
});

const answer = z.object({
  read: z.string().describe('What was read, in one line.'),
  verdict: z
    .object({
      leader: z.string().describe('Who leads, and whether that is certain.'),
      steps: z
        .object({ head: z.string(), rows: z.array(z.object({ two: z.string(), needs: z.string() })) })
        .nullable()
        .describe('Which neighbours are not told apart, and about how many tasks would do it.'),
      cannot: z.string().nullable().describe('What these tasks could not show at all, or would miss.'),
    })
    .describe('The answer in short.'),
  words: z.string().describe('One paragraph: what the data support, and what they do not.'),
  document: z
    .looseObject({ schema: z.string(), results_sha256: z.string() })
    .describe('rank-audit.json, as the command writes it.'),
});

/** Neighbours that a verdict lists. */
const LISTED = 50;

/** Finds which ranks the scores of a table support (decisions 1 to 3). */
export const audit: Operation<z.infer<typeof request>, z.infer<typeof answer>> = {
  name: 'audit',
  summary: 'Which ranks a table of models and tasks supports.',
  request,
  answer,
  long: true,
  async run({ options = {}, ...given }, service) {
    const { fail_unless: failUnless, metric, filter } = options;
    const { read, reading, ...source } = await tableScores(given, options);
    const { chance: _, ...matrix } = source.matrix;
    const engine = await service.engine();
    const { family_weights: familyWeights, strata, ...plan } = planAsked(options);
    const { inputs, about } = followInputs(oneMatrix('rank-audit', { matrix, source: { ...source, matrix }, engine }));
    const { draws, flips, alpha } = { ...DEFAULT_PLAN, ...plan };
    const outcome = await runAudit(inputs, {
      ...plan,
      ...{ draws, flips, alpha, strata, familyWeights, metric, filter, failUnless },
      against: plan.against ?? undefined,
      margin: plan.margin ?? undefined,
    });
    const { document } = analysisDocument({
      analysis: rankAudit,
      outcome,
      files: read.map(({ bytes }) => inputFile('scores', bytes)),
      about: await about(),
      facts: { backend: engine.backend, threads: engine.threads, reason: engine.reason ?? 'as asked', read: reading },
    });
    const { leader, steps, cannot } = auditAnswer({ ...outcome, name: ({ name }) => name, listed: LISTED });
    return {
      read: reading.text,
      verdict: { leader, steps: steps && { head: steps.head, rows: [...steps.rows] }, cannot },
      words: rankAudit.words(outcome),
      document: document as unknown as z.infer<typeof answer>['document'],
    };
  },
};
