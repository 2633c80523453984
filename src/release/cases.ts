import { z } from 'zod';
import { byRank } from '../inference/model-ranks.js';
import type { Inference, ModelResult } from '../inference/result.js';
import { sealed } from '../io/canonical.js';
import { orderKey } from '../io/digest.js';
import { LABELS, PORTFOLIOS, type Task } from '../tasks/task.js';
import type { TaskFiles } from '../tasks/taskset.js';
import type { CandidateCells } from './candidate-cells.js';

const answer = z.object({
  model_id: z.string(),
  model_name: z.string().nullish(),
  answer: z.string().nullish(),
  selection: z.string().nullish(),
  ingredients: z.array(z.string()).nullish(),
  score_bps: z.number().nullable(),
});

/** cases.json, as far as a view shows it. */
export const casesSchema = z.object({
  cases: z.array(
    z.object({
      task_id: z.string(),
      family: z.string(),
      prompt: z.string(),
      higher_ranked: answer,
      lower_ranked: answer,
    }),
  ),
});

export interface CaseAnswer {
  readonly model: string;
  /** The words of the answer; null where only the selection is known. */
  readonly text: string | null;
  readonly selection: string | null;
  readonly ingredients: readonly string[];
  /** Points. */
  readonly score: number | null;
}

/** A task with the answers of the first and the last model. */
export interface CaseStudy {
  readonly id: string;
  readonly family: string;
  readonly prompt: string;
  readonly higher: CaseAnswer;
  readonly lower: CaseAnswer;
}

/** Lists the case studies of cases.json. */
export function caseStudies({ cases }: z.output<typeof casesSchema>): CaseStudy[] {
  const answerOf = (own: z.output<typeof answer>): CaseAnswer => ({
    model: own.model_name ?? own.model_id,
    text: own.answer ?? null,
    selection: own.selection ?? null,
    ingredients: (own.ingredients ?? []).map((name) => name.replaceAll('_', ' ')),
    score: own.score_bps === null ? null : own.score_bps / 100,
  });
  return cases.map((study) => ({
    id: study.task_id,
    family: study.family,
    prompt: study.prompt,
    higher: answerOf(study.higher_ranked),
    lower: answerOf(study.lower_ranked),
  }));
}

const RULE =
  'in each family, the ranked task with the smallest SHA-256(task_set_sha256 NUL family NUL task_id), where task_set_sha256 is the digest its task file states, or the digest of the file; no score is looked at';

/** Digest that names the task set of each task. */
function setDigests(files: TaskFiles): Map<string, string> {
  return new Map(
    files.sets.flatMap((set) => set.tasks.map((task) => [task.id, set.taskSetSha256 ?? set.physicalSha256] as const)),
  );
}

/** One ranked task a family, by hash and never by score (collection 3.7). */
function caseTasks(tasks: readonly Task[], files: TaskFiles): Task[] {
  const digests = setDigests(files);
  const best = new Map<string, { readonly task: Task; readonly key: string }>();
  for (const task of tasks) {
    const key = orderKey(digests.get(task.id)!, task.family, task.id);
    const known = best.get(task.family);
    if (!known || key < known.key) best.set(task.family, { task, key });
  }
  return [...best.values()].map(({ task }) => task);
}

function namesOf(task: Task, selection: string): string[] {
  return [...selection].map((label) => task.choices[LABELS.indexOf(label)] ?? label);
}

/** Makes cases.json: the case studies with the raw answers of the highest- and the lowest-ranked model. */
export function casesDocument(options: {
  readonly candidates: CandidateCells;
  readonly tasks: readonly Task[];
  readonly files: TaskFiles;
  readonly inference: Inference;
}) {
  const { candidates, tasks, files, inference } = options;
  const ranked = byRank(inference.models);
  const higher = ranked[0]!;
  const lower = ranked.at(-1)!;
  const digests = setDigests(files);
  const answered = ({ modelId, name }: ModelResult, task: Task) => {
    const cell = candidates.cells.get(modelId)?.get(task.id);
    const { answer, digest } = cell?.observation ?? {};
    const selection = cell?.scoring.selection ?? null;
    return {
      model_id: modelId,
      model_name: name,
      answer: answer?.text ?? answer?.selection ?? null,
      response_sha256: digest,
      selection,
      ingredients: selection === null ? [] : namesOf(task, selection),
      score_bps: cell?.scoring.scoreBps ?? null,
    };
  };
  return sealed({
    schema: 'flavourbench-release-cases/1',
    canonicalization: 'RFC8785',
    selection_rule: RULE,
    higher_ranked_model_id: higher.modelId,
    lower_ranked_model_id: lower.modelId,
    cases: caseTasks(tasks, files).map((task) => ({
      task_id: task.id,
      family: task.family,
      panel: task.panel,
      order_key: orderKey(digests.get(task.id)!, task.family, task.id),
      prompt: task.prompt,
      choices: Object.fromEntries(task.choices.map((choice, i) => [LABELS.charAt(i), choice])),
      optimal_selection: PORTFOLIOS[task.optimal],
      optimal_ingredients: namesOf(task, PORTFOLIOS[task.optimal]!),
      chance_score_bps: task.chance,
      higher_ranked: answered(higher, task),
      lower_ranked: answered(lower, task),
    })),
  });
}
