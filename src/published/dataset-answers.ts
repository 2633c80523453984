import { z } from 'zod';
import { incomplete, type ScoreMatrix } from '../core/matrix.js';
import { matrixFromAnswers } from '../core/matrix-answers.js';
import { setDigest } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { type JsonObject, parseObject } from '../io/json.js';
import { type PyValue, parsePyJson, pySealed } from '../io/pyjson.js';
import type { Findings } from '../release/proofs/findings.js';
import { AS_BUILT, type Inventory, textOf } from '../release/release-files.js';
import { type Answer, answerCode, readAnswer } from '../responses/answer.js';
import { selectionOf } from '../responses/outcome.js';
import { PORTFOLIOS, type Task } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { dataText } from '../util/text.js';
import { type PublishedDocument, publishedPart } from './published-document.js';

const FILE = 'primary_observations.jsonl';
const rowSchema = z.looseObject({ response: z.looseObject({}), release_scoring: z.looseObject({}).nullish() });
const setSchema = z.looseObject({ count: z.number(), artifact_set_sha256: z.string() });
/** Where a released answer may say that it came from. */
const SOURCE =
  /^benchmark\/(?:[A-Za-z0-9._-]+\/)*responses\/primary\/(?:[A-Za-z0-9._-]+\/)*response-[A-Za-z0-9.-]+\.json$/;

/**
 * Proves every published answer: its own digest, its place, its prompt, its selection and score read anew; the answers are exactly models x tasks.
 * Returns the score matrix.
 */
export function proveAnswers(options: {
  readonly files: Inventory;
  readonly published: PublishedDocument;
  readonly tasks: readonly Task[];
  readonly findings: Findings;
}): ScoreMatrix {
  const { files, published, tasks, findings } = options;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const prompts = new Map(tasks.map((task) => [task.id, sha256(task.prompt)]));
  const answers: { answer: Answer; file: string; line: number; row: () => PyValue }[] = [];
  const sets = new Map<string, string[]>();
  const lines = (textOf(files, FILE) ?? '').split('\n');
  lines.forEach((text, i) => {
    if (text === '') return;
    const line = i + 1;
    findings.attempt(FILE, () => {
      const place = { file: FILE, line };
      const row = checked(rowSchema, parseObject(text, place), place, AS_BUILT);
      const { response } = row;
      const exact = parsePyJson(text, place) as { readonly [key: string]: PyValue };
      const at = `line ${line} (${dataText(response.model_id)}, ${dataText(response.task_id)})`;
      const stated = exact.response as { readonly [key: string]: PyValue };
      const digest = pySealed(stated).artifact_sha256;
      findings.same(FILE, `${at}, response.artifact_sha256`, digest, stated.artifact_sha256);
      findings.same(FILE, `${at}, response_artifact_sha256`, digest, row.response_artifact_sha256);
      const answer = readAnswer(response, place);
      const task = byId.get(answer.task);
      if (!task) {
        findings.add({ file: FILE, at, expected: 'a task of the core', found: answer.task });
        return;
      }
      findings.same(FILE, `${at}, release_panel`, task.panel, row.release_panel);
      findings.same(FILE, `${at}, prompt_sha256`, prompts.get(task.id), response.prompt_sha256);
      const source = row.source_path;
      if (!SOURCE.test(dataText(source)) || dataText(source).includes('..'))
        findings.add({
          file: FILE,
          at: `${at}, source_path`,
          expected: 'a path of a response',
          found: shown(source),
        });
      checkScoring(at, answer, task, row.release_scoring ?? {}, findings);
      const list = sets.get(task.panel);
      if (list) list.push(digest);
      else sets.set(task.panel, [digest]);
      answers.push({ answer: { ...answer, panel: '' }, file: FILE, line, row: () => exact });
    });
  });
  for (const [panel, digests] of sets) {
    const name = `${panel}_responses`;
    const stated = publishedPart(published, 'inputs', name, setSchema);
    findings.same('release.json', `inputs.${name}.count`, digests.length, stated.count);
    findings.same('release.json', `inputs.${name}.artifact_set_sha256`, setDigest(digests), stated.artifact_set_sha256);
  }
  findings.done('answers: digest, prompt, selection and score read again', answers.length);
  const made = matrixFromAnswers({
    tasks,
    answers,
    roster: published.leaderboard.models.map(({ modelId }) => modelId),
  });
  if (made.matrix === null) throw incomplete(made.missing, made.cells);
  if (made.extra.models > 0) {
    fail('MODEL_UNKNOWN', null, `${made.extra.models} answers of models outside the release`, undefined, { exit: 4 });
  }
  return made.matrix;
}

function checkScoring(at: string, answer: Answer, task: Task, stated: JsonObject, findings: Findings): void {
  const { action, key } = selectionOf(answerCode(answer, task, 'v3'));
  const bps = action < 0 ? null : task.scores[action]!;
  const same = (field: string, expected: unknown) => {
    if (field in stated) findings.same(FILE, `${at}, release_scoring.${field}`, expected, stated[field]);
  };
  same('observed_selection', key);
  same('optimal_selection', PORTFOLIOS[task.optimal]);
  same('parseable', action >= 0);
  same('score_bps', bps);
  same('score', bps === null ? null : bps / 100);
  same('optimal', action === task.optimal);
}
