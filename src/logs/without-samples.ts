import { isObject } from '../io/json.js';
import { fail } from '../util/error.js';
import { shellWord } from '../util/text.js';
import type { OpenedLog } from './opened-log.js';

/** What harnesses write that holds no score on any sample, or too little of it. */
interface OtherFile {
  readonly what: string;
  readonly hint: (file: string) => string;
  recognise(log: OpenedLog): boolean;
}

const OTHER_FILES: readonly OtherFile[] = [
  {
    what: 'holds results of lm-evaluation-harness: one mean an evaluation, no scores on samples',
    hint: () =>
      'Run the harness with --log_samples and give the folder with its samples_TASK_TIME.jsonl. Means alone are read as a table: a row a model, a column an evaluation.',
    recognise: ({ document }) =>
      isObject(document) &&
      isObject(document.results) &&
      ['configs', 'versions', 'config', 'n-shot'].some((key) => key in document) &&
      Object.values(document.results).some(
        (of) => isObject(of) && Object.keys(of).some((key) => /_stderr\b/.test(key)),
      ),
  },
  {
    what: 'holds results of bigcode-evaluation-harness: means of a model (pass@k), no scores on problems',
    hint: (file) =>
      `The harness keeps no score of a problem; EvalPlus does. Means alone are read as a table, a row a model and a column a task: \`jq -r '[.config.model, (del(.config) | to_entries[] | .value["pass@1"])] | @csv' ${shellWord(file)}\` writes such a row; put \`model,TASK,...\` above the rows of all models.`,
    recognise: ({ document }) => {
      if (!isObject(document) || !isObject(document.config)) return false;
      const means = Object.entries(document).filter(([key]) => key !== 'config');
      return (
        means.length > 0 &&
        means.every(([, of]) => isObject(of) && Object.keys(of).some((key) => /^pass@\d+$/.test(key)))
      );
    },
  },
  {
    what: 'names what was resolved and not what was submitted',
    hint: () => 'Give the report that the harness itself writes, MODEL.RUN.json with resolved_ids and submitted_ids.',
    recognise: ({ document }) =>
      isObject(document) && Array.isArray(document.resolved) && ('no_generation' in document || 'no_logs' in document),
  },
  {
    what: 'holds patches for SWE-bench, which no test has judged yet',
    hint: () => 'Run the harness over them and give its report, MODEL.RUN.json.',
    recognise: ({ document, first }) => {
      const [one] = isObject(document) || Array.isArray(document) ? Object.values(document) : [];
      return [one, first].some((row) => isObject(row) && 'model_patch' in row && !('resolved' in row));
    },
  },
  {
    what: 'is a log of OpenAI evals, which is not read as it stands',
    hint: (file) =>
      `Make a table of it, with a name for the model: \`jq -c 'select(.data.correct? != null) | {model: "NAME", task: .sample_id, correct: .data.correct}' ${shellWord(file)} > NAME.jsonl\`; put those of several models into one file.`,
    recognise: ({ first }) => isObject(first?.spec) && 'completion_fns' in first.spec,
  },
];

/** Refuses a file of a harness that holds no scores on samples, and says what does. Errors: SCHEMA_INVALID (reading 4). */
export function assertSamples(log: OpenedLog): void {
  const other = OTHER_FILES.find((kind) => kind.recognise(log));
  if (other !== undefined) fail('SCHEMA_INVALID', { file: log.file }, other.what, other.hint(log.file));
}
