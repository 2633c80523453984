import { listedNames, namedFor, plainName, quoted } from './column-names.js';

/** First words of names of summaries, and of what measures the measurement. */
const FIRST: ReadonlySet<string> = new Set([
  ...[
    'average',
    'avg',
    'mean',
    'median',
    'overall',
    'total',
    'rank',
    'num',
    'number',
    'stderr',
    'std',
    'count',
    'min',
    'max',
    'quantile',
  ],
]);

/** Last words of names of facts about a model, of summaries and of measures of error. */
const LAST: ReadonlySet<string> = new Set([
  ...['average', 'avg', 'mean', 'overall', 'rank', 'ranking', 'params', 'param', 'parameters', 'size'],
  ...['date', 'year', 'timestamp', 'cutoff', 'license', 'licence', 'price', 'cost', 'costs', 'latency', 'runtime'],
  ...['duration', 'tokens', 'votes', 'battles', 'likes', 'downloads', 'stars', 'elo', 'lower', 'upper', 'ci'],
  ...['median', 'min', 'max', 'stderr', 'std', 'sem', 'se', 'window', 'flops', 'memory', 'version'],
  ...[
    'created',
    'updated',
    'modified',
    'released',
    'vram',
    'followers',
    'popularity',
    'hours',
    'ttft',
    'rtfx',
    'throughput',
    'time',
  ],
]);

/** Phrases and words that count wherever they stand, or at the beginning: `context length`, `tokens_per_second`, `downloads_30d`. */
const PHRASES =
  /\b(?:context|sequence|max|hub)[\s_-]*(?:length|len|likes|❤)|per[\s_-]*(?:second|sec|minute|hour)\b|^(?:downloads|likes|stars|votes)(?![a-z])|^context$/iu;

/** A quantile, as `describe` of pandas calls it. */
const QUANTILE = /^\d{1,2}(?:\.\d)?%$/;

/** What a table with a row a cell says of its tasks; beside scores on tasks it can only be said of models. */
const KINDS = ['family', 'cluster', 'panel'] as const;

/** Units that stand behind a name without brackets. */
const UNITS: ReadonlySet<string> = new Set(['b', 'm', 'bn', 'gb', 'mb', 'ms', 's', 'sec', 'kg', 'usd', 'k', 'score']);

/**
 * Tells whether a task is called as facts about models and summaries of their scores are: `Params (B)`, `Average ⬆️`, `mmlu_stderr`,
 * `Release Date`, or as what sorts models into kinds: `category`, `group` (reading 1.12). Brackets, marks and units are no part of the name.
 */
export function isFactName(name: string): boolean {
  if (KINDS.some((role) => namedFor(role, [name]).length > 0)) return true;
  if (PHRASES.test(name) || QUANTILE.test(name)) return true;
  const words = name
    .slice(0, 200)
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== '');
  const [first] = words;
  if (first === undefined || words.length > 4) return false;
  const last = words.findLast((word, i) => i === 0 || !UNITS.has(word))!;
  return FIRST.has(first) || LAST.has(last) || words.includes('ci');
}

/** What columns beside the models of a table with a row a task are called that say something of the task (reading 1.12). */
const TASK_FACTS: ReadonlySet<string> = new Set([
  ...[
    'weight',
    'weights',
    'weighting',
    'difficulty',
    'level',
    'support',
    'samples',
    'count',
    'counts',
    'size',
    'year',
    'points',
  ],
  ...[
    'maxscore',
    'maxpoints',
    'maximum',
    'maximumscore',
    'pointspossible',
    'possiblepoints',
    'fullmarks',
    'irtdifficulty',
  ],
  ...['questions', 'items', 'examples', 'instances', 'discrimination', 'length', 'tokens'],
]);

/** Tells whether a name is that of a fact about tasks, such as their weight, difficulty, size or highest score: `weight`, `n_samples`, `# items`. */
export function isTaskFact(name: string): boolean {
  const plain = plainName(name.slice(0, 200)).replace(/\([^()]*\)|\[[^[\]]*\]/g, '');
  return (
    TASK_FACTS.has(plain) ||
    TASK_FACTS.has(plain.replace(/^(?:tasks?|items?|numberof|number|num|n|no\.?(?:of)?|#(?:of)?)/, ''))
  );
}

/** Says what is left out of a table with a row a task, as a sentence without a full stop. */
export function taskFactWords(names: readonly string[]): string {
  const is = names.length === 1 ? 'is called as a fact about tasks is' : 'are called as facts about tasks are';
  const weights = names.some(isWeight) ? `; ${SAME}` : '';
  return `${listedNames(names)} ${is} and left out: if ${names.length === 1 ? 'it is a model, give it' : 'they are models, give them'} another name${weights}`;
}

const SAME = 'all tasks of a family weigh the same';
const isWeight = (name: string): boolean => isTaskFact(name) && /weight/i.test(name);

/** Says of weights that a table with a row a cell brings that they are not used; nothing where it brings none. */
export function weightWords(leftOut: readonly string[]): string[] {
  const weights = leftOut.filter(isWeight);
  return weights.length > 0 ? [`${listedNames(weights)} ${weights.length === 1 ? 'is' : 'are'} left out: ${SAME}`] : [];
}

/** Words for what is better the lower it is, behind or before which others may stand. */
const LOWER: ReadonlySet<string> = new Set([
  ...[
    'loss',
    'nll',
    'perplexity',
    'ppl',
    'error',
    'errors',
    'err',
    'wer',
    'cer',
    'ter',
    'rmse',
    'mae',
    'mse',
    'fid',
    'brier',
  ],
  ...['ece', 'toxicity', 'regret', 'distance', 'bpb'],
]);

/** Tells whether a name is that of a measure which is better when it is lower: `perplexity`, `val_loss`, `WER (%)` (reading 1.12). */
export function isLowerName(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.length <= 4 && words.some((word) => LOWER.has(word));
}

/** Writes the options that leave some tasks out, as they can be typed. */
export function dropOption(names: readonly string[]): string {
  const alone = names.filter((name) => name.includes(','));
  const together = names.filter((name) => !name.includes(','));
  return [...(together.length > 0 ? [together.join()] : []), ...alone]
    .map((list) => `--drop ${quoted(list)}`)
    .join(' ');
}
