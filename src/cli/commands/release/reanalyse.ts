import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isOfSchema } from '../../../analyses/analysis.js';
import { statedOptions } from '../../../analyses/declared-options.js';
import { type AnyAnalysis, SENSITIVITY, SENSITIVITY_INDEX } from '../../../analyses/list.js';
import { canonicalJson } from '../../../io/canonical.js';
import { parseObject } from '../../../io/json.js';
import { dropTemporary, temporaryFolder } from '../../../io/temporary.js';
import { jsonDifferences } from '../../../release/proofs/differences.js';
import { RELEASE_FILES } from '../../../release/release-files.js';
import type { ProofParts } from '../../../release/verify.js';
import { FlavourError } from '../../../util/error.js';
import { checked } from '../../../util/schema.js';
import { type InputFlags, openInputs } from '../../analysis-inputs.js';

/** What a document says of the call that made it. */
const callSchema = z.object({
  plan: z.looseObject({}),
  rng: z.string().nullable(),
  seed: z
    .string()
    .regex(/^\d{1,20}$/, 'an unsigned 64-bit integer in quotes expected')
    .transform(BigInt)
    .nullable(),
});

/** The answers of a release as rows that the analyses read. */
function answerRows({ assembled }: ProofParts): string {
  return assembled.candidates.ordered
    .map(({ observation: { model, answer }, task, completed }) =>
      canonicalJson({
        model_id: model,
        panel: task.panel,
        task_id: task.id,
        status: completed ? 'completed' : 'failed',
        ...(answer.selection === null ? { answer: answer.text } : { selection: answer.selection }),
      }),
    )
    .join('\n');
}

/** Options of the call that made a document. Errors: SCHEMA_INVALID. */
function callOf({ options, schema }: AnyAnalysis, document: object, file: string): object {
  const call = checked(callSchema, document, { file });
  checked(schema.plan, call.plan, { file, path: 'plan' });
  return statedOptions(options, call);
}

/** Runs every sensitivity analysis of a release again on its own files, and compares results; what needs more is a note. */
export async function reanalyse(parts: ProofParts): Promise<void> {
  const { dir, sources, findings } = parts;
  const scratch = temporaryFolder(join(tmpdir(), 'reanalyse-'));
  try {
    const answers = join(scratch, 'answers.jsonl');
    writeFileSync(answers, `${answerRows(parts)}\n`);
    const files: InputFlags = {
      scores: [join(dir, RELEASE_FILES.matrix)],
      inference: join(dir, RELEASE_FILES.inference),
      responses: [answers],
      parser: sources.parser,
      tasks: sources.taskFiles.map(({ name }) => join(dir, name)),
      ...(sources.core ? { core: join(dir, RELEASE_FILES.core) } : {}),
    };
    let done = 0;
    for (const { name, bytes } of sources.analyses) {
      if (!name.endsWith('.json')) continue;
      const text = Buffer.from(bytes).toString('utf8');
      const document = findings.attempt(name, () => parseObject(text, { file: name }));
      if (!document || document.schema === SENSITIVITY_INDEX) continue;
      const analysis = SENSITIVITY.find(({ schema }) => isOfSchema(schema, document.schema));
      if (!analysis) {
        findings.note(`${name} was not run again: it is no sensitivity analysis`);
        continue;
      }
      const options = findings.attempt(name, () => callOf(analysis, document, name));
      if (!options) continue;
      const opened = openInputs(files);
      try {
        const { results } = await analysis.run(opened.inputs, options);
        findings.addAll(jsonDifferences(name, results, document.results, {}, 'results'));
        done += 1;
      } catch (error) {
        if (!(error instanceof FlavourError) || error.code !== 'INPUT_MISSING') throw error;
        findings.note(`${name} was not run again: it needs ${error.message}`);
      } finally {
        await opened.close();
      }
    }
    findings.done('analyses run again', done);
  } finally {
    dropTemporary(scratch);
  }
}
