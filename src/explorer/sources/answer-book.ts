import { readArrow } from '../../io/arrow.js';

/** A value that a table says of an answer. */
export type Said = string | number | boolean | null;

/** One answer, with what is known of it. */
export interface BookAnswer {
  readonly model: string;
  readonly task: string;
  readonly family: string;
  /** Counts in the ranking; true where nothing says otherwise. */
  readonly inCore: boolean;
  readonly completed: boolean;
  /** `ok`, or why there is no selection; of a failed one the kind of its failure. */
  readonly outcome: string;
  /** Three labels; null where none was read. */
  readonly selection: string | null;
  /** Hundredths of a point; null where it has no score, or none is shown. */
  readonly scoreBps: number | null;
  /** As it came; null where nothing did. */
  readonly text: string | null;
  readonly costMicros: number | null;
  readonly latencyMs: number | null;
  readonly tokens: number | null;
  /** Everything else, by name. */
  readonly facts: Readonly<Record<string, Said>>;
}

/** Answers of all models to all tasks. */
export interface AnswerBook {
  readonly size: number;
  ofModel(model: string): readonly BookAnswer[];
  ofTask(task: string): readonly BookAnswer[];
}

/** Reads one row; what a table lacks is null. */
type Row = (name: string) => Said;

const NAMED = new Set([
  ...[
    'model',
    'task',
    'family',
    'panel',
    'in_core',
    'completed',
    'parse',
    'outcome',
    'selection',
    'score_bps',
    'optimal',
  ],
  ...['answer', 'cost_micros', 'latency_ms'],
]);

const text = (value: Said): string | null => (typeof value === 'string' ? value : null);
const count = (value: Said): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

function answerOf(row: Row, names: readonly string[]): BookAnswer {
  const completed = row('completed') !== false;
  return {
    model: text(row('model')) ?? '',
    task: text(row('task')) ?? '',
    family: text(row('family')) ?? '',
    inCore: row('in_core') !== false,
    completed,
    outcome: (completed ? text(row('parse')) : text(row('outcome'))) ?? 'not known',
    selection: text(row('selection')),
    scoreBps: count(row('score_bps')),
    text: text(row('answer')),
    costMicros: count(row('cost_micros')),
    latencyMs: count(row('latency_ms')),
    tokens: count(row('completion_tokens')),
    facts: Object.fromEntries(names.filter((name) => !NAMED.has(name)).map((name) => [name, row(name)])),
  };
}

/** Puts answers together by model and by task. */
export function answerBook(answers: readonly BookAnswer[]): AnswerBook {
  const by = (key: 'model' | 'task') => {
    const lists = new Map<string, BookAnswer[]>();
    for (const answer of answers) {
      const list = lists.get(answer[key]);
      if (list) list.push(answer);
      else lists.set(answer[key], [answer]);
    }
    return lists;
  };
  const [models, tasks] = [by('model'), by('task')];
  return {
    size: answers.length,
    ofModel: (model) => models.get(model) ?? [],
    ofTask: (task) => tasks.get(task) ?? [],
  };
}

/** Reads the answers of a release from the columns of `observations.arrow`. Errors: ARROW_INVALID. */
export async function columnBook(bytes: Uint8Array, file: string): Promise<AnswerBook> {
  const table = await readArrow(bytes, file);
  const columns = new Map(table.names.map((name) => [name, table.column(name)!] as const));
  const said = (value: unknown): Said =>
    typeof value === 'bigint' ? Number(value) : ((value ?? null) as Exclude<Said, undefined>);
  return answerBook(
    Array.from({ length: table.rows }, (_, r) => answerOf((name) => said(columns.get(name)?.[r]), table.names)),
  );
}

/** Makes the answer of a row of named values. */
export function namedAnswer(row: Readonly<Record<string, Said>>): BookAnswer {
  return answerOf((name) => row[name] ?? null, Object.keys(row));
}
