import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '../../../io/canonical.js';
import { parseObject } from '../../../io/json.js';
import { dropTemporary, temporaryFolder } from '../../../io/temporary.js';
import { Fields, fieldError } from '../../../release/board.js';
import { jsonDifferences } from '../../../release/proofs/differences.js';
import { RELEASE_FILES } from '../../../release/release-files.js';
import type { ProofParts } from '../../../release/verify.js';
import { FlavourError } from '../../../util/error.js';
import { ANALYSES } from '../sensitivity/analyses.js';
import { type SensitivityFlags, sensitivityInputs } from '../sensitivity/inputs.js';

/** The list that `sensitivity all` writes beside the documents. */
const INDEX = 'flavourbench-sensitivity/1';
const SCHEMA = /^flavourbench-sensitivity-([a-z]+)\/1$/;

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

/** The call that made a document, with the files of the release as its inputs. */
function callOf(document: Fields, files: Partial<SensitivityFlags>): SensitivityFlags {
  const plan = document.object('plan').value;
  const rng = document.nullable('rng', () => document.text('rng'));
  const seed = document.nullable('seed', () => document.text('seed'));
  if (seed !== null && !/^\d{1,20}$/.test(seed))
    throw fieldError(document.file, 'seed', 'an unsigned 64-bit integer in quotes', seed);
  const number = (key: string, otherwise: number) =>
    typeof plan[key] === 'number' ? (plan[key] as number) : otherwise;
  return {
    ...files,
    rng: rng?.startsWith('numpy') ? 'numpy' : 'philox',
    alpha: number('alpha', 0.05),
    target: number('target', 0.9),
    minGroup: number('min_group', 20),
    ...(seed === null ? {} : { seed: BigInt(seed) }),
    ...(typeof plan.draws === 'number' ? { draws: plan.draws } : {}),
    ...(Array.isArray(plan.sizes) ? { sizes: plan.sizes as number[] } : {}),
    ...(typeof plan.gate_model === 'string' ? { gateModel: plan.gate_model } : {}),
  };
}

/** Runs every sensitivity analysis of a release again on its own files, and compares results; what needs more is a note. */
export async function reanalyse(parts: ProofParts): Promise<void> {
  const { dir, sources, findings } = parts;
  const scratch = temporaryFolder(join(tmpdir(), 'reanalyse-'));
  try {
    const answers = join(scratch, 'answers.jsonl');
    writeFileSync(answers, `${answerRows(parts)}\n`);
    const files: Partial<SensitivityFlags> = {
      scores: join(dir, RELEASE_FILES.matrix),
      inference: join(dir, RELEASE_FILES.inference),
      responses: [answers],
      tasks: sources.taskFiles.map(({ name }) => join(dir, name)),
      ...(sources.core ? { core: join(dir, RELEASE_FILES.core) } : {}),
    };
    let done = 0;
    for (const { name, bytes } of sources.analyses) {
      if (!name.endsWith('.json')) continue;
      const text = Buffer.from(bytes).toString('utf8');
      const read = findings.attempt(name, () => parseObject(text, { file: name }));
      if (!read) continue;
      const document = new Fields(name, '', read);
      const schema = String(read.schema);
      const entry = ANALYSES.find((a) => a.name === SCHEMA.exec(schema)?.[1]);
      if (schema === INDEX) continue;
      if (!entry) {
        findings.note(`${name} was not run again: it is no sensitivity analysis`);
        continue;
      }
      const flags = findings.attempt(name, () => callOf(document, files));
      if (!flags) continue;
      try {
        const { results } = await (await entry.load())(sensitivityInputs(flags), flags);
        const own = JSON.parse(canonicalJson(results)) as unknown;
        findings.addAll(jsonDifferences(name, own, read.results, {}, 'results'));
        done += 1;
      } catch (error) {
        if (!(error instanceof FlavourError) || error.code !== 'INPUT_MISSING') throw error;
        findings.note(`${name} was not run again: it needs ${error.message}`);
      }
    }
    findings.done('analyses run again', done);
  } finally {
    dropTemporary(scratch);
  }
}
